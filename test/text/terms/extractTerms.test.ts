import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractQueryTerms, extractTerms } from '../../../src/text/terms/extractTerms.ts'

const terms = (text: string): string => extractTerms(text).join(' ')

/** Pieces of which real texts are made, so that generated ones reach every branch. */
const piece = fc.constantFrom(
  ...[
    'fix',
    'the',
    'tests',
    'Running',
    'parseHTTPServer2',
    'snake_case_name',
    'kebab-case',
    'src/text/terms/extractTerms.ts',
    '--dry-run',
  ],
  ...[
    'v2.1.197',
    '12',
    'café',
    'ＡＢＣ',
    'ｶﾀｶﾅ',
    '日本語で答えて',
    '設定',
    '한국어',
    'สวัสดี',
    'привет',
    'שלום',
    'C++',
    '$HOME',
    '@user',
    '___',
  ],
)
const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(piece, { maxLength: 12 }).map((all) => all.join(' ')),
)

describe('words', () => {
  test('text: English words are stemmed, in order and with repetitions, without stop words', () => {
    expect(terms('The tests are failing, and the test failed again')).toBe('test fail test fail')
  })

  test('text: an identifier gives the whole and its parts', () => {
    expect(terms('parseHTTPServer2')).toBe('parsehttpserver2 pars http server 2')
    expect(terms('snake_case_name')).toBe('snake_case_name snake case name')
    expect(terms('kebab-case')).toBe('kebab-case kebab case')
    expect(terms('config.maxTokens')).toBe('config.maxtokens config max token')
  })

  test('text: a path gives the whole, its file name and its segments', () => {
    expect(terms('src/text/words.ts')).toBe('src/text/words.ts words.ts src text word ts')
  })

  test('text: versions and flags stay whole, without the punctuation of a sentence', () => {
    expect(terms('2.1.197.')).toBe('2.1.197')
    expect(terms('(v1.0.0-rc.1)')).toBe('v1.0.0-rc.1')
    expect(terms('pass --dry-run: now')).toBe('pass --dry-run dry run')
    expect(terms('C++ and C#')).toBe('c++')
  })

  test('text: Japanese, Chinese and Korean are singles and pairs; single hiragana are grammar', () => {
    expect(terms('設定を直す')).toBe('設 設定 定 定を を直 直 直す')
    expect(terms('ｶﾅ')).toBe(terms('カナ'))
    expect(terms('한국')).toBe('한 한국 국')
  })

  test('text: a Japanese day, month or year is a term of its own', () => {
    expect(extractTerms('2023年5月7日')).toEqual(expect.arrayContaining(['2023年', '5月', '7日']))
  })

  test('text: every script with letters gives terms', () => {
    for (const word of ['привет', 'γειά', 'שלום', 'مرحبا', 'नमस्ते', 'สวัสดี', 'þórr'])
      expect(extractTerms(word)).not.toEqual([])
  })

  test('text: terms are the same however the text was composed and however wide it was typed', () => {
    fc.assert(
      fc.property(line, (text) => {
        expect(extractTerms(text.normalize('NFKC'))).toEqual(extractTerms(text))
        expect(extractTerms(text.normalize('NFD').normalize('NFC'))).toEqual(extractTerms(text.normalize('NFC')))
      }),
    )
  })

  test('text: terms of plain words do not depend on case', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/)), (words) => {
        const capital = words.map((word) => word[0]!.toUpperCase() + word.slice(1))
        expect(extractTerms(capital.join(' '))).toEqual(extractTerms(words.join(' ')))
        expect(extractTerms(words.join(' ').toUpperCase())).toEqual(extractTerms(words.join(' ')))
      }),
    )
  })

  test('text: the terms of two concatenated texts are the terms of both', () => {
    fc.assert(
      fc.property(line, line, (a, b) => {
        expect(extractTerms(`${a}\n${b}`)).toEqual([...extractTerms(a), ...extractTerms(b)])
      }),
    )
  })

  test('text: a term is never empty, has no white space, and is itself in lower case', () => {
    fc.assert(
      fc.property(line, (text) => {
        for (const term of extractTerms(text)) expect(term).toMatch(/^\S+$/)
        for (const term of extractTerms(text)) expect(term).toBe(term.toLowerCase())
      }),
    )
  })

  test('text: a long run of data gives no long term', () => {
    const blob = 'QUJD'.repeat(5000)
    for (const term of extractTerms(`see ${blob} and ${'a/'.repeat(4000)}`))
      expect(term.length).toBeLessThanOrEqual(160)
  })

  test('text: a query has each term once with its count, and at most the given number', () => {
    expect([...extractQueryTerms('fix the test, then test errorSignature')]).toEqual([
      ['fix', 1],
      ['test', 2],
      ['errorsignature', 1],
      ['error', 1],
      ['signatur', 1],
    ])
    fc.assert(
      fc.property(line, fc.integer({ min: 0, max: 20 }), (text, termsMax) => {
        const query = extractQueryTerms(text, termsMax)
        expect(query.size).toBe(Math.min(termsMax, new Set(extractTerms(text)).size))
        for (const [term, count] of query) expect(extractTerms(text).filter((one) => one === term).length).toBe(count)
      }),
    )
  })

  test('text: a query with too many terms keeps identifiers and long words before short ones', () => {
    const short = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')
    const kept = extractQueryTerms(`${short} errorSignature src/a.ts reconciliation`, 8)
    expect([...kept.keys()]).toEqual(expect.arrayContaining(['src/a.ts', 'errorsignature', 'reconcili']))
  })

  test('text: of a very long query the beginning and the end count', () => {
    const kept = extractQueryTerms(`firstWord ${'filler '.repeat(5000)} lastWord`)
    expect([...kept.keys()]).toEqual(expect.arrayContaining(['firstword', 'lastword']))
  })
})
