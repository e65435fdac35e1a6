import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstLine, splitSentences, truncateMiddle } from '../../src/text/excerpt.ts'

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('a', ' ', '\n', '😀', '日', '。'), fc.string({ unit: 'grapheme', maxLength: 1 })),
  maxLength: 200,
})
const hasHalfPair = (one: string) => /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(one)

describe('excerpt', () => {
  test('text: a truncated text is bounded, keeps both ends, and truncating twice changes nothing', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 120 }), (whole, charsMax) => {
        const cut = truncateMiddle(whole, charsMax)
        expect(cut.length).toBeLessThanOrEqual(Math.max(charsMax, 0))
        expect(truncateMiddle(cut, charsMax)).toBe(cut)
        if (whole.length <= charsMax) expect(cut).toBe(whole)
      }),
    )
  })

  test('text: a truncated text says how many characters were cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 45, max: 120 }), (body, charsMax) => {
        const whole = `${body}${'x'.repeat(150)}${body}`
        const cut = truncateMiddle(whole, charsMax)
        const [, head, count, tail] = /^([\s\S]*)\n… (\d+) characters cut …\n([\s\S]*)$/.exec(cut)!
        expect(head!.length + Number(count) + tail!.length).toBe(whole.length)
        expect(whole.startsWith(head!) && whole.endsWith(tail!)).toBe(true)
      }),
    )
  })

  test('text: no cut leaves half a surrogate pair', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80 }), fc.nat(3), (charsMax, shift) => {
        const smiles = 'a'.repeat(shift) + '😀'.repeat(100)
        expect(hasHalfPair(truncateMiddle(smiles, charsMax))).toBe(false)
        expect(hasHalfPair(firstLine(smiles, charsMax))).toBe(false)
      }),
    )
  })

  test('text: the first line is the first that is not blank, with single spaces and bounded', () => {
    expect(firstLine('\n \t\n  one   two\tthree \nfour', 80)).toBe('one two three')
    expect(firstLine('abcdef', 4)).toBe('abc…')
    expect(firstLine(' \n', 4)).toBe('')
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 40 }), (whole, charsMax) => {
        const line = firstLine(whole, charsMax)
        expect(line.length).toBeLessThanOrEqual(charsMax)
        expect(line).not.toMatch(/\n|^ | {2}/)
      }),
    )
  })

  test('text: sentences end where English and Japanese sentences do, in lower case too', () => {
    expect(splitSentences('Fix it. Then run e.g. the tests, i.e. all! ok? version 2.1 is out.')).toEqual([
      'Fix it.',
      'Then run e.g. the tests, i.e. all!',
      'ok?',
      'version 2.1 is out.',
    ])
    expect(splitSentences('直して。次に「動かない。」と書く！はい')).toEqual([
      '直して。',
      '次に「動かない。」と書く！',
      'はい',
    ])
    expect(splitSentences('no. use src/a.ts. thanks')).toEqual(['no.', 'use src/a.ts.', 'thanks'])
  })

  test('text: lists give their items; code, tables and headings give no sentence', () => {
    expect(
      splitSentences('# Plan\n- first do a\n2. then b\n\n```ts\nlet x = 1. Or 2.\n```\n| a | b |\nlast one'),
    ).toEqual(['first do a', 'then b', 'last one'])
    expect(splitSentences('before\n```\nnever closed. Really.')).toEqual(['before'])
  })

  test('text: sentences contain all words of plain prose, in order', () => {
    const prose = fc.array(fc.stringMatching(/^[a-z]{1,8}[.!?,]?$/), { maxLength: 20 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(prose, (whole) => {
        expect(splitSentences(whole).join(' ')).toBe(whole)
      }),
    )
  })
})
