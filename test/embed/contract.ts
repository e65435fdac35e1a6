// What every embedder must hold to, whoever is behind it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder } from '../../src/model/ports.ts'

/** A text, one that says nearly the same, and one that has nothing to do with it. */
export type Meaning = readonly [text: string, near: string, far: string]

/** Pairs that share words: any embedder can tell these. */
export const SHARED_WORDS: readonly Meaning[] = [
  ['the tests fail in the parser', 'the parser tests failed again', 'rotate the signing key'],
  ['設定ファイルを読む', '設定ファイルの読み込み', '天気がとても良い'],
]

export const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

const TEXTS = [
  ...SHARED_WORDS.flat(),
  'src/store/disk/files.ts: ENOSPC',
  '日本語 と English の混ざった文',
  'a'.repeat(20_000),
]

export function embedderContract(
  name: string,
  make: () => Embedder | Promise<Embedder>,
  meanings = SHARED_WORDS,
): void {
  describe(`embed: ${name}`, () => {
    let embedder: Embedder
    beforeAll(async () => {
      embedder = await make()
    })
    afterAll(() => embedder?.close?.())

    test(`embed: ${name}: every vector has its dimensions and length 1`, async () => {
      const vectors = await embedder.embed(TEXTS)
      expect(vectors).toHaveLength(TEXTS.length)
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions)
        expect(cosine(vector, vector)).toBeCloseTo(1, 4)
      }
    })

    test(`embed: ${name}: the same text has the same vector, alone, again, among others and in any order`, async () => {
      const together = await embedder.embed(TEXTS)
      const backwards = await embedder.embed([...TEXTS].reverse())
      for (const [i, text] of TEXTS.entries()) {
        const [alone] = await embedder.embed([text])
        expect(cosine(alone!, together[i]!)).toBeCloseTo(1, 4)
        expect(cosine(alone!, backwards[TEXTS.length - 1 - i]!)).toBeCloseTo(1, 4)
      }
    })

    test(`embed: ${name}: a text without words is like nothing, and no texts give no vectors`, async () => {
      const [blank, words, empty] = await embedder.embed(['  \n', 'the parser', ''])
      expect(blank!.every((value) => value === 0)).toBe(true)
      expect(empty!.every((value) => value === 0)).toBe(true)
      expect(cosine(words!, words!)).toBeCloseTo(1, 4)
      expect(await embedder.embed([])).toEqual([])
    })

    test(`embed: ${name}: what means the same is nearer than what does not`, async () => {
      for (const [text, near, far] of meanings) {
        const [query] = await embedder.embed([text], 'query')
        const [like, unlike] = await embedder.embed([near, far], 'passage')
        expect(cosine(query!, like!), `${text} / ${near}`).toBeGreaterThan(cosine(query!, unlike!))
      }
    })

    test(`embed: ${name}: it says which model it is`, () => {
      expect(embedder.id).toMatch(/^[a-z]+[-:]\S+$/)
    })
  })
}
