// The rules of the architecture test on made-up trees: each rule accepts what is allowed and finds what is not.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findFileCycles,
  findForbiddenImports,
  findForbiddenSyntax,
  findLayerCycles,
  findMisshapenFiles,
  findPrivilegeBreaches,
  findVagueNames,
} from './rules.ts'
import { codeOf, importsOf } from './source.ts'

const treeOf = (files: Record<string, string>) => new Map(Object.entries(files))

describe('architecture: reading a source', () => {
  test('architecture: reading code keeps length and lines of any text', () => {
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
    ['a template, but not its expressions', '`SECRET $' + '{SEEN} SECRET`'],
    ['a template in an expression', '`SECRET $' + '{f({ a: `SECRET $' + '{SEEN}` })} SECRET`'],
    ['a regular expression', "x.replace(/'SECRET[/']/g, SEEN)"],
    ['a comment after a division', 'a / b // SECRET\nSEEN'],
  ])('architecture: %s is not read as code', (_, text) => {
    expect(codeOf(text)).not.toContain('SECRET')
    expect(codeOf(text)).toContain('SEEN')
  })

  test('architecture: every form of import is found, and none in a string or comment', () => {
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
    const found = importsOf(text).map(({ from }) => from)
    const named = ['node:fs', './a.ts', './c.ts', './side.ts', './d.ts', './e.ts', './f.ts', './g.cjs', '?']
    expect(found).toEqual(named)
    expect(importsOf(text).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11])
  })
})

describe('architecture: layers', () => {
  const layers = {
    'src/core': ['src/base', 'src/entry/table.ts'],
    'src/entry': ['src/core'],
    'src/base': [],
    'src/entry/table.ts': [],
  }

  test('architecture: an allowed import is accepted', () => {
    const files = {
      'src/entry/main.ts': "import { b } from '../core/b.ts'\nimport { own } from './own.ts'\nimport fs from 'node:fs'",
      'src/core/b.ts': "import { w } from '../base/w.ts'\nimport { t } from '../entry/table.ts'",
    }
    expect(findForbiddenImports(treeOf(files), layers)).toEqual([])
  })

  test.each([
    ['of a higher layer', 'src/base/w.ts', "import type { B } from '../core/b.ts'", 'src/base may not import src/core'],
    [
      'out of a file with its own rule',
      'src/entry/table.ts',
      "import './main.ts'",
      'src/entry/table.ts may not import src/entry',
    ],
    ['of a file in no layer', 'src/core/b.ts', "import '../other/a.ts'", 'belongs to no layer'],
    ['by a computed name', 'src/core/b.ts', 'await import(name)', 'a computed name'],
    ['from a file in no layer', 'src/other/a.ts', '', 'belongs to no layer'],
  ])('architecture: an import %s is a breach', (_, file, text, breach) => {
    expect(findForbiddenImports(treeOf({ [file]: text }), layers)).toEqual([expect.stringContaining(breach)])
  })

  test('architecture: a computed name is accepted where it is allowed', () => {
    expect(findForbiddenImports(treeOf({ 'src/core/b.ts': 'await import(name)' }), layers, ['src/core'])).toEqual([])
  })

  test('architecture: a cycle in the rules is found', () => {
    expect(findLayerCycles(layers)).toEqual([])
    expect(findLayerCycles({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })).toEqual(['a', 'b', 'c'])
  })

  test('architecture: a cycle of one, two or three files is found, type imports included', () => {
    const chain = { 'a.ts': "import './b.ts'\nimport './c.ts'", 'b.ts': "import './c.ts'", 'c.ts': '' }
    expect(findFileCycles(treeOf(chain))).toEqual([])
    expect(findFileCycles(treeOf({ ...chain, 'c.ts': "import type { A } from './a.ts'" }))).not.toEqual([])
    expect(findFileCycles(treeOf({ 'a.ts': "import './a.ts'" }))).toEqual(['a.ts'])
    expect(findFileCycles(treeOf({ 'b.ts': "import './a.ts'", 'a.ts': "import './b.ts'" }))).toEqual(['a.ts → b.ts'])
  })
})

describe('architecture: privileges', () => {
  const clock = {
    name: 'the clock',
    syntax: /\bDate\.now\b|\bnew Date\(\s*\)/g,
    allowed: { 'src/entry': 'the time of a call' },
  }
  const disk = { name: 'the disk', imports: /^node:fs/, allowed: { 'src/store/files.ts': 'the only access' } }

  test('architecture: a file with the privilege may use it, and a comment is no use', () => {
    const files = { 'src/entry/a.ts': 'const now = Date.now()', 'src/core/b.ts': '// Date.now()\nnew Date(at)' }
    expect(findPrivilegeBreaches(treeOf(files), [clock])).toEqual([])
  })

  test('architecture: a use without the privilege is a breach, reported with its line', () => {
    const files = { 'src/entry/a.ts': 'Date.now()', 'src/core/b.ts': '\nnew Date()', 'src/entryOther.ts': 'Date.now()' }
    expect(findPrivilegeBreaches(treeOf(files), [clock])).toEqual([
      'src/core/b.ts:2: the clock is not allowed in this file',
      'src/entryOther.ts:1: the clock is not allowed in this file',
    ])
  })

  test('architecture: a privilege by import is for the named file only', () => {
    const files = {
      'src/store/files.ts': "import fs from 'node:fs'",
      'src/store/log.ts': "import fs from 'node:fs/promises'",
    }
    expect(findPrivilegeBreaches(treeOf(files), [disk])).toEqual([
      'src/store/log.ts:1: the disk is not allowed in this file',
    ])
  })

  test('architecture: an unused privilege is a breach', () => {
    expect(findPrivilegeBreaches(treeOf({ 'src/store/files.ts': '' }), [disk])).toHaveLength(1)
  })
})

describe('architecture: style', () => {
  test('architecture: forbidden syntax is found in code, and directives in comments', () => {
    const syntax = { any: /:\s*any\b/g, '@ts-ignore': /@ts-ignore/g }
    expect(findForbiddenSyntax(treeOf({ 'a.ts': "// x: any\nconst t = ': any'" }), syntax)).toEqual([])
    expect(findForbiddenSyntax(treeOf({ 'a.ts': 'let x: any\n// @ts-ignore' }), syntax)).toEqual([
      'a.ts:1: any',
      'a.ts:2: @ts-ignore',
    ])
  })

  test('architecture: a file has a header that is not too long, and not too many lines', () => {
    const good = '// What it is.\nconst a = 1\n'
    expect(findMisshapenFiles(treeOf({ 'a.ts': good }), 2, 2)).toEqual([])
    expect(findMisshapenFiles(treeOf({ 'a.ts': 'const a = 1\n' }), 2, 2)).toEqual(['a.ts: has no header'])
    expect(findMisshapenFiles(treeOf({ 'a.ts': `// Two.\n// Three.\n${good}` }), 2, 9)).toHaveLength(1)
    expect(findMisshapenFiles(treeOf({ 'a.ts': `${good}const b = 2\n` }), 2, 2)).toHaveLength(1)
  })

  test('architecture: a vague name of a file or folder is found, a longer word is accepted', () => {
    expect(findVagueNames(['src/store/log.ts', 'src/yaml.d.ts', 'src/typesetting.ts'], ['types', 'utils'])).toEqual([])
    expect(findVagueNames(['src/utils/log.ts', 'src/store/Types.test.ts'], ['types', 'utils'])).toHaveLength(2)
  })
})
