// Reads all memories of a segment. Separate from segmentWriter.ts, so that no hook bundle contains the index writer.
import type { Memory } from '../../model/memory.ts'
import type { Files } from '../disk/files.ts'
import type { SegmentEntry } from './manifest.ts'
import { applyRow, ROW_BYTES, rankOfRow, textOfRow, upgradeRows } from './rowFormat.ts'

/** A memory and where it is stored. `rank` is its position among all memories, in the order they were made. */
export interface StoredMemory {
  readonly memory: Memory
  readonly segment: string
  readonly row: number
  readonly rank: number
}

/** Converts a memory of an earlier version's snapshot; returns a memory of this version unchanged. */
export type Upgrade = (memory: Memory) => Memory

export const asWritten: Upgrade = (memory) => memory

export const toDataView = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** A segment's rows; undefined if the file is missing. */
export function readSegmentRows(files: Pick<Files, 'read'>, folder: string, entry: SegmentEntry): Buffer | undefined {
  const rows = files.read(`${folder}/${entry.rows}`)
  return rows && upgradeRows(rows, rows.length / entry.memories)
}

/** Every memory of a segment, in its order. Its files are read first: another process may remove them meanwhile. */
export function* readSegmentMemories(
  files: Files,
  folder: string,
  entry: SegmentEntry,
  upgrade: Upgrade,
): Generator<StoredMemory> {
  const text = files.read(`${folder}/${entry.name}.txt`) ?? Buffer.alloc(0)
  const rows = readSegmentRows(files, folder, entry) ?? Buffer.alloc(0)
  const view = toDataView(rows)
  for (let row = 0; row < rows.length / ROW_BYTES; row++) {
    const { at, bytes } = textOfRow(view, row)
    const json = text.toString('utf8', at, at + bytes)
    const memory = applyRow(upgrade(JSON.parse(json) as Memory), view, row)
    yield { memory, segment: entry.name, row, rank: rankOfRow(view, row) }
  }
}
