// The package's declarations: every type can be imported and has comments, by `import` and by `require`, and both load
// the same library.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Declarations } from '../../build-types.mjs'
import * as memctl from '../../src/index.ts'
import { newFolder } from '../tempFolders.ts'
import { compile, packLibrary } from './packedLibrary.ts'

const folder = newFolder('declarations')
let declarations: Declarations
let types: readonly string[]
beforeAll(() => {
  declarations = packLibrary(folder)
  const { text } = declarations
  types = [...text.matchAll(/^export (?:declare )?(?:interface|type|class) (\w+)/gm)].map(([, name]) => name ?? '')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): string => {
  fs.writeFileSync(path.join(folder, name), text)
  return name
}
const run = (name: string): string =>
  execFileSync(process.execPath, [path.join(folder, name)], { cwd: folder, encoding: 'utf8' })

test('library: every type that a caller can reach is exported', () => {
  expect(declarations.unexported).toEqual([])
  expect(types.length).toBeGreaterThan(60)
})

test('library: every exported name, class, method and field has a comment', () => {
  expect(declarations.undocumented).toEqual([])
})

test('library: the comment of a number gives its unit or its range', () => {
  expect(declarations.withoutUnit).toEqual([])
})

test('library: the declarations have every value, and nothing for memctl alone', () => {
  const names = [...declarations.text.matchAll(/^export declare (?:function|class|const) (\w+)/gm)].map(
    ([, name]) => name,
  )
  expect(names.sort()).toEqual(Object.keys(memctl).sort())
  expect(declarations.text).not.toMatch(/@internal|from '\.|import\(|[:<] *any[;,>)[|]/)
})

const USE = `
import { type ProjectMemory, MemoryError, openMemory, type MemoryRecord } from 'memctl'
export async function use(memory: ProjectMemory = openMemory()): Promise<readonly MemoryRecord[]> {
  const found = await memory.search('linter', { kinds: ['lesson'], signal: AbortSignal.timeout(1_000) })
  // @ts-expect-error there is no such kind
  await memory.search('linter', { kinds: ['song'] }).catch((error) => error instanceof MemoryError && error.hint)
  await using other = openMemory({ project: '.' })
  return [...found, ...(await other.recall({ text: 'tests', files: ['a.ts'] })).shown].map((each) => each.memory)
}
`

test.each([
  ['nodenext', 'nodenext'],
  ['node16', 'node16'],
  ['esnext', 'bundler'],
])(
  'library: types of %s modules, resolved by %s, under strict, for import and for require',
  (module, moduleResolution) => {
    const names = `import type { ${types.join(', ')} } from 'memctl'\nexport type All = [${types
      .filter((name) => !new RegExp(`(?:interface|type|class) ${name}<`).test(declarations.text))
      .join(', ')}]\n`
    const files = [write('use.mts', USE), write('names.mts', names)]
    // A CommonJS file in TypeScript: \`import\` there means \`require\`.
    if (moduleResolution !== 'bundler') files.push(write('use.cts', USE), write('names.cts', names))
    expect(compile(folder, files, { module, moduleResolution })).toBe('')
  },
)

test('library: the types need no types of Node if the compiler has those of the DOM', () => {
  const files = [write('use.mts', USE)]
  expect(compile(folder, files, { module: 'nodenext', types: [], lib: ['es2022', 'dom'] })).toBe('')
})

test('library: a program may pass what one format made to a function of the other', () => {
  const made = `import { openMemory, type MemoryAgent } from 'memctl'
export const agent: MemoryAgent = openMemory().memoryAgent()`
  const used = `import { agent } from './made.cjs'
import type { MemoryAgent } from 'memctl'
export const same: MemoryAgent = agent`
  const files = [write('made.cts', made), write('used.mts', used)]
  expect(compile(folder, files, { module: 'nodenext' })).toBe('')
})

test('library: import and require load one library: the same classes, one shared connection', () => {
  const both = `
import { createRequire } from 'node:module'
import * as imported from 'memctl'
const required = createRequire(import.meta.url)('memctl')
console.log(Object.keys(imported).every((name) => imported[name] === required[name]), Object.keys(required).length)
console.log(imported.getDatabase() === required.getDatabase())
try {
  required.openMemory({ role: 'nobody' })
} catch (error) {
  console.log(error instanceof imported.MemoryError, error.code)
}
`
  const count = Object.keys(memctl).length
  expect(run(write('both.mjs', both))).toBe(`true ${count}\ntrue\ntrue INPUT_INVALID\n`)
})

test('library: require works in a CommonJS program', () => {
  const program = `
const { openMemory } = require('memctl')
const memory = openMemory({ project: __dirname, env: { MEMCTL_HOME: __dirname + '/home' } })
memory
  .call('memory_store', { content: '月末に発注する' })
  .then(() => memory.search('発注'))
  .then(([found]) => console.log(found.memory.content))
  .then(() => memory.close())
`
  expect(run(write('program.cjs', program))).toBe('月末に発注する\n')
})
