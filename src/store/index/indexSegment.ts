// An index segment: one immutable file, little endian, sections aligned for typed arrays. It is read by positional
// reads: one for the header, one per term, one per term's postings.
//
//   ┌────────┬───────────────────┬─────────────────────────┬──────────────────────────┐
//   │ header │ norms             │ term table              │ postings                 │
//   │ 64 B   │ 1 B per document  │ 16 B per slot           │ 4 B each                 │
//   │        │ padded to 16 B    │ hash, hash, df, first   │ count 8 bit │ doc 24 bit │
//   └────────┴───────────────────┴─────────────────────────┴──────────────────────────┘
//
// The table is ordered by 64-bit hash. Each term is in the first free slot from its home slot on (its hash scaled to
// the table), so one small read of `probe` slots finds it or its absence, and merges go through tables in parallel.
// Postings have the same order, within a term ascending by document.

import { MemoryError } from '../../model/memoryError.ts'
import type { Files, OpenFile } from '../disk/files.ts'

// Terms are not stored as text. Of two with the same hash one is found: among a million terms the chance of a false
// match is 3 in 10^8, and it costs one wrong candidate, which ranking puts last.
//
// Every future version has 64 bytes of header: magic first, then version, checksum last. So a newer file is not
// mistaken for a damaged one.

/** Document numbers take 24 bits of a posting. */
export const DOCUMENTS_MAX = 2 ** 24
/** The bits of a posting with the document; the count is above them. */
export const DOCUMENT_MASK = DOCUMENTS_MAX - 1
/** Counts take 8 bits: BM25 hardly grows beyond this. */
export const COUNT_MAX = 255
export const COUNT_SHIFT = 24

const HEADER_BYTES = 64
const SLOT_BYTES = 16
export const SLOT_WORDS = 4
const POSTING_BYTES = 4

const MAGIC = 0x7864_636d // "mcdx". On a big-endian machine the file counts as damaged and is rebuilt.
const VERSION = 1
const CHECKSUM_WORD = 15

/** `words[i]` for an index in range. For writers only: the interpreter that hooks run in inlines no calls. */
export const wordAt = (words: Uint32Array, i: number): number => words[i] as number

/** The header. The positions of the sections follow from it. */
interface SegmentHeader {
  readonly documents: number
  /** Sum of the documents' lengths, as decoded from their norms. */
  readonly lengthTotal: number
  readonly terms: number
  /** Number of home slots. The table has `slots`: some more if the last terms overflow. */
  readonly homes: number
  readonly slots: number
  /** A term is in one of this many slots from its home slot on. */
  readonly probe: number
  readonly postings: number
  /** Over everything after the header. Only merges verify it, so as not to give damaged data a valid checksum. */
  readonly bodyChecksum: number
}

function computeSections(header: Omit<SegmentHeader, 'bodyChecksum'>) {
  const table = HEADER_BYTES + Math.ceil(header.documents / 16) * 16
  const postings = table + header.slots * SLOT_BYTES
  return { norms: HEADER_BYTES, table, postings, end: postings + header.postings * POSTING_BYTES }
}

/** The slot where the search for a hash begins. Grows with the hash. */
const homeSlot = (high: number, homes: number): number => Math.floor((high * homes) / 2 ** 32)

function writeHeader(words: Uint32Array, header: SegmentHeader): void {
  const { documents, lengthTotal, terms, homes, slots, probe, postings, bodyChecksum } = header
  words.set([MAGIC, VERSION, documents, lengthTotal % 2 ** 32, Math.floor(lengthTotal / 2 ** 32)])
  words.set([terms, homes, slots, probe, postings, bodyChecksum], 5)
  words[CHECKSUM_WORD] = segmentChecksum(words.subarray(0, CHECKSUM_WORD))
}

