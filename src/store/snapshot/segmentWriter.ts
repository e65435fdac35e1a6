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
import { buildIndexSegment, type IndexedDocument, type MergeInput, mergeSegments } from '../index/buildIndexSegment.ts'
import { type IndexSegment, openIndexSegment, segmentFromFile } from '../index/indexSegment.ts'
import type { SegmentEntry } from './manifest.ts'
import { answerTypesOfRow, encodePatch, encodeRow, moveText, ROW_BYTES, textOfRow } from './memoryRow.ts'
import { toDataView } from './snapshotReader.ts'
import { type Placement, type StoredSegment, sumOfLine } from './storedMemories.ts'

/** A memory to write. */
export interface SegmentMember {
  /** Undefined if it is as it was at `copyFrom`. */
  readonly memory: Memory | undefined
  readonly rank: number
  /** Its place in an older segment, if the text and index there are still valid. */
  readonly copyFrom?: Placement | undefined
}

export interface SegmentToWrite {
  readonly name: string
  readonly generation: number
  /** In the order of their ranks. */
  readonly members: readonly SegmentMember[]
  /** The segments that `copyFrom` refers to. */
  readonly old: readonly StoredSegment[]
  /** Analyses a memory for the index. Called only for members that are not copied. */
  readonly buildTerms: (memory: Memory) => IndexedDocument
}

/** Last letter of an archive segment's name. */
export const ARCHIVE_SUFFIX = 'a'

/** Writes a new segment. Throws STORE_INVALID if a file of an old segment is missing. */
export function writeMemorySegment(files: Files, folder: string, segment: SegmentToWrite): SegmentEntry {
  const { name, generation, members, old } = segment
  // Before the texts: both together take much memory.
  const index = buildIndex(files, folder, segment)
  files.replace(`${folder}/${name}.idx`, index)
  const oldSegments = new Map(old.map((entry) => [entry.name, entry]))
  const rows = Buffer.alloc(members.length * ROW_BYTES)
  const view = toDataView(rows)
  let at = 0
  let sum = 0
  // The lines of all memories together take more memory than the memories.
  function* writeLines(): Generator<Buffer, undefined> {
    for (const [row, { memory, rank, copyFrom }] of members.entries()) {
      const copied = copyFrom && oldSegments.get(copyFrom.segment)?.read(copyFrom.row)
      const line = copied?.line ?? Buffer.from(`${JSON.stringify(memory)}\n`)
      if (copied) copied.fields.copy(rows, row * ROW_BYTES)
      const text = { at, bytes: line.length - 1, sum: sumOfLine(line), rank }
      if (memory) {
        const answerTypes = copied ? answerTypesOfRow(view, row) : detectAnswerTypes(memory.content)
        encodeRow(view, row, memory, { ...text, answerTypes })
      } else moveText(view, row, text)
      at += line.length
      sum = checksum(line, sum)
      yield line
    }
  }
  files.replace(`${folder}/${name}.txt`, inParts(writeLines()))
  const sums = { text: sum, index: checksum(index), rows: 0 }
  const entry = { name, rows: '', memories: members.length, sums }
  const isArchive = name.endsWith(ARCHIVE_SUFFIX)
  return writeSegmentRows(files, folder, { entry: isArchive ? { ...entry, archive: true } : entry, generation, rows })
}

/** Bytes that are written at once. */
const PART_BYTES = 1_048_576

/** The same bytes in fewer and larger parts. */
function* inParts(lines: Iterable<Buffer>): Generator<Buffer, undefined> {
  let part: Buffer[] = []
  let bytes = 0
  for (const line of lines) {
    part.push(line)
    bytes += line.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(part)
    part = []
    bytes = 0
  }
  yield Buffer.concat(part)
}

/** The rows of a segment that is written once more. */
type RowsToWrite = Readonly<{ entry: SegmentEntry; generation: number; rows: Buffer }>

