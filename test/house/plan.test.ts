// The checks of the house, on made-up trees: each rule lets pass what it should and finds what it should.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emptyNames,
  forbiddenWords,
  importRings,
  misshapenFiles,
  misusedPrivileges,
  roomRings,
  strayImports,
} from './plan.ts'
import { codeOf, importsOf } from './source.ts'

const treeOf = (files: Record<string, string>) => new Map(Object.entries(files))

describe('house: reading a source', () => {
  test('house: code keeps its length and its lines, whatever the text', () => {
    const piece = fc.constantFrom(
      '`',
      '${',
      '}',
      '{',
      "'",
      '"',
      '/',
      '//',
      '/*',
      '*/',
      '\\',
      '\n',
      'a',
      ' = ',
      '[',
      ']',
    )
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, (given) => {
        const code = codeOf(given)
        expect(code.length).toBe(given.length)
        expect(code.split('\n').length).toBe(given.split('\n').length)
      }),
    )
  })

  test.each([
    ['a line comment', '// SECRET\nSEEN'],
    ['a block comment', '/* SECRET\n */ SEEN'],
    ['a string', "f('it\\'s SECRET', SEEN)"],
    ['a string in double quotes', 'f("SECRET", SEEN)'],
    ['a template, but not its holes', '`SECRET $' + '{SEEN} SECRET`'],
    ['a template in a hole', '`SECRET $' + '{f({ a: `SECRET $' + '{SEEN}` })} SECRET`'],
    ['a regular expression', "x.replace(/'SECRET[/']/g, SEEN)"],
    ['a comment after a division', 'a / b // SECRET\nSEEN'],
  ])('house: %s hides its words', (_, text) => {
    expect(codeOf(text)).not.toContain('SECRET')
    expect(codeOf(text)).toContain('SEEN')
  })

  test('house: every form of import is found, none in a text', () => {
    const text = [
      "import fs from 'node:fs'",
      "import { a, type B } from './a.ts'",
      "import type { C } from './c.ts'",
      "import './side.ts'",
      "export { d } from './d.ts'",
      "import {\n  e,\n} from './e.ts'",
      "const f = await import('./f.ts')",
      "const g = require('./g.cjs')",
      'const h = await import(name)',
      "const text = \"import x from './none.ts'\" // import y from './none.ts'",
      'const { url } = import.meta',
    ].join('\n')
    const found = importsOf(text).map((one) => one.from)
    const named = ['node:fs', './a.ts', './c.ts', './side.ts', './d.ts', './e.ts', './f.ts', './g.cjs', '?']
    expect(found).toEqual(named)
    expect(importsOf(text).map((one) => one.line)).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11])
  })
})

describe('house: the map', () => {
  const rooms = {
    'src/hall': ['src/words', 'src/door/table.ts'],
    'src/door': ['src/hall'],
    'src/words': [],
    'src/door/table.ts': [],
  }

  test('house: an import the map has a way for is fine', () => {
    const files = {
      'src/door/main.ts': "import { b } from '../hall/b.ts'\nimport { own } from './own.ts'\nimport fs from 'node:fs'",
      'src/hall/b.ts': "import { w } from '../words/w.ts'\nimport { t } from '../door/table.ts'",
    }
    expect(strayImports(treeOf(files), rooms)).toEqual([])
  })

  test.each([
    [
      'up instead of down',
      'src/words/w.ts',
      "import type { B } from '../hall/b.ts'",
      'src/words may not import src/hall',
    ],
    [
      'out of a part with its own rule',
      'src/door/table.ts',
      "import './main.ts'",
      'src/door/table.ts may not import src/door',
    ],
    ['into no room', 'src/hall/b.ts', "import '../attic/a.ts'", 'lies in no room'],
    ['by a computed name', 'src/hall/b.ts', 'await import(name)', 'a name that is computed'],
    ['from no room', 'src/attic/a.ts', '', 'lies in no room'],
  ])('house: an import %s is a breach', (_, file, text, breach) => {
    expect(strayImports(treeOf({ [file]: text }), rooms)).toEqual([expect.stringContaining(breach)])
  })

  test('house: a computed name is fine for those who may', () => {
    expect(strayImports(treeOf({ 'src/hall/b.ts': 'await import(name)' }), rooms, ['src/hall'])).toEqual([])
  })

  test('house: a map with a ring is no tree', () => {
    expect(roomRings(rooms)).toEqual([])
    expect(roomRings({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })).toEqual(['a', 'b', 'c'])
  })

  test('house: a ring of files is found, be it of one, two or three, by types alone', () => {
    const chain = { 'a.ts': "import './b.ts'\nimport './c.ts'", 'b.ts': "import './c.ts'", 'c.ts': '' }
    expect(importRings(treeOf(chain))).toEqual([])
    expect(importRings(treeOf({ ...chain, 'c.ts': "import type { A } from './a.ts'" }))).not.toEqual([])
    expect(importRings(treeOf({ 'a.ts': "import './a.ts'" }))).toEqual(['a.ts'])
    expect(importRings(treeOf({ 'b.ts': "import './a.ts'", 'a.ts': "import './b.ts'" }))).toEqual(['a.ts → b.ts'])
  })
})

