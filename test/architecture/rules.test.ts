// The rules of the architecture test on made-up trees: each rule accepts what is allowed and finds what is not.
import { describe, expect, test } from 'vitest'
import {
  findForbiddenImports,
  findForbiddenSyntax,
  findMisshapenFiles,
  findPrivilegeBreaches,
  findVagueNames,
} from './rules.ts'

const treeOf = (files: Record<string, string>) => new Map(Object.entries(files))

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
})

describe('architecture: privileges', () => {
  const clock = {
    name: 'the clock',
    syntax: /\bDate\.now\b|\bnew Date\(\s*\)/g,
    allowed: { 'src/entry': 'the time of a call' },
  }
  const disk = { name: 'the disk', imports: /^node:fs/, allowed: { 'src/store/disk/files.ts': 'the only access' } }

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
      'src/store/disk/files.ts': "import fs from 'node:fs'",
      'src/store/log/eventLog.ts': "import fs from 'node:fs/promises'",
    }
    expect(findPrivilegeBreaches(treeOf(files), [disk])).toEqual([
      'src/store/log/eventLog.ts:1: the disk is not allowed in this file',
    ])
  })

  test('architecture: an unused privilege is a breach', () => {
    expect(findPrivilegeBreaches(treeOf({ 'src/store/disk/files.ts': '' }), [disk])).toHaveLength(1)
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
    expect(
      findVagueNames(['src/store/log/eventLog.ts', 'src/yaml.d.ts', 'src/typesetting.ts'], ['types', 'utils']),
    ).toEqual([])
    expect(findVagueNames(['src/utils/log.ts', 'src/store/Types.test.ts'], ['types', 'utils'])).toHaveLength(2)
  })
})
