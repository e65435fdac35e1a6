// Writes a segment of memories: text and index, written once, and rows, replaced when they change.
//
//   <name>.txt   one memory as JSON per line, in the order of their ranks
//   <name>.idx   the keyword index over them, its documents in the same order
//   <name>.<generation>.row   their changing fields
//
// Ranks follow the order in which the memories were made. So a snapshot that grew session by session has the same
// index as a rebuilt one, memories of one session are neighbours, and recall gives the same results.
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { detectAnswerTypes } from '../../text/answerTypes.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import { checksum } from '../disk/jsonFile.ts'
import { buildIndexSegment, type IndexedDocument, mergeSegments } from '../index/buildIndexSegment.ts'
import { type IndexSegment, openIndexSegment, segmentFromFile } from '../index/indexSegment.ts'
import { type SegmentEntry, type SegmentSums, sumSegment } from './manifest.ts'
import { answerTypesOfRow, encodeRow, ROW_BYTES, textOfRow } from './memoryRow.ts'
import { toDataView } from './snapshotReader.ts'

/** A memory to write. `copyFromRow` is its row in the old segment, if the text and index there are still valid. */
export interface SegmentMember {
  readonly memory: Memory
  readonly rank: number
  readonly copyFromRow?: number | undefined
}

export interface SegmentToWrite {
  readonly name: string
  readonly generation: number
  /** In the order of their ranks. */
  readonly members: readonly SegmentMember[]
  /** The segment that `copyFromRow` refers to. */
  readonly old: SegmentEntry | undefined
  /** Analyses a memory for the index. Called only for members that are not copied. */
  readonly buildTerms: (memory: Memory) => IndexedDocument
}

/** Last letter of an archive segment's name. */
export const ARCHIVE_SUFFIX = 'a'

/** Writes a new segment. Throws STORE_INVALID if a file of the old segment is missing. */
export function writeMemorySegment(files: Files, folder: string, segment: SegmentToWrite): SegmentEntry {
  const { name, generation, members, old } = segment
  const oldLines = old && openLines(files, folder, old)
  const rows = Buffer.alloc(members.length * ROW_BYTES)
  const view = toDataView(rows)
  const lines: Buffer[] = []
  let at = 0
  members.forEach(({ memory, rank, copyFromRow }, row) => {
    const copied = copyFromRow === undefined ? undefined : oldLines?.(copyFromRow)
    const line = copied?.line ?? Buffer.from(`${JSON.stringify(memory)}\n`)
    const answerTypes = copied?.answerTypes ?? detectAnswerTypes(memory.content)
    encodeRow(view, row, memory, { at, bytes: line.length - 1, answerTypes, rank })
    lines.push(line)
    at += line.length
  })
  const text = Buffer.concat(lines)
  const index = buildIndex(files, folder, segment)
  files.replace(`${folder}/${name}.txt`, text)
  files.replace(`${folder}/${name}.idx`, index)
  return writeSegmentRows(files, folder, { name, generation, rows, sums: sumSegment(text, index) })
}

/** Writes the rows of a segment to a new file. The old file stays until no reader can have it open. */
export function writeSegmentRows(
  files: Files,
  folder: string,
  { name, generation, rows, sums }: RowsToWrite,
): SegmentEntry {
  const file = `${name}.${generation}.row`
  files.replace(`${folder}/${file}`, rows)
  const entry = {
    name,
    rows: file,
    memories: rows.length / ROW_BYTES,
    ...(sums && { sums: { text: sums.text, index: sums.index, rows: checksum(rows) } }),
  }
  return name.endsWith(ARCHIVE_SUFFIX) ? { ...entry, archive: true } : entry
}

interface RowsToWrite {
  readonly name: string
  readonly generation: number
  readonly rows: Buffer
  /** Of the segment's text and index; absent in stores of earlier versions. */
  readonly sums?: Pick<SegmentSums, 'text' | 'index'> | undefined
}

/** A copy of a segment's rows with the fields of changed memories. */
export function updateRows(
  rows: Buffer,
  changed: readonly { readonly memory: Memory; readonly row: number; readonly rank: number }[],
): Buffer {
  const updated = Buffer.from(rows)
  const view = toDataView(updated)
  for (const { memory, row, rank } of changed) encodeRow(view, row, memory, { ...textOfRow(view, row), rank })
  return updated
}

/** Reads the line and the answer types of a row of the old segment. */
function openLines(files: Files, folder: string, old: SegmentEntry) {
  const text = files.read(`${folder}/${old.name}.txt`)
  const rows = files.read(`${folder}/${old.rows}`)
  if (!text || !rows) throw missingFileError(`${folder}/${old.name}`)
  const view = toDataView(rows)
  return (row: number): { line: Buffer; answerTypes: number } => {
    const { at, bytes } = textOfRow(view, row)
    return { line: text.subarray(at, at + bytes + 1), answerTypes: answerTypesOfRow(view, row) }
  }
}

/** The index over the members: the old segment's documents with new numbers, merged with the newly analysed ones. */
function buildIndex(files: Files, folder: string, { members, old, buildTerms }: SegmentToWrite): Buffer {
  const oldToNew = new Map<number, number>()
  const addedDocs: number[] = []
  const added: IndexedDocument[] = []
  members.forEach(({ memory, copyFromRow }, doc) => {
    if (copyFromRow !== undefined) oldToNew.set(copyFromRow, doc)
    else {
      addedDocs.push(doc)
      added.push(buildTerms(memory))
    }
  })
  const addedIndex = buildIndexSegment(added)
  if (!old) return addedIndex
  const oldIndex = openIndexSegment(files, `${folder}/${old.name}.idx`)
  if (!oldIndex) throw missingFileError(`${folder}/${old.name}.idx`)
  try {
    return mergeSegments([
      { segment: oldIndex, newNumber: (doc) => oldToNew.get(doc) },
      { segment: segmentFromBuffer(addedIndex), newNumber: (doc) => addedDocs[doc] },
    ])
  } finally {
    oldIndex.close()
  }
}

const missingFileError = (file: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${file} is missing`, {
    hint: 'Run `memctl rebuild`, which writes the snapshot again from the log; nothing is lost.',
  })

/** A segment that is not on disk. */
export function segmentFromBuffer(bytes: Buffer): IndexSegment {
  const file: OpenFile = {
    size: bytes.length,
    readAt: (position, length) => bytes.subarray(position, position + length),
    close: () => {},
  }
  return segmentFromFile(file, 'a segment in memory')
}
