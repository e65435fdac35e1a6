// A segment of memories on disk: their text (written once), their index (written once) and their rows (replaced whole).
//
//   <name>.txt   one memory's JSON a line, in the order of their ranks
//   <name>.idx   the keyword index over them, its documents in the same order
//   <name>.<generation>.row   what changes of them
//
// The order is the one in which the memories were made, whatever was rewritten since: so a view that grew session by session has
// the very index that a rebuild writes, neighbours in a session stand beside one another, and recall answers the same.
import type { Memory } from '../../model/memory.ts'
import { detectAnswerTypes } from '../../text/answerTypes.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import { buildIndexSegment, type IndexedDocument } from '../index/buildIndexSegment.ts'
import { type IndexSegment, openIndexSegment } from '../index/indexSegment.ts'
import { type MergeInput, mergeSegments } from '../index/mergeSegments.ts'
import type { SegmentEntry } from './manifest.ts'
import { answerTypesOfRow, encodeRow, ROW_BYTES, textOfRow } from './rowFormat.ts'
import { toDataView } from './segmentReader.ts'

/** A memory to write. `from` is the row of the old segment whose text and index still hold for it. */
export interface SegmentMember {
  readonly memory: Memory
  readonly rank: number
  readonly copyFromRow?: number | undefined
}

/** Last letter of an archive segment's name. */
export const ARCHIVE_SUFFIX = 'a'

/**
 * Writes a segment of these members, in their order. What an old segment holds is copied: only members without `from` are
 * analysed for the index.
 */
export function writeMemorySegment(
  files: Files,
  folder: string,
  name: string,
  generation: number,
  members: readonly SegmentMember[],
  old: SegmentEntry | undefined,
  indexed: (memory: Memory) => IndexedDocument,
): SegmentEntry {
  const before = old && {
    text: files.read(`${folder}/${old.name}.txt`)!,
    rows: toDataView(files.read(`${folder}/${old.rows}`)!),
  }
  const rows = Buffer.alloc(members.length * ROW_BYTES)
  const view = toDataView(rows)
  const lines: Buffer[] = []
  let at = 0
  members.forEach(({ memory, rank, copyFromRow }, row) => {
    const line = copyFromRow === undefined ? Buffer.from(`${JSON.stringify(memory)}\n`) : lineAt(before!, copyFromRow)
    const facts =
      copyFromRow === undefined ? detectAnswerTypes(memory.content) : answerTypesOfRow(before!.rows, copyFromRow)
    encodeRow(view, row, memory, { at, bytes: line.length - 1, answerTypes: facts }, rank)
    lines.push(line)
    at += line.length
  })
  files.replace(`${folder}/${name}.txt`, Buffer.concat(lines))
  files.replace(`${folder}/${name}.idx`, indexOf(files, folder, members, old, indexed))
  return writeSegmentRows(files, folder, name, generation, rows)
}

/** Writes the rows of a segment as a new file; the old one stays until nobody can still be reading it. */
export function writeSegmentRows(
  files: Files,
  folder: string,
  name: string,
  generation: number,
  rows: Buffer,
): SegmentEntry {
  const file = `${name}.${generation}.row`
  files.replace(`${folder}/${file}`, rows)
  const entry = { name, rows: file, memories: rows.length / ROW_BYTES }
  return name.endsWith(ARCHIVE_SUFFIX) ? { ...entry, archive: true } : entry
}

/** A segment's rows with these memories' changed fields put in. */
export function updateRows(
  rows: Buffer,
  changed: readonly { readonly memory: Memory; readonly row: number; readonly rank: number }[],
): Buffer {
  const next = Buffer.from(rows)
  const view = toDataView(next)
  for (const { memory, row, rank } of changed) encodeRow(view, row, memory, textOfRow(view, row), rank)
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
  members: readonly SegmentMember[],
  old: SegmentEntry | undefined,
  indexed: (memory: Memory) => IndexedDocument,
): Buffer {
  const news = members.flatMap(({ memory, copyFromRow }, place) =>
    copyFromRow === undefined ? [{ memory, place }] : [],
  )
  const fresh = buildIndexSegment(news.map(({ memory }) => indexed(memory)))
  if (!old) return fresh
  const places = new Map(
    members.flatMap(({ copyFromRow }, place) => (copyFromRow === undefined ? [] : [[copyFromRow, place]])),
  )
  const kept = openIndexSegment(files, `${folder}/${old.name}.idx`)!
  try {
    const inputs: MergeInput[] = [
      { segment: kept, keep: (doc) => places.has(doc), newNumber: (doc) => places.get(doc)! },
      { segment: segmentFromBuffer(fresh), keep: () => true, newNumber: (doc) => news[doc]!.place },
    ]
    return mergeSegments(inputs)
  } finally {
    kept.close()
  }
}

/** A segment that has not been written to disk. */
export function segmentFromBuffer(bytes: Buffer): IndexSegment {
  const file: OpenFile = {
    size: bytes.length,
    readAt: (position, length) => bytes.subarray(position, position + length),
    close: () => {},
  }
  return openIndexSegment({ open: () => file }, 'a segment in memory')!
}
