// How a segment lies on disk: one immutable file, little endian, every section aligned for a typed array over it.
//
//   ┌────────┬───────────────────┬─────────────────────────┬──────────────────────────┐
//   │ header │ norms             │ term table              │ postings                 │
//   │ 64 B   │ 1 B a document    │ 16 B a slot             │ 4 B each                 │
//   │        │ padded to 16 B    │ hash, hash, df, where   │ count 8 bit │ doc 24 bit │
//   └────────┴───────────────────┴─────────────────────────┴──────────────────────────┘
//
// The table holds terms in the order of their 64-bit hash, each in the first free slot from its home on (the hash scaled
// to the table), so a term lies within `probe` slots of home and ONE small read finds it or its absence; a merge
// walks tables in step. Postings follow in the same order, a term's documents ascending.
import { MemoryError } from '../../model/memoryError.ts'

// No term is stored as text. Two terms of one hash would be taken for one another: a false match among a million
// terms has a chance of 3 in 10^8, and costs one wrong candidate, which ranking sees through.
//
// For every version to come: 64 bytes of header, magic first, then version, the checksum last. So a newer file is told from a damaged one.

/** Document numbers take 24 bits of a posting. */
export const DOCUMENTS_MAX = 2 ** 24
/** The part of a posting that is the document; the count stands above it. */
export const DOCUMENT_MASK = DOCUMENTS_MAX - 1
/** Counts take 8 bits: BM25 is all but flat long before this. */
export const COUNT_MAX = 255
export const COUNT_SHIFT = 24

export const HEADER_BYTES = 64
export const SLOT_BYTES = 16
export const SLOT_WORDS = 4
export const POSTING_BYTES = 4

const MAGIC = 0x7864_636d // "mcdx" in the file; on a machine of the other byte order the file reads as damaged, and is rebuilt.
const VERSION = 1
const CHECKSUM_WORD = 15

/** `words[i]` for an index in range. For writers only: the interpreter that hooks run in inlines no calls. */
export const wordAt = (words: Uint32Array, i: number): number => words[i] as number

/** What the header says. Where the sections begin follows from it. */
export interface SegmentHeader {
  readonly documents: number
  /** Sum of the documents' lengths as their norms keep them. */
  readonly lengthTotal: number
  readonly terms: number
  /** Slots that can be a term's home; the table has `slots` of them, some more where the last terms overflow. */
  readonly homes: number
  readonly slots: number
  /** A term lies in one of this many slots from its home on. */
  readonly probe: number
  readonly postings: number
  /** Over everything after the header. Costly, so only a merge asks: it must not give damage a good checksum. */
  readonly bodyChecksum: number
}

/** Byte offsets of the sections, and of the file's end. */
export interface SegmentSections {
  readonly norms: number
  readonly table: number
  readonly postings: number
  readonly end: number
}

export function computeSections(header: Omit<SegmentHeader, 'bodyChecksum'>): SegmentSections {
  const table = HEADER_BYTES + Math.ceil(header.documents / 16) * 16
  const postings = table + header.slots * SLOT_BYTES
  return { norms: HEADER_BYTES, table, postings, end: postings + header.postings * POSTING_BYTES }
}

/** The slot where the search for a hash begins. Ascends with the hash. */
export function homeSlot(high: number, homes: number): number {
  return Math.floor((high * homes) / 2 ** 32)
}

export function writeHeader(words: Uint32Array, header: SegmentHeader): void {
  words[0] = MAGIC
  words[1] = VERSION
  words[2] = header.documents
  words[3] = header.lengthTotal % 2 ** 32
  words[4] = Math.floor(header.lengthTotal / 2 ** 32)
  words[5] = header.terms
  words[6] = header.homes
  words[7] = header.slots
  words[8] = header.probe
  words[9] = header.postings
  words[10] = header.bodyChecksum
  words[CHECKSUM_WORD] = segmentChecksum(words.subarray(0, CHECKSUM_WORD))
}

/** The header of a file of `size` bytes. Throws STORE_INVALID for a damaged or cut one, STORE_NEWER for a later format. */
export function readHeader(words: Uint32Array, size: number, file: string): SegmentHeader {
  if (words.length * 4 !== HEADER_BYTES || words[0] !== MAGIC) throw damagedIndexError(file, 'does not begin as one')
  if (words[CHECKSUM_WORD] !== segmentChecksum(words.subarray(0, CHECKSUM_WORD)))
    throw damagedIndexError(file, 'has a damaged header')
  const version = words[1]!
  if (version > VERSION) {
    throw new MemoryError('STORE_NEWER', `${file} has index format ${version}, this memctl reads ${VERSION}`, {
      hint: 'Update memctl, or run `memctl rebuild` to write the index anew from the log.',
    })
  }
  if (version < VERSION) throw damagedIndexError(file, `has the old format ${version}`)
  const header = {
    documents: words[2]!,
    lengthTotal: words[3]! + words[4]! * 2 ** 32,
    terms: words[5]!,
    homes: words[6]!,
    slots: words[7]!,
    probe: words[8]!,
    postings: words[9]!,
    bodyChecksum: words[10]!,
  }
  const { end } = computeSections(header)
  if (end !== size) throw damagedIndexError(file, `has ${size} bytes instead of ${end}`)
  return header
}

/**
 * FNV-1a over 32-bit words (Fowler, Noll, Vo; draft-eastlake-fnv). Each step is a bijection of the state, so damage
 * within one word is always seen; other damage but for a chance of 2^-32.
 */
export function segmentChecksum(words: Uint32Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193)
  return hash >>> 0
}

/** The error for an index file that cannot be trusted. */
export function damagedIndexError(file: string, what: string): MemoryError {
  return new MemoryError('STORE_INVALID', `Index file ${file} ${what}`, {
    hint: 'Run `memctl rebuild`: the index is written anew from the log, nothing is lost.',
  })
}
