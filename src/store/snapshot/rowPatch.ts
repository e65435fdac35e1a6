// Rows of a large segment that have changed since its row file was written, so that a few changed memories do not write
// all rows again.
//
//   the numbers of the rows (4 bytes each, little endian), then these rows (160 bytes each), in the same order
//
// Nothing is decoded when it is opened: a hook looks up few rows.
import { ROW_BYTES } from './memoryRow.ts'

const NUMBER_BYTES = 4

/** The bytes of a patch with these rows of a segment. */
export function encodePatch(rows: Buffer, changed: readonly number[]): Buffer {
  const numbers = Uint32Array.from(changed)
  const changedRows = changed.map((row) => rows.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES))
  return Buffer.concat([Buffer.from(numbers.buffer), ...changedRows])
}

export interface RowPatch {
  readonly numbers: Uint32Array
  readonly rows: Buffer
  /** Over `rows`. */
  readonly view: DataView
}

export function openPatch(bytes: Buffer): RowPatch {
  const count = Math.floor(bytes.length / (NUMBER_BYTES + ROW_BYTES))
  const start = count * NUMBER_BYTES
  // Copied: the bytes may begin anywhere in a block of memory.
  const numbers = new Uint32Array(new Uint8Array(bytes.subarray(0, start)).buffer)
  const rows = bytes.subarray(start)
  return { numbers, rows, view: new DataView(rows.buffer, rows.byteOffset, rows.length) }
}
