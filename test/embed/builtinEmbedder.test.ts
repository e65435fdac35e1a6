// The built-in embedder, with hashed words alone and with what it has learnt.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBuiltinEmbedder, isBuiltinModel } from '../../src/embed/builtinEmbedder.ts'
import { trainWordVectors } from '../../src/embed/trainWordVectors.ts'
import { openWordVectors } from '../../src/embed/wordVectors.ts'
import { extractTerms } from '../../src/text/terms/extractTerms.ts'
import { cosine, embedderContract, SHARED_WORDS } from './contract.ts'

// Two subjects, each told in words of its own; "segfault" and "crash" never stand in one text.
const CRASH = ['native addon loader memory pointer', 'addon pointer stack native', 'memory loader stack addon']
const TAX = ['invoice tax rounding total', 'rounding invoice currency tax', 'total currency invoice rounding']
const TEXTS = [
  ...CRASH.map((words) => `crash in ${words}`),
  ...CRASH.map((words) => `segfault at ${words}`),
  ...TAX.map((words) => `wrong cents: ${words}`),
  '設定ファイルを読む処理を直した',
  '設定ファイルの場所を変えた',
  '天気予報の画面を作った',
]
const learnt = () => trainWordVectors(TEXTS.map(extractTerms))

embedderContract('builtin, hashed', () => createBuiltinEmbedder())
embedderContract('builtin, learnt', () => createBuiltinEmbedder(learnt()), [
  ...SHARED_WORDS,
  ['crash', 'segfault', 'cents'],
  ['invoice', 'currency', 'pointer'],
  ['segfault', 'the native addon', 'the invoice'],
])

describe('embed: learnt words', () => {
  test('embed: words of similar texts get similar vectors, unlike their index vectors', () => {
    const gap = (embed: (text: string) => Float32Array) =>
      cosine(embed('crash'), embed('segfault')) - cosine(embed('crash'), embed('cents'))
    const with_ = createBuiltinEmbedder(learnt())
    expect(gap((text) => with_.embed([text])[0]!)).toBeGreaterThan(0.3)
    const without = createBuiltinEmbedder()
    expect(Math.abs(gap((text) => without.embed([text])[0]!))).toBeLessThan(0.2)
  })

  test('embed: the same texts train the same bytes, and reopened bytes embed the same', () => {
    const word = fc.constantFrom('parser', 'token', 'tax', 'invoice', '設定', 'retry', 'lock', 'src/a.ts')
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 30 }), word, (texts, asked) => {
        const words = trainWordVectors(texts)
        const again = trainWordVectors(texts.map((text) => [...text]))
        expect(Buffer.from(again.bytes).equals(Buffer.from(words.bytes))).toBe(true)
        // From a place in a buffer that no number of four bytes may begin at.
        const shifted = new Uint8Array(words.bytes.length + 1)
        shifted.set(words.bytes, 1)
        const opened = openWordVectors(shifted.subarray(1))
        const [one] = createBuiltinEmbedder(words).embed([asked])
        const [other] = createBuiltinEmbedder(opened).embed([asked])
        expect(other).toEqual(one)
        expect(createBuiltinEmbedder(opened).id).toBe(createBuiltinEmbedder(words).id)
      }),
      { numRuns: 60 },
    )
  })

  test('embed: other trained words are another model', () => {
    const ids = [undefined, learnt(), trainWordVectors([['tax', 'rounding']])].map(
      (words) => createBuiltinEmbedder(words).id,
    )
    expect(new Set(ids).size).toBe(3)
    expect(ids.every(isBuiltinModel)).toBe(true)
    expect(isBuiltinModel('openai:text-embedding-3-small:1536')).toBe(false)
  })

  test('embed: any changed or lost byte is detected', () => {
    const { bytes } = learnt()
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Uint8Array.from(bytes)
        changed[at]! ^= by
        expect(() => openWordVectors(changed)).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }))
        expect(() => openWordVectors(bytes.subarray(0, at))).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }))
      }),
    )
  })

  test('embed: the bytes of trained words contain no text', () => {
    const { bytes } = trainWordVectors([['hunter2secretvalue', 'token'], ['hunter2secretvalue']])
    expect(Buffer.from(bytes).includes('hunter2')).toBe(false)
  })
})
