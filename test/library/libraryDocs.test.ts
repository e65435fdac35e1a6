// docs/library.md is correct: every example runs and prints the output below it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as memctl from '../../src/index.ts'
import { REPOSITORY } from '../cli/testContext.ts'
import { startTestDatabase, type TestDatabase } from '../database/server.ts'
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

/** Those of the classes that may have their memories in PostgreSQL. */
const AGENT_EXAMPLES = EXAMPLES.filter(({ code }) => /taskExecutor\(|DatabaseConnection\(/.test(code))

/** The URL in the examples, in place of which the tests have a server. */
const EXAMPLE_URL = 'postgresql://me@db.example.com/agents'

test.each(EXAMPLES.filter(({ code }) => !code.includes(EXAMPLE_URL)))(
  'docs: the library prints $printed',
  async ({ code, printed }) => {
    expect(await runExample(code)).toBe(printed)
  },
)

describe('docs: the library, on PostgreSQL', () => {
  let server: TestDatabase
  beforeAll(async () => {
    server = await startTestDatabase()
  }, 60_000)
  afterAll(() => server?.stop())
  afterEach(() => {
    delete process.env['MEMCTL_DATABASE_URL']
  })

  test.each(AGENT_EXAMPLES)('docs: on PostgreSQL the library prints $printed', async ({ code, printed }) => {
    process.env['MEMCTL_DATABASE_URL'] = server.url
    await memctl.getDatabase().migrate()
    await memctl.getDatabase().getCursor((cursor) => cursor.execute('truncate agent_memory'))
    expect(await runExample(code.replace(EXAMPLE_URL, server.url))).toBe(printed)
  })
})

/** What an example prints. */
async function runExample(code: string): Promise<string> {
  const { code: plain } = await transform(code, { loader: 'ts', format: 'esm', target: 'node20' })
  const body = plain.replaceAll(/import \{([\s\S]*?)\} from "([^"]+)";/g, 'const {$1} = await from("$2");')
  const said: string[] = []
  const log = (...words: unknown[]): number =>
    said.push(words.map((word) => (typeof word === 'string' ? word : inspect(word))).join(' '))
  const from = async (name: string): Promise<unknown> => (name === 'memctl' ? memctl : import(name))
  const run = new Function('from', 'console', `return (async () => {${body}})()`)
  await (run as (from: unknown, console: unknown) => Promise<void>)(from, { log })
  return `${said.join('\n')}\n`
}

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
