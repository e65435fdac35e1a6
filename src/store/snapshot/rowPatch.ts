// Rows of a large segment that have changed since its row file was written, so that a few changed memories do not write
// all rows again.
//
//   number of the row (4 bytes, big endian), the row (160 bytes), and so on
import { ROW_BYTES } from './memoryRow.ts'

const ENTRY_BYTES = 4 + ROW_BYTES

/** The bytes of a patch with these rows of a segment. */
export function encodePatch(rows: Buffer, changed: Iterable<number>): Buffer {
  const entries = [...changed].map((row) => {
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.writeUInt32BE(row)
    rows.copy(entry, 4, row * ROW_BYTES, (row + 1) * ROW_BYTES)
    return entry
  })
  return Buffer.concat(entries)
}

/** The changed rows by their numbers. */
export function decodePatch(bytes: Buffer): Map<number, Buffer> {
  const rows = new Map<number, Buffer>()
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES)
    rows.set(bytes.readUInt32BE(at), bytes.subarray(at + 4, at + ENTRY_BYTES))
  return rows
}
