import { expect, test } from 'vitest'
import { listAbbreviations } from '../../../src/text/lexicon/lexicon.ts'

test.each([
  ['db', 'database'],
  ['auth', 'authentication'],
  ['config', 'configuration'],
  ['repo', 'repository'],
  ['env', 'environment'],
  ['deps', 'dependency'],
  ['deps', 'dependencies'],
])('lexicon: %s is short for %s', (short, long) => {
  expect(listAbbreviations(short)).toContain(long)
  expect(listAbbreviations(long)).toContain(short)
})

test.each(['cope', 'push', 'start', 'harbour', 'データベース', 'c++'])(
  'lexicon: a word of the same meaning that is not short for it is no abbreviation: %s',
  (word) => expect(listAbbreviations(word)).toEqual([]),
)

test('lexicon: an inflected word has the abbreviations of its base form', () => {
  expect(listAbbreviations('databases')).toEqual(listAbbreviations('database'))
})
