// Hashes for ids and checksums, and random numbers from a seed. None of them is cryptographic.
import { type MemoryId, memoryIdFromBits } from '../model/id.ts'

/** FNV-1a (Fowler, Noll, Vo), 32 bits, over the text's UTF-16 units, low byte then high byte. Unsigned. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return hash >>> 0
}

/**
 * 64 bits as two unsigned words, high first. Two multiply-rotate lanes over the UTF-16 units with MurmurHash3's
 * finalizer (Appleby). The probability of a collision among 10 million terms is 1 in 370,000.
 */
export function hash64(text: string): readonly [number, number] {
  let a = 0x9e3779b9 ^ text.length
  let b = 0x85ebca6b ^ text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0xcc9e2d51)
    a = (a << 15) | (a >>> 17)
    b = Math.imul(b ^ unit, 0x1b873593)
    b = (b << 13) | (b >>> 19)
    b = (b + a) | 0
  }
  return [finalize(a ^ (b >>> 16)), finalize(b ^ Math.imul(a, 5))]
}

/** `hash64` as 16 hexadecimal digits: the form of an event's id. */
export function hashHex(text: string): string {
  const [high, low] = hash64(text)
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}

function finalize(word: number): number {
  let h = word
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

// Signed: the interpreter allocates a heap number for every unsigned word over 2^31.
let crcTable: Int32Array | undefined

/** CRC-32 as in IEEE 802.3 and zlib, unsigned; of some bytes after those whose CRC-32 is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  crcTable ??= makeCrcTable()
  let crc = ~before
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[i]!) & 0xff]!
  return ~crc >>> 0
}

function makeCrcTable(): Int32Array {
  const table = new Int32Array(256)
  for (let n = 0; n < 256; n++) {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    table[n] = c
  }
  return table
}

/** Mulberry32 (public domain, by Tommy Ettinger): numbers from 0 up to, not including, 1. */
export function createRandomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What a request to a model calls an open task of a session's summary: the same in every request. */
export const openTaskKey = (summary: MemoryId, task: string): string =>
  `o${hashHex([summary, task].join('\0')).slice(0, 5)}`

export function entryMemoryId(layer: string, session: string | undefined, key: string): MemoryId {
  const name = ['entry', layer, session ?? '', key].join('\0')
  return memoryIdFromBits([...hash64(name), ...hash64(`${name}\0memory`)])
}
