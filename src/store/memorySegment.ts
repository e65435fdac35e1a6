// A segment of memories on disk: their text (written once), their index (written once) and their rows (replaced whole).
//
//   <name>.txt   one memory's JSON a line, in the order of their ranks
//   <name>.idx   the keyword index over them, its documents in the same order
//   <name>.<generation>.row   what changes of them
//
// The order is the one in which the memories were made, whatever was rewritten since: so a view that grew session by session has
// the very index that a rebuild writes, neighbours in a session stand beside one another, and recall answers the same.
import type { Memory } from '../model/memory.ts'
import { factsOf } from '../text/facts.ts'
import type { Files, OpenFile } from './files.ts'
import { type MergeInput, mergeSegments } from './index/merge.ts'
import { openSegment, type Segment } from './index/segment.ts'
import { type IndexedDocument, writeSegment } from './index/writer.ts'
import type { SegmentEntry } from './manifest.ts'
import { rowsView } from './memoryRead.ts'
import { factsOfRow, ROW_BYTES, textOfRow, writeRow } from './row.ts'

/** A memory to write. `from` is the row of the old segment whose text and index still hold for it. */
export interface Member {
  readonly memory: Memory
  readonly rank: number
  readonly from?: number | undefined
}

/** Last letter of an archive segment's name. */
export const ARCHIVE_MARK = 'a'

/**
 * Writes a segment of these members, in their order. What an old segment holds is copied: only members without `from` are
 * analysed for the index.
 */
export function writeMemories(
  files: Files,
  folder: string,
  name: string,
  generation: number,
  members: readonly Member[],
  old: SegmentEntry | undefined,
  indexed: (memory: Memory) => IndexedDocument,
): SegmentEntry {
  const before = old && {
    text: files.read(`${folder}/${old.name}.txt`)!,
    rows: rowsView(files.read(`${folder}/${old.rows}`)!),
  }
  const rows = Buffer.alloc(members.length * ROW_BYTES)
  const view = rowsView(rows)
  const lines: Buffer[] = []
  let at = 0
  members.forEach(({ memory, rank, from }, row) => {
    const line = from === undefined ? Buffer.from(`${JSON.stringify(memory)}\n`) : lineAt(before!, from)
    const facts = from === undefined ? factsOf(memory.content) : factsOfRow(before!.rows, from)
    writeRow(view, row, memory, { at, bytes: line.length - 1, facts }, rank)
    lines.push(line)
    at += line.length
  })
  files.replace(`${folder}/${name}.txt`, Buffer.concat(lines))
  files.replace(`${folder}/${name}.idx`, indexOf(files, folder, members, old, indexed))
  return writeRows(files, folder, name, generation, rows)
}

/** Writes the rows of a segment as a new file; the old one stays until nobody can still be reading it. */
export function writeRows(files: Files, folder: string, name: string, generation: number, rows: Buffer): SegmentEntry {
  const file = `${name}.${generation}.row`
  files.replace(`${folder}/${file}`, rows)
  const entry = { name, rows: file, memories: rows.length / ROW_BYTES }
  return name.endsWith(ARCHIVE_MARK) ? { ...entry, archive: true } : entry
}

/** A segment's rows with these memories' changed fields put in. */
export function changedRows(
  rows: Buffer,
  changed: readonly { readonly memory: Memory; readonly row: number; readonly rank: number }[],
): Buffer {
  const next = Buffer.from(rows)
  const view = rowsView(next)
  for (const { memory, row, rank } of changed) writeRow(view, row, memory, textOfRow(view, row), rank)
  return next
}

function lineAt(before: { readonly text: Buffer; readonly rows: DataView }, row: number): Buffer {
  const place = textOfRow(before.rows, row)
  return before.text.subarray(place.at, place.at + place.bytes + 1)
}

/** The index over the members: the old one's documents renumbered, and the new ones analysed. */
function indexOf(
  files: Files,
  folder: string,
  members: readonly Member[],
  old: SegmentEntry | undefined,
  indexed: (memory: Memory) => IndexedDocument,
): Buffer {
  const news = members.flatMap(({ memory, from }, place) => (from === undefined ? [{ memory, place }] : []))
  const fresh = writeSegment(news.map(({ memory }) => indexed(memory)))
  if (!old) return fresh
  const places = new Map(members.flatMap(({ from }, place) => (from === undefined ? [] : [[from, place]])))
  const kept = openSegment(files, `${folder}/${old.name}.idx`)!
  try {
    const inputs: MergeInput[] = [
      { segment: kept, keep: (doc) => places.has(doc), place: (doc) => places.get(doc)! },
      { segment: inMemory(fresh), keep: () => true, place: (doc) => news[doc]!.place },
    ]
    return mergeSegments(inputs)
  } finally {
    kept.close()
  }
}

/** A segment that has not been written to disk. */
export function inMemory(bytes: Buffer): Segment {
  const file: OpenFile = {
    size: bytes.length,
    readAt: (position, length) => bytes.subarray(position, position + length),
    close: () => {},
  }
  return openSegment({ open: () => file }, 'a segment in memory')!
}
