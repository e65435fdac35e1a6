// What a ceiling counts, on made-up trees.
import { describe, expect, test } from 'vitest'
import {
  countLines,
  findEmptyCatches,
  findLongLines,
  findLongParameterLists,
  findNonNullAssertions,
  findPackingSpreads,
  findUnusedExports,
  groupByFile,
} from './ceilings.ts'

const treeOf = (files: Record<string, string>) => new Map(Object.entries(files))
const file = (text: string) => treeOf({ 'src/a.ts': text })

describe('architecture: ceilings', () => {
  test.each(['a!.b', 'f()!', 'a[0]!', 'a! + b', '(a as B)!', 'a!, b', "a['x']!"])(
    'architecture: %s is a non-null assertion',
    (text) => {
      expect(findNonNullAssertions(file(`\n${text}`))).toEqual(['src/a.ts:2'])
    },
  )

  test.each(['!a', 'a !== b', 'a != b', "'a!'", '// a!', 'b && !a', 'x!: string', 'return !(a)'])(
    'architecture: %s is no non-null assertion',
    (text) => {
      expect(findNonNullAssertions(file(text))).toEqual([])
    },
  )

  test('architecture: a spread of a literal only packs lines, a spread of a value does not', () => {
    expect(findPackingSpreads(file('f({\n  ...{ a, b },\n})'))).toEqual(['src/a.ts:2'])
    expect(findPackingSpreads(file('f({ ...rest, ...(a ? { a } : {}) })'))).toEqual([])
  })

  test.each([
    ['a function', 'function name(a: A, b: B, c: C): void {}'],
    ['a function with type parameters', 'function name<T, U>(a: T, b: U, c: T) {}'],
    ['an arrow function', 'const name = (a: A, b: B, c: C) => a'],
    ['an arrow function with a return type', 'const name = (a: A, b: B, c: C): R => a'],
    ['a method', 'class X {\n  name(a: A, b: B, c: C) {\n  }\n}'],
    ['a signature', 'interface X {\n  name(a: A, b: B, c: C): void\n}'],
    ['a function of several lines', 'function name(\n  a: A,\n  b: B,\n  c: C,\n): void {}'],
    ['a function with parameters of any type', 'function name({ a, b }: X, f: (x: X, y: Y) => Z, m: Map<K, V>) {}'],
  ])('architecture: the parameters of %s are counted', (_, text) => {
    expect(findLongParameterLists(file(text), 2)).toEqual([expect.stringContaining('has 3 parameters')])
    expect(findLongParameterLists(file(text), 3)).toEqual([])
  })

  test.each([
    'f(a, b, c)',
    'if (f(a, b, c)) {\n}',
    'x ? f(a, b, c) : { y }',
    'return (a, b, c)',
    'new Map([[a, b, c]])',
  ])('architecture: %s is no list of parameters', (text) => {
    expect(findLongParameterLists(file(text), 2)).toEqual([])
  })

  test('architecture: a function that may have more parameters is accepted', () => {
    const tree = file('class X {\n  constructor(a: A, b: B) {\n  }\n  other(a: A, b: B) {\n  }\n}')
    expect(findLongParameterLists(tree, 1, /: constructor$/)).toEqual(['src/a.ts:4: other has 2 parameters'])
  })

  test('architecture: an export without an import is found, and only that', () => {
    const tree = treeOf({
      'src/a.ts': [
        'export const used = 1',
        'export const unused = used',
        'export interface Needed {}',
        'export interface Inner {}',
        'export function f(value: Needed): void {',
        '  const inner: Inner = value',
        '}',
      ].join('\n'),
      'src/b.ts': "import { used, f } from './a.ts'\nconst { loaded } = await import('./c.ts')",
      'src/c.ts': 'export const loaded = 1\nexport const forgotten = 1',
      'src/index.ts': 'export const offered = 1',
    })
    expect(findUnusedExports(tree, tree, ['src/index.ts'])).toEqual([
      'src/a.ts:2: nobody imports unused',
      'src/a.ts:4: nobody imports Inner',
      'src/c.ts:2: nobody imports forgotten',
    ])
  })

  test('architecture: a long line is found, without its URL', () => {
    const long = 'x'.repeat(11)
    expect(findLongLines(file(`ok\n// ${long}`), 10)).toEqual(['src/a.ts:2: 14 columns'])
    expect(findLongLines(file('// https://example.com/a/long/path'), 10)).toEqual([])
  })

  test('architecture: in Markdown tables and code may be longer', () => {
    const long = 'x'.repeat(11)
    const text = `| ${long} |\n    ${long}\n\n\`\`\`\n${long}\n\`\`\`\n${long}`
    expect(findLongLines(treeOf({ 'docs/a.md': text }), 10)).toEqual(['docs/a.md:7: 11 columns'])
  })

  test('architecture: an empty catch needs a comment', () => {
    expect(findEmptyCatches(file('try {\n  f()\n} catch {}'))).toEqual(['src/a.ts:3: an empty catch without a reason'])
    expect(findEmptyCatches(file('try {\n  f()\n} catch (error) {\n}'))).toHaveLength(1)
    expect(findEmptyCatches(file('try {\n  f()\n} catch {\n  // It may be gone.\n}'))).toEqual([])
    expect(findEmptyCatches(file('try {\n  f()\n} catch {\n  g()\n}'))).toEqual([])
  })

  test('architecture: lines are counted over all files, and places grouped by file', () => {
    expect(countLines(treeOf({ 'a.ts': 'a\nb\n', 'b.ts': 'c' }))).toBe(3)
    expect(groupByFile(['a.ts:1', 'b.ts:2: x', 'a.ts:3'])).toBe('a.ts: 1, 3\nb.ts: 2: x')
  })
})
