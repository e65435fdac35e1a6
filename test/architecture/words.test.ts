// Retired words on made-up trees: names are split into words, and only texts for users are read.
import { describe, expect, test } from 'vitest'
import { findRetiredNames, findRetiredTexts, findUnusedAllowances } from './words.ts'

const treeOf = (files: Record<string, string>) => new Map(Object.entries(files))
const retired = ['shelf', 'by lot']

describe('architecture: retired words', () => {
  test('architecture: a name with a retired word is found, as a whole word in any case', () => {
    const files = {
      'src/shelf/a.ts': '',
      'src/bookShelf.ts': '',
      'src/c.ts': 'export const SHELF_MAX = 1\nexport function shelfOf() {}\nexport type ByLot = 1',
      'src/shelfish.ts': 'const shelf = 1\nexport const shelfish = shelf',
    }
    expect(findRetiredNames(treeOf(files), retired)).toEqual([
      'src/shelf/a.ts: "shelf" in the name of the file',
      'src/bookShelf.ts: "shelf" in the name of the file',
      'src/c.ts:1: "shelf" in the export SHELF_MAX',
      'src/c.ts:2: "shelf" in the export shelfOf',
      'src/c.ts:3: "by lot" in the export ByLot',
    ])
  })

  test.each([
    ['a sentence', "throw fail('The shelf is full')"],
    ['a template', 'print(`shelf $' + '{name}`)'],
    ['a template with a counted thing', 'print(`$' + '{count} shelf`)'],
    ['a command', "cli.command('shelf')"],
    ['an option', "cli.option('--shelf', 'one')"],
    ['a description of one word', "cli.option('-s', 'shelf')"],
    ['two words', "print('withheld by lot')"],
    ['two words with a hyphen', "print('a by-lot choice')"],
    ['a sentence with a capital', "print('Shelf of memories')"],
  ])('architecture: a retired word in %s is found', (_, text) => {
    expect(findRetiredTexts(treeOf({ 'src/a.ts': text }), retired)).toHaveLength(1)
  })

  test.each([
    ['a stored field', "event['shelf']"],
    ['a key of data', "keys.includes('shelf')"],
    ['a path', "import '../shelf/a.ts'"],
    ['a comment', "// the shelf is full\nprint('a b')"],
    ['a longer word', "print('all shelfish ones')"],
  ])('architecture: a retired word in %s is accepted', (_, text) => {
    expect(findRetiredTexts(treeOf({ 'src/a.ts': text }), retired)).toEqual([])
  })

  test('architecture: a word is allowed in the file that names it with a reason, while it is there', () => {
    const tree = treeOf({ 'src/a.ts': "print('the shelf')" })
    expect(findRetiredTexts(tree, retired, { 'src/a.ts': 'data' })).toEqual([])
    expect(findRetiredTexts(tree, retired, { 'src/a.ts: shelf': 'data' })).toEqual([])
    expect(findRetiredTexts(tree, retired, { 'src/a.ts: by lot': 'data' })).toHaveLength(1)
    expect(findUnusedAllowances(tree, retired, { 'src/a.ts': 'data' })).toEqual([])
    expect(findUnusedAllowances(tree, retired, { 'src/a.ts: by lot': 'data', 'src/b.ts': 'data' })).toHaveLength(2)
  })
})
