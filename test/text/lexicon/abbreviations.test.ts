import { expect, test } from 'vitest'
import { listOtherForms } from '../../../src/text/lexicon/lexicon.ts'

test.each([
  ['db', 'database'],
  ['auth', 'authentication'],
  ['config', 'configuration'],
  ['repo', 'repository'],
  ['env', 'environment'],
  ['deps', 'dependency'],
  ['deps', 'dependencies'],
])('lexicon: %s is short for %s', (short, long) => {
  expect(listOtherForms(short)).toContain(long)
  expect(listOtherForms(long)).toContain(short)
})

test.each(['cope', 'push', 'start', 'harbour', 'c++'])(
  'lexicon: a word of the same meaning that is not short for it is no abbreviation: %s',
  (word) => expect(listOtherForms(word)).toEqual([]),
)

test('lexicon: an inflected word has the abbreviations of its base form', () => {
  expect(listOtherForms('databases')).toEqual(listOtherForms('database'))
})

test('lexicon: other forms of a Japanese word are English words for it, the usual ones', () => {
  expect(listOtherForms('テスト')).toEqual(['test', 'try'])
  expect(listOtherForms('実行')).toContain('run')
  expect(listOtherForms('港')).toEqual([])
})
