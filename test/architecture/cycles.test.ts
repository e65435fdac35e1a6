// Cycles of imports on made-up trees.
import { describe, expect, test } from 'vitest'
import { findFileCycles, findFolderCycles, findLayerCycles, findOrderBreaches } from './cycles.ts'

const treeOf = (files: Record<string, string>) => new Map(Object.entries(files))

describe('architecture: cycles', () => {
  test('architecture: a cycle in the rules is found', () => {
    expect(findLayerCycles({ a: ['b', 'c'], b: ['c'], c: [] })).toEqual([])
    expect(findLayerCycles({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })).toEqual(['a', 'b', 'c'])
  })

  test('architecture: a cycle of one, two or three files is found, type imports included', () => {
    const chain = { 'a.ts': "import './b.ts'\nimport './c.ts'", 'b.ts': "import './c.ts'", 'c.ts': '' }
    expect(findFileCycles(treeOf(chain))).toEqual([])
    expect(findFileCycles(treeOf({ ...chain, 'c.ts': "import type { A } from './a.ts'" }))).not.toEqual([])
    expect(findFileCycles(treeOf({ 'a.ts': "import './a.ts'" }))).toEqual(['a.ts'])
    expect(findFileCycles(treeOf({ 'b.ts': "import './a.ts'", 'a.ts': "import './b.ts'" }))).toEqual(['a.ts → b.ts'])
  })

  test('architecture: folders that import one way have no cycle', () => {
    const files = {
      'src/high/a.ts': "import '../low/b.ts'\nimport '../own.ts'\nimport './deep/c.ts'",
      'src/high/deep/c.ts': "import '../../low/b.ts'",
      'src/low/b.ts': "import fs from 'node:fs'",
      'src/own.ts': "import './low/b.ts'",
    }
    expect(findFolderCycles(treeOf(files))).toEqual([])
  })

  test('architecture: a cycle of folders is found without a cycle of files, type imports included', () => {
    const files = {
      'src/one/a.ts': "import '../two/b.ts'",
      'src/two/b.ts': '',
      'src/two/deep/c.ts': "import type { D } from '../../one/d.ts'",
      'src/one/d.ts': '',
    }
    expect(findFileCycles(treeOf(files))).toEqual([])
    expect(findFolderCycles(treeOf(files))).toEqual([
      {
        folder: 'src',
        units: ['one/', 'two/'],
        imports: [
          'one/ → two/: src/one/a.ts:1 imports src/two/b.ts',
          'two/ → one/: src/two/deep/c.ts:1 imports src/one/d.ts',
        ],
      },
    ])
  })

  test('architecture: the direct files of a folder are one unit, at every level', () => {
    const files = {
      'src/part/a.ts': "import './deep/b.ts'",
      'src/part/deep/b.ts': "import '../c.ts'",
      'src/part/c.ts': '',
    }
    expect(findFolderCycles(treeOf(files)).map(({ folder, units }) => [folder, units])).toEqual([
      ['src/part', ['(files)', 'deep/']],
    ])
    const top = { 'a.ts': "import './src/b.ts'", 'src/b.ts': "import '../c.ts'", 'c.ts': '' }
    expect(findFolderCycles(treeOf(top)).map(({ folder }) => folder)).toEqual(['.'])
  })

  test('architecture: a folder may import those before it in the order, and every folder has a place', () => {
    const files = {
      'src/low/a.ts': '',
      'src/high/b.ts': "import '../low/a.ts'\nimport '../own.ts'",
      'src/own.ts': "import './high/b.ts'",
    }
    expect(findOrderBreaches(treeOf(files), { src: ['low', 'high'] })).toEqual([])
    expect(findOrderBreaches(treeOf(files), { src: ['high', 'low'] })).toEqual([
      'src/high/b.ts:1: may not import src/low/a.ts, which comes later in src',
    ])
    expect(findOrderBreaches(treeOf(files), { src: ['high'] })).toEqual(['src/low/: has no place in the order of src'])
  })

  test('architecture: a cycle over three folders is one cycle', () => {
    const files = {
      'a/a.ts': "import '../b/b.ts'",
      'b/b.ts': "import '../c/c.ts'",
      'c/c.ts': '',
      'c/d.ts': "import '../a/e.ts'",
      'a/e.ts': '',
      'd/f.ts': "import '../a/a.ts'",
    }
    expect(findFolderCycles(treeOf(files)).map(({ units }) => units)).toEqual([['a/', 'b/', 'c/']])
  })
})
