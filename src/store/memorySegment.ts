// A segment of memories on disk: their text (written once), their index (written once) and their rows (replaced whole).
//
//   <name>.txt   one memory's JSON a line, in the order of the index's documents
//   <name>.idx   the keyword index over them
//   <name>.<generation>.row   what changes of them
import type { Memory } from '../model/memory.ts'
import type { Files } from './files.ts'
import { mergeSegments } from './index/merge.ts'
import { openSegment } from './index/segment.ts'
import { type IndexedDocument, writeSegment } from './index/writer.ts'
import type { SegmentEntry } from './manifest.ts'
import { type Placed, rowsView } from './memoryRead.ts'
import { isGone, markGone, ROW_BYTES, type TextPlace, textOfRow, writeRow } from './row.ts'

/** Writes a new segment of these memories, in their order, and says where each stands. */
export function writeMemories(
  files: Files,
  folder: string,
  name: string,
  generation: number,
  memories: readonly Memory[],
  indexed: (memory: Memory) => IndexedDocument,
): SegmentEntry {
  const { text, places } = textsOf(memories.map((memory) => JSON.stringify(memory)))
  const rows = Buffer.alloc(memories.length * ROW_BYTES)
  memories.forEach((memory, row) => writeRow(rowsView(rows), row, memory, places[row]!))
  files.replace(`${folder}/${name}.txt`, text)
  files.replace(`${folder}/${name}.idx`, writeSegment(memories.map(indexed)))
  return writeRows(files, folder, name, generation, rows)
}

/** Writes the rows of a segment as a new file; the old one stays until nobody can still be reading it. */
export function writeRows(files: Files, folder: string, name: string, generation: number, rows: Buffer): SegmentEntry {
  const file = `${name}.${generation}.row`
  files.replace(`${folder}/${file}`, rows)
  const entry = { name, rows: file, memories: rows.length / ROW_BYTES }
  return name.endsWith(ARCHIVE_MARK) ? { ...entry, archive: true } : entry
}

/** Last letter of an archive segment's name. */
export const ARCHIVE_MARK = 'a'

/** Several segments as one, in their order, without what is gone. Texts and index are copied, not made anew. */
export function mergeMemories(
  files: Files,
  folder: string,
  entries: readonly SegmentEntry[],
  name: string,
  generation: number,
): SegmentEntry {
  const parts = entries.map((entry) => ({
    text: files.read(`${folder}/${entry.name}.txt`)!,
    rows: rowsView(files.read(`${folder}/${entry.rows}`)!),
    index: openSegment(files, `${folder}/${entry.name}.idx`)!,
    count: entry.memories,
  }))
  try {
    const index = mergeSegments(parts.map((part) => ({ segment: part.index, keep: (doc) => !isGone(part.rows, doc) })))
    const lines: Buffer[] = []
    const rows: Buffer[] = []
    let at = 0
    for (const part of parts) {
      for (let row = 0; row < part.count; row++) {
        if (isGone(part.rows, row)) continue
        const place = textOfRow(part.rows, row)
        lines.push(part.text.subarray(place.at, place.at + place.bytes + 1))
        rows.push(movedRow(part.rows, row, at))
        at += place.bytes + 1
      }
    }
    files.replace(`${folder}/${name}.txt`, Buffer.concat(lines))
    files.replace(`${folder}/${name}.idx`, index)
    return writeRows(files, folder, name, generation, Buffer.concat(rows))
  } finally {
    for (const part of parts) part.index.close()
  }
}

/** A segment's rows with these memories' changed fields put in, and those in `gone` marked. */
export function changedRows(rows: Buffer, changed: readonly Placed[], gone: readonly number[]): Buffer {
  const next = Buffer.from(rows)
  const view = rowsView(next)
  for (const { memory, row } of changed) writeRow(view, row, memory, textOfRow(view, row))
  for (const row of gone) markGone(view, row)
  return next
}

function textsOf(lines: readonly string[]): { text: Buffer; places: TextPlace[] } {
  let at = 0
  const places = lines.map((line) => {
    const bytes = Buffer.byteLength(line)
    const place = { at, bytes }
    at += bytes + 1
    return place
  })
  return { text: Buffer.from(lines.map((line) => `${line}\n`).join('')), places }
}

/** A copy of a row whose text now stands at `at`. */
function movedRow(rows: DataView, row: number, at: number): Buffer {
  const copy = Buffer.from(new Uint8Array(rows.buffer, rows.byteOffset + row * ROW_BYTES, ROW_BYTES))
  copy.writeDoubleBE(at, 20)
  return copy
}
