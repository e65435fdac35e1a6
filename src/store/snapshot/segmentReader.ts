// Reading a whole segment of memories. Apart from its writing, so that a hook's bundle holds no index writer.
import type { Memory } from '../../model/memory.ts'
import type { Files } from '../disk/files.ts'
import type { SegmentEntry } from './manifest.ts'
import { applyRow, ROW_BYTES, rankOfRow, textOfRow, upgradeRows } from './rowFormat.ts'

/** A memory where it stands: which segment, which row, and its rank: its place among all, in the order they were made. */
export interface StoredMemory {
  readonly memory: Memory
  readonly segment: string
  readonly row: number
  readonly rank: number
}

/** Makes a memory of an earlier version's view one of this version; others stay as they are. */
export type Upgrade = (memory: Memory) => Memory

export const asWritten: Upgrade = (memory) => memory

export const toDataView = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** A segment's rows; undefined where the file is not there. */
export function readSegmentRows(files: Pick<Files, 'read'>, folder: string, entry: SegmentEntry): Buffer | undefined {
  const rows = files.read(`${folder}/${entry.rows}`)
  return rows && upgradeRows(rows, rows.length / entry.memories)
}

/** Every memory of a segment in its order, and its rows as they are. */
export function readSegmentMemories(
  files: Files,
  folder: string,
  entry: SegmentEntry,
  upgrade: Upgrade,
): { placed: StoredMemory[]; rows: Buffer } {
  const text = files.read(`${folder}/${entry.name}.txt`) ?? Buffer.alloc(0)
  const rows = readSegmentRows(files, folder, entry) ?? Buffer.alloc(0)
  const view = toDataView(rows)
  const placed: StoredMemory[] = []
  for (let row = 0; row < rows.length / ROW_BYTES; row++) {
    const place = textOfRow(view, row)
    const json = text.toString('utf8', place.at, place.at + place.bytes)
    const memory = applyRow(upgrade(JSON.parse(json) as Memory), view, row)
    placed.push({ memory, segment: entry.name, row, rank: rankOfRow(view, row) })
  }
  return { placed, rows }
}
