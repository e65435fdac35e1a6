// Reading a whole segment of memories. Apart from its writing, so that a hook's bundle holds no index writer.
import type { Memory } from '../model/memory.ts'
import type { Files } from './files.ts'
import type { SegmentEntry } from './manifest.ts'
import { isGone, ROW_BYTES, textOfRow, withRow } from './row.ts'

/** A memory where it stands: which segment, which row. */
export interface Placed {
  readonly memory: Memory
  readonly segment: string
  readonly row: number
}

export const rowsView = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** Every living memory of a segment, and its rows as they are. */
export function readMemories(files: Files, folder: string, entry: SegmentEntry): { placed: Placed[]; rows: Buffer } {
  const text = files.read(`${folder}/${entry.name}.txt`) ?? Buffer.alloc(0)
  const rows = files.read(`${folder}/${entry.rows}`) ?? Buffer.alloc(0)
  const view = rowsView(rows)
  const placed: Placed[] = []
  for (let row = 0; row < rows.length / ROW_BYTES; row++) {
    if (isGone(view, row)) continue
    const place = textOfRow(view, row)
    const json = text.toString('utf8', place.at, place.at + place.bytes)
    placed.push({ memory: withRow(JSON.parse(json) as Memory, view, row), segment: entry.name, row })
  }
  return { placed, rows }
}
