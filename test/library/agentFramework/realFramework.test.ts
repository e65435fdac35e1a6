// The real framework, if it is installed: MEMCTL_AIGNE names the folder whose node_modules have @aigne/core. The
// package takes 223 MB with its dependencies, so it is none of ours; a step of .ci/run installs it.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPOSITORY } from '../../cli/testContext.ts'
import { newFolder } from '../../tempFolders.ts'
import { compile, packLibrary } from '../packedLibrary.ts'

const installed = process.env['MEMCTL_AIGNE']
const folder = newFolder('aigne')
const program = fs.readFileSync(path.join(REPOSITORY, 'test/fixtures/aigne/framework.mts'), 'utf8')

describe.skipIf(installed === undefined)('the real framework', () => {
  beforeAll(() => {
    packLibrary(folder)
    const packages = path.join(path.resolve(installed ?? ''), 'node_modules/@aigne')
    fs.symlinkSync(packages, path.join(folder, 'node_modules/@aigne'))
    fs.writeFileSync(path.join(folder, 'framework.mts'), program)
  })
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  test('library: a program of the framework compiles under strict, with its types and ours', () => {
    // The framework's own declarations are not checked.
    const options = { module: 'nodenext', lib: ['es2023', 'dom'], skipLibCheck: true }
    expect(compile(folder, ['framework.mts'], options)).toBe('')
  })

  test('library: recorder, retriever and MemoryAgent work in the framework as its own do', async () => {
    const { code } = await transform(program, { loader: 'ts', format: 'esm', target: 'node20' })
    fs.writeFileSync(path.join(folder, 'framework.mjs'), code)
    const printed = execFileSync(process.execPath, [path.join(folder, 'framework.mjs')], { encoding: 'utf8' })
    const asked = { input: { query: 'What is the capital of France?' } }
    const answered = {
      input: { message: 'Which city lies on the Rhône?' },
      output: { message: 'Lyon lies on the Rhône. リヨンはローヌ川沿いにある。' },
      source: 'assistant',
    }
    const facts = printed.trim().split('\n')
    expect(
      facts.map((line) => [line.slice(0, line.indexOf(': ')), JSON.parse(line.slice(line.indexOf(': ') + 2))]),
    ).toEqual([
      ...['instances', 'options', 'functions'].flatMap((form) => [
        [`${form}, recorded`, 1],
        [`${form}, found`, [asked]],
        [`${form}, same id`, true],
        [`${form}, no text`, 'INPUT_INVALID'],
      ]),
      ['framework’s parts', [asked]],
      ['recorded by the agent', [answered]],
      ['asked with the memory', [true, false, true]],
      ['both agents', ['other', 'assistant', 'assistant', 'assistant']],
      ['published', [{ input: { text: 'order 7 is late' }, source: 'orders' }]],
      ['document, by the engine', [1, asked]],
      ['memctl, by the engine', [1, asked]],
      ['document, a bound method', 'rejected'],
    ])
  })
})
