// Documents name files of the repository: each path must exist, also after files were renamed or merged.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findMissingHeadings, findMissingPaths } from './docPaths.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DOCS = [
  ...['README.md', 'README.ja.md', 'CONTRIBUTING.md', 'recordings/README.md', 'test/fixtures/README.md'],
  ...fs
    .readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

test.each(DOCS)('docs: every path named in %s exists', (file) => {
  const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
  const exists = (name: string): boolean => fs.existsSync(path.join(ROOT, name))
  expect(findMissingPaths(text, path.dirname(file), exists)).toEqual([])
})

test.each(DOCS)('docs: every heading that a link of %s names exists', (file) => {
  const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), 'utf8')
  expect(findMissingHeadings(read(file), file, read)).toEqual([])
})

test('docs: a heading that does not exist is found, in this document and in another one', () => {
  const text = "## A hook's cost\n[a](#a-hooks-cost) [b](#gone) [c](b.md#b) [d](b.md#gone) [e](https://x.org/b.md#gone)"
  expect(findMissingHeadings(text, 'docs/a.md', () => '# B')).toEqual(['#gone', 'b.md#gone'])
})

test('docs: a missing path is found in code and in links; commands, patterns, URLs and output are none', () => {
  const text = [
    '`src/gone.ts`, `src/here.ts`, `src/*.ts`, `src/<name>.ts`, `npm run x -- src/gone2.ts`',
    '[a](gone.md#part) [b](here.md) [c](https://example.com/gone.md) [d](#part)',
    '    - Use `src/cart.js`: there is no `lib/cart.js`',
  ].join('\n')
  const present = ['src/here.ts', 'docs/here.md']
  expect(findMissingPaths(text, 'docs', (name) => present.includes(name))).toEqual(['src/gone.ts', 'docs/gone.md'])
})

test('docs: every folder of the tree in architecture.md exists, and no folder of src is missing', () => {
  const text = fs.readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8')
  const [, tree = ''] = /^## Folders\n([\s\S]*?)^## /m.exec(text) ?? []
  const [, inner = ''] = /^ {4}src\/\n([\s\S]*?)^ {4}test\//m.exec(tree) ?? []
  const named: string[] = []
  const parents: string[] = []
  for (const [, indent = '', name = ''] of inner.matchAll(/^( +)(\w+)\//gm)) {
    parents.splice((indent.length - 6) / 2, parents.length, name)
    named.push(parents.join('/'))
  }
  const foldersOf = (folder: string): string[] =>
    fs
      .readdirSync(path.join(ROOT, 'src', folder), { withFileTypes: true })
      .filter((item) => item.isDirectory())
      .map((item) => path.posix.join(folder, item.name))
  const below = (folder: string): string[] => foldersOf(folder).flatMap((name) => [name, ...below(name)])
  const present = below('')
  const unlisted = present.filter((folder) => !named.includes(folder) && !/^(?:record|text)\//.test(folder))
  expect(named.filter((folder) => !present.includes(folder))).toEqual([])
  expect(unlisted).toEqual([])
})