/** The header of a file of `size` bytes. Throws STORE_INVALID for a damaged file, STORE_NEWER for a later format. */
function readHeader(words: Uint32Array, size: number, file: string): SegmentHeader {
  if (words.length * 4 !== HEADER_BYTES || words[0] !== MAGIC) throw damagedIndexError(file, 'has no index header')
  if (words[CHECKSUM_WORD] !== segmentChecksum(words.subarray(0, CHECKSUM_WORD)))
    throw damagedIndexError(file, 'has a damaged header')
  const [, version = 0, documents = 0, lengthLow = 0, lengthHigh = 0] = words
  const [terms = 0, homes = 0, slots = 0, probe = 0, postings = 0, bodyChecksum = 0] = words.subarray(5)
  if (version > VERSION) {
    throw new MemoryError('STORE_NEWER', `${file} has index format ${version}, this memctl reads ${VERSION}`, {
      hint: 'Update memctl, or run `memctl rebuild` to write the index again from the log.',
    })
  }
  if (version < VERSION) throw damagedIndexError(file, `has the old format ${version}`)
  const lengthTotal = lengthLow + lengthHigh * 2 ** 32
  const header = { documents, lengthTotal, terms, homes, slots, probe, postings, bodyChecksum }
  const { end } = computeSections(header)
  if (end !== size) throw damagedIndexError(file, `has ${size} bytes instead of ${end}`)
  return header
}

/**
 * FNV-1a over 32-bit words (Fowler, Noll, Vo; draft-eastlake-fnv). Each step is a bijection of the state, so a change
 * in one word is always detected, any other change with a probability of 1 - 2^-32.
 */
function segmentChecksum(words: Uint32Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ wordAt(words, i), 0x01000193)
  return hash >>> 0
}

const damagedIndexError = (file: string, what: string): MemoryError =>
  new MemoryError('STORE_INVALID', `Index file ${file} ${what}`, {
    hint: 'Run `memctl rebuild`, which writes the index again from the log; nothing is lost.',
  })

// A document's length takes one byte, on a logarithmic scale: BM25 needs short and long, not 812 and 815. With 16 steps
// per doubling the last code is 62,756, more than any memory's content has.
const STEPS_PER_DOUBLING = 16

// The steps within one doubling. Longer lengths are these times a power of two: computing 256 powers would cost a
// search of a new process 0.1 ms.
const STEPS = Array.from({ length: STEPS_PER_DOUBLING }, (_, step) => 2 ** (step / STEPS_PER_DOUBLING))

/**
 * The byte for a length, a whole number from 0 on. Lengths up to 28 are exact, longer ones within 3.5 % (2.6 % from
 * 100 on). Longer than 62,756 counts as that.
 */
export const encodeLength = (length: number): number =>
  Math.min(255, Math.round(STEPS_PER_DOUBLING * Math.log2(1 + length)))

/** The length of a byte: a whole number, so that a sum of lengths does not depend on their order. */
export const decodeLength = (norm: number): number => Math.round(STEPS[norm & 15]! * (1 << (norm >> 4))) - 1

/** The code of the greatest length. No memory is as long; expansions (buildExpansions.ts) have it. */
export const LONGEST_NORM = 255

/** A term's 64-bit hash. */
export type TermHash = readonly [high: number, low: number]

export type TermPostings<List = Uint32Array> = Readonly<{ hash: TermHash; postings: List }>

/** Terms in ascending order of their hashes. As objects those of a large store take more memory than its segment. */
export interface TermLists {
  /** Two words for each term. */
  readonly hashes: Uint32Array
  /** How many of `postings` each term has. */
  readonly counts: Uint32Array
  readonly postings: Uint32Array
}

/** These terms, which are in ascending order, as lists. */
export function listTerms(terms: readonly TermPostings<ArrayLike<number>>[]): TermLists {
  const counts = Uint32Array.from(terms, ({ postings }) => postings.length)
  const all = new Uint32Array(counts.reduce((sum, count) => sum + count, 0))
  const hashes = new Uint32Array(2 * terms.length)
  let end = 0
  for (const [i, { hash, postings }] of terms.entries()) {
    hashes.set(hash, 2 * i)
    all.set(postings, end)
    end += postings.length
  }
  return { hashes, counts, postings: all }
}

