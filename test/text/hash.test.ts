import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32, hash32, hash64 } from '../../src/text/hash.ts'

describe('hash', () => {
  test('text: hash32 is FNV-1a over the bytes of UTF-16, low byte first', () => {
    // The reference in big integers, as the authors write it.
    const reference = (text: string) =>
      Number(
        Buffer.from(text, 'utf16le').reduce(
          (hash, byte) => ((hash ^ BigInt(byte)) * 16777619n) & 0xffffffffn,
          2166136261n,
        ),
      )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        expect(hash32(text)).toBe(reference(text))
      }),
    )
  })

  test('text: crc32 is that of IEEE 802.3', () => {
    expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926)
    expect(crc32(new Uint8Array())).toBe(0)
    expect(crc32(Buffer.from('The quick brown fox jumps over the lazy dog'))).toBe(0x414fa339)
  })

  test('text: crc32 notices every flipped bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.nat(511), (bytes, at) => {
        const flipped = Uint8Array.from(bytes)
        const bit = at % (bytes.length * 8)
        flipped[bit >> 3]! ^= 1 << (bit & 7)
        expect(crc32(flipped)).not.toBe(crc32(bytes))
      }),
    )
  })

  test('text: hashPair gives a hundred thousand similar names different values, and fills both halves evenly', () => {
    const seen = new Set<string>()
    const high = new Uint32Array(16)
    const low = new Uint32Array(16)
    for (let i = 0; i < 100_000; i++) {
      const [a, b] = hash64(`src/file${i % 1000}/part${Math.floor(i / 1000)}.ts`)
      seen.add(`${a}:${b}`)
      high[a >>> 28]!++
      low[b & 15]!++
    }
    expect(seen.size).toBe(100_000)
    // 6250 expected in each of 16; 400 is five times the standard deviation of chance.
    for (const count of [...high, ...low]) expect(Math.abs(count - 6250)).toBeLessThan(400)
  })

  test('text: hashes are unsigned words of 32 bits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of [hash32(text), ...hash64(text)]) expect(word).toBe(word >>> 0)
      }),
    )
  })

  test('text: a hash on disk stays what it was', () => {
    expect(hash32('memory')).toBe(HASH32_OF_MEMORY)
    expect(hash64('memory')).toEqual(PAIR_OF_MEMORY)
  })
})

// Index files hold these: another value would be another format.
const HASH32_OF_MEMORY = 3180796668
const PAIR_OF_MEMORY = [3007245376, 1165334868]
