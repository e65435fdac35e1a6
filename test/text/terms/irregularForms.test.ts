// Irregular forms are found by the word they belong to, and regular ones are left alone.
import { expect, test } from 'vitest'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import { lookUpBaseForm } from '../../../src/text/terms/stem.ts'

test.each([
  ['went', 'go'],
  ['bought', 'buying'],
  ['children', 'child'],
  ['rewrote', 'rewriting'],
  ['chosen', 'choose'],
])('text: %s is the same term as %s', (form, word) => expect(extractTerms(form)).toEqual(extractTerms(word)))

test.each(['bit', 'bound', 'wen', 'ent', 'go', 'x', 'go went', ''])('text: "%s" stays as it is', (word) =>
  expect(lookUpBaseForm(word)).toBe(word),
)
