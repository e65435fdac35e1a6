// docs/library.md is correct: every example runs and prints the output below it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { transform } from 'esbuild'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as memctl from '../../src/index.ts'
import { REPOSITORY } from '../cli/testContext.ts'
import { newFolder } from '../tempFolders.ts'
import { compile, packLibrary } from './packedLibrary.ts'

const TEXT = fs.readFileSync(path.join(REPOSITORY, 'docs/library.md'), 'utf8')
const EXAMPLES = [...TEXT.matchAll(/^```ts\n([\s\S]*?)^```\n```text\n([\s\S]*?)^```$/gm)].map((match) => ({
  code: match[1]!,
  printed: match[2]!,
}))

let folder: string
const before = { home: process.env['MEMCTL_HOME'], folder: process.cwd() }
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-docs-'))
  process.env['MEMCTL_HOME'] = path.join(folder, 'home')
  process.chdir(folder)
})
afterEach(async () => {
  await memctl.closeDatabase()
  process.chdir(before.folder)
  if (before.home === undefined) delete process.env['MEMCTL_HOME']
  else process.env['MEMCTL_HOME'] = before.home
  fs.rmSync(folder, { recursive: true, force: true })
})

test('docs: the library has examples, each with its output', () => {
  expect(EXAMPLES.length).toBe(TEXT.match(/^```ts$/gm)!.length)
  expect(EXAMPLES.length).toBeGreaterThan(4)
})

test.each(EXAMPLES)('docs: the library prints $printed', async ({ code, printed }) => {
  const { code: plain } = await transform(code, { loader: 'ts', format: 'esm', target: 'node20' })
  const body = plain.replaceAll(/import \{([\s\S]*?)\} from "([^"]+)";/g, 'const {$1} = await from("$2");')
  const said: string[] = []
  const log = (...words: unknown[]): number =>
    said.push(words.map((word) => (typeof word === 'string' ? word : inspect(word))).join(' '))
  const from = async (name: string): Promise<unknown> => (name === 'memctl' ? memctl : import(name))
  const run = new Function('from', 'console', `return (async () => {${body}})()`)
  await (run as (from: unknown, console: unknown) => Promise<void>)(from, { log })
  expect(`${said.join('\n')}\n`).toBe(printed)
})

test('docs: every example in TypeScript or JavaScript has the types of the package, under strict', () => {
  const home = newFolder('examples')
  packLibrary(home)
  const pages = [
    'README.md',
    'README.ja.md',
    ...fs.readdirSync(path.join(REPOSITORY, 'docs')).map((name) => `docs/${name}`),
  ]
  const files = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => {
      const text = fs.readFileSync(path.join(REPOSITORY, page), 'utf8')
      return [...text.matchAll(/^ *```(ts|typescript|js|javascript)\b.*\n([\s\S]*?)^ *```$/gm)].map(
        ([, kind, code], i) => {
          const file = `${page.replace(/\W/g, '-')}-${i + 1}.${kind?.startsWith('t') ? 'mts' : 'mjs'}`
          fs.writeFileSync(path.join(home, file), `${code}\nexport {}\n`)
          return file
        },
      )
    })
  expect(files.length).toBeGreaterThan(4)
  // The examples of other pages would be checked and not run.
  expect(files.filter((file) => !file.startsWith('docs-library-md'))).toEqual([])
  const errors = compile(home, files, { module: 'nodenext', lib: ['es2023', 'esnext.disposable'], checkJs: true })
  fs.rmSync(home, { recursive: true, force: true })
  expect(errors).toBe('')
})

test('docs: the library page names every exported function, class and value', () => {
  const words = new Set(TEXT.match(/\w+/g))
  expect(Object.keys(memctl).filter((name) => !words.has(name))).toEqual([])
})
