// The extractive summary: quotes of several texts, something of each, nothing twice.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { summarizeExtractively } from '../../src/organize/extractiveSummary.ts'

const sentence = fc
  .array(fc.constantFrom('lamps', 'pier', 'paraffin', 'dusk', 'harbour', 'merchant', 'May', '調達', '緊急', 'コスト'), {
    minLength: 2,
    maxLength: 7,
  })
  .map((words) => `The ${words.join(' ')}.`)
const texts = fc.array(
  fc.oneof(
    fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  ),
  { minLength: 2, maxLength: 8 },
)

test('organize: a summary quotes the texts, stays within its limit and repeats no line', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 10, max: 600 }), (given, charsMax) => {
      const told = summarizeExtractively(given, charsMax)
      expect(told.length).toBeLessThanOrEqual(charsMax)
      const lines = told.split('\n').filter(Boolean)
      expect(new Set(lines).size).toBe(lines.length)
      const folded = given.map((text) => text.replace(/\s+/g, ' '))
      for (const line of lines) expect(folded.some((text) => text.includes(line))).toBe(true)
    }),
  )
})

test('organize: every text contributes to the summary if there is room', () => {
  const given = [
    'Lamps are lit at dusk. They burn paraffin.',
    'The merchant sells on Quay Street.',
    '緊急調達では15%のコスト増。',
  ]
  const told = summarizeExtractively(given, 600)
  for (const text of given) expect(told.split('\n').some((line) => text.includes(line))).toBe(true)
})

test('organize: what several texts share comes first, and only once', () => {
  const given = [
    'The pier lamps burn paraffin. It rained.',
    'The pier lamps burn paraffin. Bread is dear.',
    'Paraffin for the pier lamps.',
  ]
  expect(summarizeExtractively(given, 32)).toBe('The pier lamps burn paraffin.')
})
