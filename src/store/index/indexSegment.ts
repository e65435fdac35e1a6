// Reads an index segment by positional reads: one for the header, one per term, one per term's postings.
import type { Files, OpenFile } from '../disk/files.ts'
import {
  computeSections,
  damagedIndexError,
  HEADER_BYTES,
  homeSlot,
  POSTING_BYTES,
  readHeader,
  SLOT_BYTES,
  SLOT_WORDS,
  segmentChecksum,
  type TermHash,
} from './segmentFormat.ts'

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