/** Up to this size all rows of a segment are written again if one changes: readers open one file less. */
const PATCHED_BYTES_MIN = 65_536

/** The largest patch as a share of the rows. Hooks read the whole patch. */
const PATCH_SHARE_MAX = 0.125

/** Writes the rows of a segment to a new file. The old file stays until no reader can have it open. */
function writeSegmentRows(files: Files, folder: string, { entry, generation, rows }: RowsToWrite): SegmentEntry {
  const file = `${entry.name}.${generation}.row`
  files.replace(`${folder}/${file}`, rows)
  const { patch: _, ...rest } = entry
  return { ...rest, rows: file, ...(entry.sums && { sums: { ...entry.sums, rows: checksum(rows), patch: undefined } }) }
}

/** The same for a segment that has these rows already: of a large one only those that differ from its file. */
export function updateSegmentRows(files: Files, folder: string, update: RowsToWrite): SegmentEntry {
  const { entry, generation, rows } = update
  const before = rows.length < PATCHED_BYTES_MIN ? undefined : files.read(`${folder}/${entry.rows}`)
  if (before?.length !== rows.length) return writeSegmentRows(files, folder, update)
  const changed = Array.from({ length: entry.memories }, (_, row) => row).filter((row) => {
    const [from, to] = [row * ROW_BYTES, (row + 1) * ROW_BYTES]
    return rows.compare(before, from, to, from, to) !== 0
  })
  if (changed.length > PATCH_SHARE_MAX * entry.memories) return writeSegmentRows(files, folder, update)
  const bytes = encodePatch(rows, changed)
  const patch = `${entry.name}.${generation}.fix`
  files.replace(`${folder}/${patch}`, bytes)
  return { ...entry, patch, ...(entry.sums && { sums: { ...entry.sums, patch: checksum(bytes) } }) }
}

export function updateRows(
  rows: Buffer,
  changed: readonly { readonly memory: Memory; readonly row: number; readonly rank: number }[],
): Buffer {
  const updated = Buffer.from(rows)
  const view = toDataView(updated)
  for (const { memory, row, rank } of changed) encodeRow(view, row, memory, { ...textOfRow(view, row), rank })
  return updated
}

/** The index over the members: documents of old segments with new numbers, merged with the newly analysed ones. */
function buildIndex(files: Files, folder: string, { members, old, buildTerms }: SegmentToWrite): Buffer {
  const moved = new Map(old.map(({ name }) => [name, new Map<number, number>()]))
  const addedDocs: number[] = []
  // The terms of all members together take more memory than the members.
  function* analyze(): Generator<IndexedDocument> {
    for (const [doc, { memory, copyFrom }] of members.entries()) {
      if (copyFrom) moved.get(copyFrom.segment)?.set(copyFrom.row, doc)
      else if (memory) {
        addedDocs.push(doc)
        yield buildTerms(memory)
      }
    }
  }
  const added = buildIndexSegment(analyze())
  if (old.length === 0) return added
  const addedIndex = segmentFromBuffer(added)
  const inputs: MergeInput[] = []
  try {
    for (const [name, numbers] of moved) {
      const segment = openIndexSegment(files, `${folder}/${name}.idx`)
      if (!segment) throw missingFileError(`${folder}/${name}.idx`)
      inputs.push({ segment, newNumber: (doc) => numbers.get(doc) })
    }
    return mergeSegments([...inputs, { segment: addedIndex, newNumber: (doc) => addedDocs[doc] }])
  } finally {
    for (const { segment } of inputs) segment.close()
  }
}

const missingFileError = (file: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${file} is missing`, {
    hint: 'Run `memctl rebuild`, which writes the snapshot again from the log; nothing is lost.',
  })

export function segmentFromBuffer(bytes: Buffer): IndexSegment {
  const file: OpenFile = {
    size: bytes.length,
    readAt: (position, length) => bytes.subarray(position, position + length),
    close: () => {},
  }
  return segmentFromFile(file, 'a segment in memory')
}
