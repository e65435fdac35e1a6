// The short form of a statement leaves out fillers, and never what changes the meaning.
import { expect, test } from 'vitest'
import { shortenStatement } from '../../../src/text/statement/shortForm.ts'

test.each([
  ['No, use pnpm please.', 'Use pnpm'],
  ['No floats in this module', 'No floats in this module'],
  ['no new packages please', 'No new packages'],
  ['いや、日本語で書いてください。', '日本語で書いてください'],
])('statements: the short form of "%s" is "%s"', (text, short) => {
  expect(shortenStatement(text)).toBe(short)
})
