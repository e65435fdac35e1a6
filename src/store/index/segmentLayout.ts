// Lays a segment's parts out as the bytes of its file. The same parts always give the same bytes.
import {
  computeSections,
  HEADER_BYTES,
  homeSlot,
  type SegmentHeader,
  SLOT_WORDS,
  segmentChecksum,
  writeHeader,
} from './segmentFormat.ts'

/** Terms in ascending order of their hash (`high`, then `low`); `frequency` is the number of postings of each. */
export interface TermColumns {
  readonly count: number
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly frequency: Uint32Array
}

interface SegmentParts {
  readonly norms: Uint8Array
  readonly lengthTotal: number
  readonly terms: TermColumns
  /** In the order of the terms. */
  readonly postings: Uint32Array
}

// Two thirds full: a read of the longest probe stays under a kilobyte, and an unknown term mostly meets a free slot at once.
const HOMES_PER_TERM = 1.5

export function encodeSegment(parts: SegmentParts): Buffer {
  const { norms, lengthTotal, terms, postings } = parts
  const homes = Math.ceil(terms.count * HOMES_PER_TERM)
  const { slots, probe } = placed(terms, homes, () => {})
  const shape = {
    documents: norms.length,
    lengthTotal,
    terms: terms.count,
    homes,
    slots,
    probe,
    postings: postings.length,
  }
  const at = computeSections(shape)
  const bytes = new ArrayBuffer(at.end)
  new Uint8Array(bytes, at.norms, norms.length).set(norms)
  writeTable(new Uint32Array(bytes, at.table, slots * SLOT_WORDS), terms, homes)
  new Uint32Array(bytes, at.postings, postings.length).set(postings)
  const header: SegmentHeader = { ...shape, bodyChecksum: segmentChecksum(new Uint32Array(bytes, HEADER_BYTES)) }
  writeHeader(new Uint32Array(bytes, 0, HEADER_BYTES / 4), header)
  return Buffer.from(bytes)
}

function writeTable(table: Uint32Array, terms: TermColumns, homes: number): void {
  let first = 0
  placed(terms, homes, (term, slot) => {
    const at = slot * SLOT_WORDS
    table[at] = terms.high[term]!
    table[at + 1] = terms.low[term]!
    table[at + 2] = terms.frequency[term]!
    table[at + 3] = first
    first += terms.frequency[term]!
  })
}

/** Gives every term its slot, in order: its home, or the first after the term before it. */
function placed(
  terms: TermColumns,
  homes: number,
  put: (term: number, slot: number) => void,
): { slots: number; probe: number } {
  let next = 0
  let probe = 0
  for (let term = 0; term < terms.count; term++) {
    const home = homeSlot(terms.high[term]!, homes)
    const slot = Math.max(home, next)
    put(term, slot)
    probe = Math.max(probe, slot - home + 1)
    next = slot + 1
  }
  return { slots: Math.max(homes, next), probe }
}
