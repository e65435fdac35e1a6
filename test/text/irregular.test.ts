// Irregular forms are found by the word they belong to, and regular ones are left alone.
import { expect, test } from 'vitest'
import { baseOf } from '../../src/text/irregular.ts'
import { termsOf } from '../../src/text/words.ts'

test.each([
  ['went', 'go'],
  ['bought', 'buying'],
  ['children', 'child'],
  ['rewrote', 'rewriting'],
  ['chosen', 'choose'],
])('text: %s is the same term as %s', (form, word) => expect(termsOf(form)).toEqual(termsOf(word)))

test.each(['bit', 'bound', 'wen', 'ent', 'go', 'x', 'go went', ''])('text: "%s" stays as it is', (word) =>
  expect(baseOf(word)).toBe(word),
)
