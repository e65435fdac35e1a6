// A Node that is too old gets one clear line, from the command and from the first hook of a session.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REPOSITORY } from '../testContext.ts'

let folder: string

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-old-node-'))
  const pretend = `Object.defineProperty(process, 'version', { value: 'v16.20.2' })
Object.defineProperty(process.versions, 'node', { value: '16.20.2' })`
  fs.writeFileSync(path.join(folder, 'pretend.cjs'), pretend)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const runOnOldNode = (script: string, ...words: string[]) =>
  spawnSync(
    process.execPath,
    ['-r', path.join(folder, 'pretend.cjs'), path.join(REPOSITORY, 'dist', script), ...words],
    {
      input: '{}',
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], MEMCTL_HOME: path.join(folder, 'home') },
    },
  )

test('cli: on a Node below 20 the command says so in one line and ends with 2', () => {
  const { status, stdout, stderr } = runOnOldNode('memctl.cjs', 'init')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe('memctl: This is Node 16.20.2. Install Node 20 or later, then run the command again.\n')
})

test('hook: on a Node below 20 the start of a session says so, every other hook is silent, and all end with 0', () => {
  const start = runOnOldNode('hooks/session-start.cjs')
  expect(JSON.parse(start.stdout)).toEqual({ systemMessage: expect.stringContaining('needs Node 20 or later') })
  const prompt = runOnOldNode('hooks/user-prompt-submit.cjs')
  expect([start, prompt].map(({ status, stderr }) => ({ status, stderr }))).toEqual([
    { status: 0, stderr: '' },
    { status: 0, stderr: '' },
  ])
  expect(prompt.stdout).toBe('')
  expect(fs.existsSync(path.join(folder, 'home'))).toBe(false)
})

test.each(['mcp.mjs', 'slash.mjs', 'statusline.cjs'])('cli: on a Node below 20, %s says so in one line', (script) => {
  const { status, stdout, stderr } = runOnOldNode(script, 'status')
  const line = 'memctl needs Node 20 or later; this is Node 16.20.2\n'
  // The client shows what its status line prints, if that ends with 0.
  const expected = script.startsWith('statusline') ? [0, line, ''] : [2, '', line]
  expect([status, stdout, stderr]).toEqual(expected)
})

test('cli: what an old Node must parse has no syntax that is newer than Node 12', () => {
  const scripts = ['mcp.mjs', 'slash.mjs', 'statusline.cjs', 'memctl.cjs', 'hooks/session-start.cjs', 'hooks/stop.cjs']
  for (const script of scripts) {
    const text = fs.readFileSync(path.join(REPOSITORY, 'dist', script), 'utf8')
    expect(text.match(/\?\.\w|\?\?|\|\|=|&&=|require\("node:/g)).toBeNull()
  }
})