/** Sorts in place. Numbers with the document in the upper bits are sorted without a comparing function. */
export function sortByDocument(postings: Uint32Array): Uint32Array {
  let sorted = 1
  const documentAt = (i: number): number => wordAt(postings, i) & DOCUMENT_MASK
  while (sorted < postings.length && documentAt(sorted) >= documentAt(sorted - 1)) sorted++
  if (sorted >= postings.length) return postings
  const rotate = (bits: number): void => {
    for (let i = 0; i < postings.length; i++) {
      const word = wordAt(postings, i)
      postings[i] = (word << bits) | (word >>> (32 - bits))
    }
  }
  rotate(32 - COUNT_SHIFT)
  postings.sort()
  rotate(COUNT_SHIFT)
  return postings
}

// Two thirds full: the longest probe is less than 1 KB, and for an unknown term the first slot is mostly free.
const HOMES_PER_TERM = 1.5

/** The bytes of a segment over terms in ascending order of their hashes. The same terms always give the same bytes. */
export function encodeSegment(norms: Uint8Array, { hashes, counts, postings }: TermLists): Buffer {
  const homes = Math.ceil(counts.length * HOMES_PER_TERM)
  const slotOfTerm = new Uint32Array(counts.length)
  let slots = 0
  let probe = 0
  // Each is in its home slot, or in the one after the previous term.
  for (let i = 0; i < counts.length; i++) {
    const home = homeSlot(wordAt(hashes, 2 * i), homes)
    const slot = Math.max(home, slots)
    slotOfTerm[i] = slot
    probe = Math.max(probe, slot - home + 1)
    slots = slot + 1
  }
  const shape = {
    documents: norms.length,
    lengthTotal: norms.reduce((sum, norm) => sum + decodeLength(norm), 0),
    terms: counts.length,
    homes,
    slots: Math.max(homes, slots),
    probe,
    postings: postings.length,
  }
  const at = computeSections(shape)
  const bytes = new ArrayBuffer(at.end)
  new Uint8Array(bytes, at.norms, norms.length).set(norms)
  const table = new Uint32Array(bytes, at.table, shape.slots * SLOT_WORDS)
  new Uint32Array(bytes, at.postings, shape.postings).set(postings)
  let first = 0
  for (let i = 0; i < counts.length; i++) {
    const slot = wordAt(slotOfTerm, i) * SLOT_WORDS
    table[slot] = wordAt(hashes, 2 * i)
    table[slot + 1] = wordAt(hashes, 2 * i + 1)
    table[slot + 2] = wordAt(counts, i)
    table[slot + 3] = first
    first += wordAt(counts, i)
  }
  const header: SegmentHeader = { ...shape, bodyChecksum: segmentChecksum(new Uint32Array(bytes, HEADER_BYTES)) }
  writeHeader(new Uint32Array(bytes, 0, HEADER_BYTES / 4), header)
  return Buffer.from(bytes)
}

// Up to this size one read of the whole file is faster than one for each of forty terms.
const RESIDENT_BYTES_MAX = 524_288

/** A term that this segment has. Only valid for `postings` of the same segment. */
export interface TermHit {
  /** How many of the segment's documents have the term, at least 1. */
  readonly df: number
  /** Index of the term's first posting in the postings section. */
  readonly first: number
}

export interface IndexSegment {
  /** What queries mean beside what they say, over the same documents: buildExpansions.ts. */
  readonly expansions?: IndexSegment | undefined
  readonly documents: number
  /** Sum of the documents' lengths, as decoded from `norms`. */
  readonly lengthTotal: number
  /** One byte per document; `decodeLength` gives the length. Read once, then cached. */
  norms(): Uint8Array
  /** For each term, by its `hash64`, its entry in the segment; undefined if there is none. Reads no postings. */
  findTerms(hashes: readonly TermHash[]): readonly (TermHit | undefined)[]
  /** Document in the low 24 bits, count (1 to 255) in the high 8; ascending. */
  postings(hit: TermHit): Uint32Array
  /** Reads everything and verifies the checksum. A slot of the table: hash high, hash low, df (0: free), first posting. */
  readAll(): { readonly table: Uint32Array; readonly postings: Uint32Array }
  close(): void
}