describe('house: privileges', () => {
  const clock = { name: 'the clock', words: /\bDate\.now\b|\bnew Date\(\s*\)/g, who: { 'src/door': 'it asks' } }
  const disk = { name: 'the disk', imports: /^node:fs/, who: { 'src/store/files.ts': 'the door' } }

  test('house: who has a privilege may use it, and a word in a comment is no use', () => {
    const files = { 'src/door/a.ts': 'const now = Date.now()', 'src/hall/b.ts': '// Date.now()\nnew Date(at)' }
    expect(misusedPrivileges(treeOf(files), [clock])).toEqual([])
  })

  test('house: a use without the privilege is a breach, told with its line', () => {
    const files = { 'src/door/a.ts': 'Date.now()', 'src/hall/b.ts': '\nnew Date()', 'src/doors.ts': 'Date.now()' }
    expect(misusedPrivileges(treeOf(files), [clock])).toEqual([
      'src/hall/b.ts:2: the clock is not for this file',
      'src/doors.ts:1: the clock is not for this file',
    ])
  })

  test('house: a privilege by import is for the file it names and no other', () => {
    const files = {
      'src/store/files.ts': "import fs from 'node:fs'",
      'src/store/log.ts': "import fs from 'node:fs/promises'",
    }
    expect(misusedPrivileges(treeOf(files), [disk])).toEqual(['src/store/log.ts:1: the disk is not for this file'])
  })

  test('house: a privilege without use is a breach', () => {
    expect(misusedPrivileges(treeOf({ 'src/store/files.ts': '' }), [disk])).toHaveLength(1)
  })
})

describe('house: looks', () => {
  test('house: forbidden words are found in code, and in comments only those that work there', () => {
    const words = { any: /:\s*any\b/g, '@ts-ignore': /@ts-ignore/g }
    expect(forbiddenWords(treeOf({ 'a.ts': "// x: any\nconst t = ': any'" }), words)).toEqual([])
    expect(forbiddenWords(treeOf({ 'a.ts': 'let x: any\n// @ts-ignore' }), words)).toEqual([
      'a.ts:1: any',
      'a.ts:2: @ts-ignore',
    ])
  })

  test('house: a file has a header that is not too long, and not too many lines', () => {
    const good = '// What it is.\nconst a = 1\n'
    expect(misshapenFiles(treeOf({ 'a.ts': good }), 2, 2)).toEqual([])
    expect(misshapenFiles(treeOf({ 'a.ts': 'const a = 1\n' }), 2, 2)).toEqual(['a.ts: has no header'])
    expect(misshapenFiles(treeOf({ 'a.ts': `// Two.\n// Three.\n${good}` }), 2, 9)).toHaveLength(1)
    expect(misshapenFiles(treeOf({ 'a.ts': `${good}const b = 2\n` }), 2, 2)).toHaveLength(1)
  })

  test('house: a name that says nothing is found in files and folders, a longer word is fine', () => {
    expect(emptyNames(['src/store/log.ts', 'src/yaml.d.ts', 'src/typesetting.ts'], ['types', 'utils'])).toEqual([])
    expect(emptyNames(['src/utils/log.ts', 'src/store/Types.test.ts'], ['types', 'utils'])).toHaveLength(2)
  })
})
