// Learnt words as bytes, used in place: nothing is unpacked, a word is found by halving.
//
//   0 "MCW1"   4 CRC-32 of all that follows   8 texts learnt from   12 words   16 mean text vector, 256 × f32
//   1040        words' hashes, sorted: u32 high × words, then u32 low × words
//   …           inverse frequency, f32 × words, then scale, f32 × words
//   …           vectors, 256 × i8 a word: a component is its byte × the word's scale
//
// Little-endian, as every machine Node runs on. A byte a component costs no quality that could be measured, and a word no text:
// what was forgotten from the log cannot be read here.
import { MemoryError } from '../model/memoryError.ts'
import { crc32 } from '../text/hash.ts'
import { BUILTIN_DIMENSIONS } from './indexVector.ts'

const MAGIC = 0x3157_434d
const HEADER_BYTES = 16 + 4 * BUILTIN_DIMENSIONS

export interface WordVectors {
  /** What they are called in a model id: the same words have the same name. */
  readonly name: string
  /** How many texts they were learnt from. */
  readonly texts: number
  readonly words: number
  /** What all texts share; taken off every text's vector. */
  readonly mean: Float32Array
  readonly bytes: Uint8Array
  /** The place of the word with this hash, or -1. */
  find(hash: readonly [number, number]): number
  /** ln of how rare the word at a place is; for an unknown word (-1) as rare as can be. */
  rarity(place: number): number
  /** Adds `weight` × the vector of the word at a place to `sums`. */
  addTo(sums: Float32Array, place: number, weight: number): void
}

/** One word as learnt, before it is packed. */
export interface WordVector {
  readonly hash: readonly [number, number]
  readonly rarity: number
  readonly vector: Float32Array
}

/** ln of how rare a word met in `met` of `texts` texts is (Robertson and Spärck Jones, as BM25 has it); above zero. */
export const computeInverseFrequency = (met: number, texts: number): number =>
  Math.log(1 + (texts - met + 0.5) / (met + 0.5))

/** Packs words; any order gives the same bytes. Two of one hash would be one in ten million: the first found serves both. */
export function packWordVectors(words: readonly WordVector[], texts: number, mean: Float32Array): WordVectors {
  const sorted = [...words].sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1])
  const buffer = new ArrayBuffer(HEADER_BYTES + sorted.length * (16 + BUILTIN_DIMENSIONS))
  const head = new Uint32Array(buffer, 0, 4)
  head.set([MAGIC, 0, texts, sorted.length])
  const parts = partsOf(buffer, sorted.length)
  parts.mean.set(mean)
  sorted.forEach(({ hash, rarity, vector }, place) => {
    parts.high[place] = hash[0]
    parts.low[place] = hash[1]
    parts.rarity[place] = rarity
    const scale = greatest(vector) / 127
    parts.scale[place] = scale
    for (let i = 0; i < BUILTIN_DIMENSIONS; i++)
      parts.vectors[place * BUILTIN_DIMENSIONS + i] = scale > 0 ? Math.round(vector[i]! / scale) : 0
  })
  head[1] = crc32(new Uint8Array(buffer, 8))
  return openWordVectors(new Uint8Array(buffer))
}

/** Learnt words from their bytes. Throws STORE_INVALID for bytes that are not whole. */
export function openWordVectors(bytes: Uint8Array): WordVectors {
  // Copied where they do not start at the beginning of a buffer: numbers of four bytes must lie at multiples of four.
  const buffer = bytes.byteOffset % 4 === 0 ? bytes.buffer : Uint8Array.from(bytes).buffer
  const start = bytes.byteOffset % 4 === 0 ? bytes.byteOffset : 0
  const [magic, crc, texts, words] = bytes.length >= HEADER_BYTES ? new Uint32Array(buffer, start, 4) : []
  const whole =
    magic === MAGIC &&
    bytes.length === HEADER_BYTES + words! * (16 + BUILTIN_DIMENSIONS) &&
    crc === crc32(bytes.subarray(8))
  if (!whole) {
    throw new MemoryError('STORE_INVALID', 'the learnt words are not whole', {
      hint: 'Run `memctl rebuild`: they are learnt anew from the memories.',
    })
  }
  const parts = partsOf(buffer, words!, start)
  const unknown = computeInverseFrequency(0, texts!)
  return {
    name: crc!.toString(16).padStart(8, '0'),
    texts: texts!,
    words: words!,
    mean: parts.mean,
    bytes,
    find: (hash) => placeOf(parts.high, parts.low, hash),
    rarity: (place) => (place < 0 ? unknown : parts.rarity[place]!),
    addTo(sums, place, weight) {
      const scale = weight * parts.scale[place]!
      const from = place * BUILTIN_DIMENSIONS
      for (let i = 0; i < BUILTIN_DIMENSIONS; i++) sums[i]! += scale * parts.vectors[from + i]!
    },
  }
}

function partsOf(buffer: ArrayBufferLike, words: number, start = 0) {
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

function placeOf(high: Uint32Array, low: Uint32Array, [wantedHigh, wantedLow]: readonly [number, number]): number {
  let from = 0
  let to = high.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (high[middle]! < wantedHigh || (high[middle] === wantedHigh && low[middle]! < wantedLow)) from = middle + 1
    else to = middle
  }
  return high[from] === wantedHigh && low[from] === wantedLow ? from : -1
}

const greatest = (vector: Float32Array): number => vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
