// Copies of a text: what is one, and what two texts merely have in common.
import { expect, test } from 'vitest'
import { createCopyFinder, replaceCopies } from '../../src/text/copies/findCopies.ts'

const TEXT = 'the token of the staging gate is plum-tree-seven, and 緑の提灯を七つ数えてから入ること'

const erase = (text: string, ...wanted: string[]): string =>
  replaceCopies(text, createCopyFinder(wanted.length > 0 ? wanted : [TEXT]).find(text))

test.each([
  ['itself', `say ${TEXT}!`, 'say ********!'],
  ['in JSON of JSON', JSON.stringify(JSON.stringify({ a: TEXT })), '"{\\"a\\":\\"********\\"}"'],
  ['with another case and white space', TEXT.toUpperCase().replaceAll(' ', '\n  '), '********'],
  ['percent codes', `/?q=${encodeURIComponent(TEXT)}&n=1`, '/?q=********&n=1'],
  ['its beginning before an ellipsis', 'so the token of the st… and more', 'so ********… and more'],
  ['its end behind an ellipsis', 'so …七つ数えてから入ること and more', 'so …******** and more'],
  ['its half', 'the token of the staging gate is plum-tree-seven, and that is all', '******** that is all'],
])('copies: %s is a copy', (_, text, expected) => {
  expect(erase(text)).toBe(expected)
})

test.each([
  'the token of the staging server expired',
  'the gate is open; 緑の提灯を買う',
  'npm test fails with the token of the other project',
  'a long text without it '.repeat(50),
])('copies: what only shares words is none: %s', (text) => {
  expect(erase(text)).toBe(text)
})

test('copies: the same error of another file is none', () => {
  const error = "Error: Cannot find module '../dist/prices.json'"
  const other = "Error: Cannot find module './money.js'"
  expect(erase(other, error)).toBe(other)
  expect(erase(`Exit code 1\n${error}`, error)).toBe("Exit code 1\n********'")
})

test('copies: a short text is only found exactly, also in escapes', () => {
  expect(erase('in it. init and "in it."', 'in it.')).toBe('****** init and "******"')
  expect(erase('{"a":"\\u7dd1\\u306e\\u6728"}', '緑の木')).toBe('{"a":"********"}')
})

test('copies: a text with a part that repeats takes time that grows with it, not faster', () => {
  const finder = createCopyFinder(['ab'.repeat(500)])
  expect(finder.find('ab'.repeat(20_000)).length).toBeGreaterThan(0)
})

test('copies: a short text is found with either case of its first letter, and no other difference', () => {
  expect(erase('so we never deploy on it. We never deploy.', 'We never deploy')).toBe('so ******** on it. ********.')
  expect(erase('WE NEVER DEPLOY', 'We never deploy')).toBe('WE NEVER DEPLOY')
})
