// Trained word vectors as bytes, used in place: nothing is unpacked, a word is found by binary search.
//
//   0 "MCW1"   4 CRC-32 of all that follows   8 texts trained on   12 words   16 mean text vector, 256 × f32
//   1040        hashes of the words, sorted: u32 high × words, then u32 low × words
//   …           inverse document frequency, f32 × words, then scale, f32 × words
//   …           vectors, 256 × i8 a word: a component is its byte × the word's scale
//
// Little-endian, as on all platforms of Node. One byte a component costs no measurable quality. The file contains no
// words, so that what was forgotten from the log cannot be read here.
import { inverseDocumentFrequency } from '../model/bm25.ts'
import { MemoryError } from '../model/memoryError.ts'
import { crc32 } from '../text/hash.ts'
import { addScaled, BUILTIN_DIMENSIONS, type WordHash } from './indexVector.ts'

const MAGIC = 0x3157_434d
const HEADER_BYTES = 16 + 4 * BUILTIN_DIMENSIONS

export interface WordVectors {
  /** Their name in a model id: the checksum of their bytes. */
  readonly name: string
  /** How many texts they were trained on. */
  readonly texts: number
  readonly words: number
  /** The mean text vector; subtracted from every text's vector. */
  readonly mean: Float32Array
  readonly bytes: Uint8Array
  /** The index of the word with this hash, or -1. */
  find(hash: WordHash): number
  /** The inverse document frequency of the word at an index; the greatest possible for an unknown word (-1). */
  rarity(index: number): number
  /** Adds `weight` × the vector of the word at an index to `sums`. */
  addTo(sums: Float32Array, index: number, weight: number): void
}

/** One trained word before it is packed. */
export interface WordVector {
  readonly hash: WordHash
  readonly rarity: number
  readonly vector: Float32Array
}

/** Packs words; the order of the words does not matter. Two words of the same hash (1 in 10 million) share a vector. */
export function packWordVectors(words: readonly WordVector[], texts: number, mean: Float32Array): WordVectors {
  const sorted = [...words].sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1])
  const buffer = new ArrayBuffer(HEADER_BYTES + sorted.length * (16 + BUILTIN_DIMENSIONS))
  const head = new Uint32Array(buffer, 0, 4)
  head.set([MAGIC, 0, texts, sorted.length])
  const sections = sectionsOf(buffer, sorted.length)
  sections.mean.set(mean)
  sorted.forEach(({ hash: [high, low], rarity, vector }, index) => {
    sections.high[index] = high
    sections.low[index] = low
    sections.rarity[index] = rarity
    const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
    sections.scale[index] = scale
    const from = index * BUILTIN_DIMENSIONS
    for (let i = 0; i < BUILTIN_DIMENSIONS; i++)
      sections.vectors[from + i] = scale > 0 ? Math.round((vector[i] ?? 0) / scale) : 0
  })
  head[1] = crc32(new Uint8Array(buffer, 8))
  return openWordVectors(new Uint8Array(buffer))
}

/** Trained words from their bytes. Throws STORE_INVALID for damaged bytes. */
export function openWordVectors(bytes: Uint8Array): WordVectors {
  // Typed arrays of four-byte numbers need an aligned offset.
  const isAligned = bytes.byteOffset % 4 === 0
  const buffer = isAligned ? bytes.buffer : Uint8Array.from(bytes).buffer
  const start = isAligned ? bytes.byteOffset : 0
  const header = bytes.length >= HEADER_BYTES ? new Uint32Array(buffer, start, 4) : []
  const [magic = 0, crc = 0, texts = 0, words = 0] = header
  const isIntact =
    magic === MAGIC &&
    bytes.length === HEADER_BYTES + words * (16 + BUILTIN_DIMENSIONS) &&
    crc === crc32(bytes.subarray(8))
  if (!isIntact) {
    throw new MemoryError('STORE_INVALID', 'the word vectors are damaged', {
      hint: 'Run `memctl rebuild`: it trains them again on the memories.',
    })
  }
  const { mean, high, low, rarity, scale, vectors } = sectionsOf(buffer, words, start)
  const unknownRarity = inverseDocumentFrequency(0, texts)
  return {
    name: crc.toString(16).padStart(8, '0'),
    texts,
    words,
    mean,
    bytes,
    find: (hash) => findHash(high, low, hash),
    rarity: (index) => rarity[index] ?? unknownRarity,
    addTo(sums, index, weight) {
      addScaled(sums, vectors, index * BUILTIN_DIMENSIONS, weight * (scale[index] ?? 0))
    },
  }
}

function sectionsOf(buffer: ArrayBufferLike, words: number, start = 0) {
  const from = start + HEADER_BYTES
  return {
    mean: new Float32Array(buffer, start + 16, BUILTIN_DIMENSIONS),
    high: new Uint32Array(buffer, from, words),
    low: new Uint32Array(buffer, from + 4 * words, words),
    rarity: new Float32Array(buffer, from + 8 * words, words),
    scale: new Float32Array(buffer, from + 12 * words, words),
    vectors: new Int8Array(buffer, from + 16 * words, words * BUILTIN_DIMENSIONS),
  }
}

function findHash(highs: Uint32Array, lows: Uint32Array, [wantedHigh, wantedLow]: WordHash): number {
  let from = 0
  let to = highs.length
  while (from < to) {
    const middle = (from + to) >>> 1
    const high = highs[middle] ?? 0
    if (high < wantedHigh || (high === wantedHigh && (lows[middle] ?? 0) < wantedLow)) from = middle + 1
    else to = middle
  }
  return highs[from] === wantedHigh && lows[from] === wantedLow ? from : -1
}
