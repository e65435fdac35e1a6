// A model through the user's client: a script stands for the client. test/client has the real one.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { askClaude, type ClaudeOptions } from '../../../src/distill/models/askClaude.ts'
import { redactThoroughly } from '../../../src/record/redact/secondPass.ts'
import { newFolder } from '../../tempFolders.ts'

const REQUEST = { system: 'Read.', user: 'The digest.' }

/** A program that runs this code with its arguments as `args` and its stdin as `input`. */
function createClient(code: string): Pick<ClaudeOptions, 'command' | 'folder'> {
  const folder = newFolder('client')
  const command = path.join(folder, 'claude')
  const script = [
    `#!${process.execPath}`,
    'const args = process.argv.slice(2)',
    "const input = require('fs').readFileSync(0, 'utf8')",
    code,
  ]
  fs.writeFileSync(command, script.join('\n'), { mode: 0o755 })
  return { command, folder }
}

const OPTIONS = { model: undefined, env: process.env, timeoutMs: 20_000, redact: redactThoroughly }

const ask = (code: string, given: Partial<ClaudeOptions> = {}) =>
  askClaude(REQUEST, { ...createClient(code), ...OPTIONS, ...given })

const RESULT = (result: string) => `console.log(JSON.stringify({ is_error: false, result: ${result}, usage: {
  input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 7 }, modelUsage: { haiku: { outputTokens: 7 } } }))`

test('distill: the client runs without tools, servers, hooks and project settings, in a folder of memctl', async () => {
  const seen = `JSON.stringify({ args, input, cwd: process.cwd(), off: process.env.MEMCTL_OFF,
    inside: process.env.CLAUDECODE, key: process.env.ANTHROPIC_API_KEY })`
  const env = { ...process.env, CLAUDECODE: '1', ANTHROPIC_API_KEY: 'a-key' }
  const client = createClient(RESULT(seen))
  const reply = await askClaude(REQUEST, { ...client, ...OPTIONS, model: 'haiku', env })
  const { args, ...rest } = JSON.parse(reply.text)
  expect(rest).toEqual({ input: 'The digest.', cwd: client.folder, off: '1', key: 'a-key' })
  expect(args).toEqual([
    '--print',
    '--output-format=json',
    '--tools=',
    '--strict-mcp-config',
    '--disable-slash-commands',
    '--setting-sources=user',
    '--settings={"disableAllHooks":true}',
    '--no-session-persistence',
    '--model=haiku',
    '--system-prompt=Read.',
  ])
  expect(reply).toMatchObject({ model: 'haiku', tokens: { input: 100, output: 7 } })
})

test('distill: a missing client is MODEL_UNAVAILABLE with a hint', async () => {
  await expect(ask('', { command: '/no/such/claude' })).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: '/no/such/claude is not installed',
    hint: expect.stringContaining('distill.command'),
  })
})

test('distill: a client that takes too long is killed', async () => {
  const { command, folder } = createClient(
    "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1e6)",
  )
  const options = { command, folder, ...OPTIONS, timeoutMs: 1_500 }
  await expect(askClaude(REQUEST, options)).rejects.toMatchObject({ message: expect.stringContaining('within 1.5 s') })
  const pid = Number(fs.readFileSync(path.join(folder, 'pid'), 'utf8'))
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})

test('distill: a client is killed when the caller does not want its answer any more', async () => {
  const { command, folder } = createClient(
    "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1e6)",
  )
  const cancel = new AbortController()
  const options = { command, folder, ...OPTIONS, signal: cancel.signal }
  const asking = askClaude(REQUEST, options)
  const readPid = () => fs.readFileSync(path.join(folder, 'pid'), 'utf8')
  await expect.poll(() => fs.existsSync(path.join(folder, 'pid')) && readPid() !== '', { timeout: 10_000 }).toBe(true)
  cancel.abort()
  await expect(asking).rejects.toMatchObject({ code: 'CANCELLED' })
  await expect.poll(() => isAlive(Number(readPid())), { timeout: 10_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // No such process.
  }
}

test('distill: what the client says about its failure is in the error', async () => {
  await expect(ask("console.error('Please run /login'); process.exit(1)")).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('failed: Please run /login'),
  })
  const limit = "console.log(JSON.stringify({ is_error: true, result: 'Usage limit reached' })); process.exit(1)"
  await expect(ask(limit)).rejects.toMatchObject({ message: expect.stringContaining('failed: Usage limit reached') })
})

test('distill: a secret in what the client says is not in the error, wherever the text is cut', async () => {
  const key = `sk-ant-api03-${'Zq8sKd02mfLw93Hx'.repeat(3)}-AAAAAAAA`
  for (const before of ['proxy http://bob:hunter2xyzzBJ@proxy:3128 refused', 'x'.repeat(170)]) {
    const asking = ask(`console.error(${JSON.stringify(`${before} with the key ${key}`)}); process.exit(1)`)
    const error = await asking.catch((thrown: Error) => thrown.message)
    expect(error).toContain('failed: ')
    expect(error).not.toMatch(/hunter2xyzz|Zq8s/)
  }
})