/**
 * Opens a segment; undefined if there is no file.
 *
 * Throws STORE_INVALID for a damaged or truncated file, STORE_NEWER for a later format. Damage after the header is
 * detected by `readAll`. Until then it can give wrong postings or STORE_INVALID, nothing worse.
 */
export function openIndexSegment(files: Pick<Files, 'open'>, path: string): IndexSegment | undefined {
  const file = files.open(path)
  if (!file) return undefined
  try {
    return segmentFromFile(file, path)
  } catch (error) {
    file.close()
    throw error
  }
}

/**
 * A segment with its expansions, which are left out if their file is missing, damaged or of other documents: a search
 * then finds what it finds without them. `close` closes both.
 */
export function openExpandedSegment(
  files: Pick<Files, 'open'>,
  path: string,
  expansionsPath: string | undefined,
): IndexSegment | undefined {
  const segment = openIndexSegment(files, path)
  const expansions = segment && expansionsPath ? openIfIntact(files, expansionsPath) : undefined
  if (!segment || !expansions) return segment
  if (expansions.documents !== segment.documents) {
    expansions.close()
    return segment
  }
  return {
    ...segment,
    expansions,
    close() {
      segment.close()
      expansions.close()
    },
  }
}

function openIfIntact(files: Pick<Files, 'open'>, path: string): IndexSegment | undefined {
  try {
    return openIndexSegment(files, path)
  } catch {
    return undefined // The next save writes it again.
  }
}

/** A segment in an open file, which `close` closes. `path` is for messages. */
export function segmentFromFile(file: OpenFile, path: string): IndexSegment {
  const resident = file.size <= RESIDENT_BYTES_MAX ? file.readAt(0, file.size) : undefined
  const read = (position: number, length: number): Buffer => {
    const bytes = resident ? resident.subarray(position, position + length) : file.readAt(position, length)
    if (bytes.length < length) throw damagedIndexError(path, 'is truncated')
    return bytes
  }
  const header = readHeader(wordsOf(read(0, Math.min(HEADER_BYTES, file.size))), file.size, path)
  const at = computeSections(header)
  let norms: Uint8Array | undefined

  /** Reads the slots that a term can be in. A free slot or a greater hash ends the search. */
  function lookUp([high, low]: TermHash): TermHit | undefined {
    const home = homeSlot(high, header.homes)
    const slots = Math.min(header.probe, header.slots - home)
    const words = wordsOf(read(at.table + home * SLOT_BYTES, slots * SLOT_BYTES))
    for (let i = 0; i < words.length; i += SLOT_WORDS) {
      const df = words[i + 2] ?? 0
      const slotHigh = words[i] ?? 0
      if (df === 0 || slotHigh > high) return undefined
      if (slotHigh === high && words[i + 1] === low) return { df, first: words[i + 3] ?? 0 }
    }
    return undefined
  }

  return {
    documents: header.documents,
    lengthTotal: header.lengthTotal,

    norms() {
      norms ??= read(at.norms, header.documents)
      return norms
    },

    findTerms(hashes) {
      const hits: (TermHit | undefined)[] = []
      for (let i = 0; i < hashes.length; i++) {
        const hit = header.terms === 0 ? undefined : lookUp(hashes[i]!)
        if (hit && (hit.df > header.documents || hit.first + hit.df > header.postings)) {
          throw damagedIndexError(path, 'has a damaged term table')
        }
        hits.push(hit)
      }
      return hits
    },

    postings: ({ first, df }) => wordsOf(read(at.postings + first * POSTING_BYTES, df * POSTING_BYTES)),

    readAll() {
      const body = wordsOf(read(HEADER_BYTES, at.end - HEADER_BYTES))
      if (segmentChecksum(body) !== header.bodyChecksum) throw damagedIndexError(path, 'has a wrong checksum')
      return {
        table: body.subarray((at.table - HEADER_BYTES) / 4, (at.postings - HEADER_BYTES) / 4),
        postings: body.subarray((at.postings - HEADER_BYTES) / 4),
      }
    },

    close: () => file.close(),
  }
}

/** The bytes as 32-bit words, without a copy if they are aligned. */
function wordsOf(bytes: Buffer): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2)
}
