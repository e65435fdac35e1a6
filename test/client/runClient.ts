// Runs the real Claude Code client once, in print mode, against the scripted API. It gets a dummy key, a home that
// starts empty, and of the caller's environment nothing but PATH. On timeout this one child is killed, by its pid.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { findClient, INSTALL_COMMAND } from './binary.ts'
import { type ApiRequest, type Route, startApi, type Turn } from './scriptedApi.ts'

export interface ClientRun {
  /** The folder the session runs in. */
  readonly project: string
  readonly turns: readonly Turn[]
  /** One prompt, or several typed one after the other's answer within the same session. */
  readonly prompt: string | readonly string[]
  /** The client's HOME, made if missing. Give the same one again for a second session or `--continue`. */
  readonly home: string
  /** Further variables for the client and its hooks. */
  readonly env?: Readonly<Record<string, string>>
  /** Further arguments, such as `--plugin-dir`. */
  readonly args?: readonly string[]
  readonly routes?: readonly Route[]
  readonly summary?: string
  /** Seeds the ids of tool calls; default: the prompt and the time. */
  readonly seed?: string
  readonly claude?: string
  readonly timeoutMs?: number
}

export interface ClientResult {
  /** The client's exit status; null when it was killed, by a hanging turn or by the timeout. */
  readonly code: number | null
  readonly requests: readonly ApiRequest[]
  readonly stdout: string
  readonly stderr: string
  /** The client's own log: which hook ran, and how it ended. */
  readonly debug: string
}

type Client = ChildProcessByStdio<Writable, Readable, Readable>

/** No secret: the scripted model takes any key. */
export const DUMMY_KEY = 'dummy-key-for-a-scripted-model'

const TIMEOUT_MS = 120_000
// A hook's detached child may hold the client's pipes open; what came until then is all there is.
const PIPE_DRAIN_MS = 300
const TOOLS = 'Bash,Read,Write,Edit,Glob,Grep,Agent'

/** Runs one session to its end. A client that fails is a result, not an error: look at `code`. */
export async function runClient(run: ClientRun): Promise<ClientResult> {
  const claude = run.claude ?? findClient()
  if (claude === undefined) throw new Error(`There is no Claude Code client. Get it: ${INSTALL_COMMAND}`)
  const { turns, routes = [], summary = 'Work so far.', seed = `${run.prompt}${Date.now()}` } = run
  const prompts = typeof run.prompt === 'string' ? [run.prompt] : run.prompt
  mkdirSync(run.home, { recursive: true })
  const out = mkdtempSync(path.join(tmpdir(), 'client-run-'))
  const debugFile = path.join(out, 'debug.txt')
  const api = await startApi({ turns, routes, summary, seed })
  try {
    const fixed = ['-p', '--permission-mode', 'acceptEdits', '--allowedTools', TOOLS, '--debug-file', debugFile]
    const streaming = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    const child = spawn(claude, [...fixed, ...streaming, ...(run.args ?? [])], {
      cwd: realpathSync(run.project),
      env: { ...environment(run.home, api.port), ...run.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    void api.hung.then(() => child.kill('SIGKILL'))
    const said = await conversation(child, prompts, run.timeoutMs ?? TIMEOUT_MS)
    if (api.failures.length > 0) throw api.failures[0]
    return { ...said, requests: api.requests, debug: readIfThere(debugFile) }
  } finally {
    await api.close()
    rmSync(out, { recursive: true, force: true })
  }
}

/** All variables of a client: of the caller's environment nothing but PATH. */
export function environment(home: string, port: number): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    SHELL: '/bin/sh',
    USER: 'dev',
    ANTHROPIC_API_KEY: DUMMY_KEY,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    CLAUDE_CODE_MAX_RETRIES: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }
}

async function conversation(
  child: Client,
  prompts: readonly string[],
  timeoutMs: number,
): Promise<Pick<ClientResult, 'code' | 'stdout' | 'stderr'>> {
  const waiting = [...prompts]
  const said = { stdout: '', stderr: '' }
  let results = 0
  const next = (): void => {
    const text = waiting.shift()
    if (text === undefined) child.stdin.end()
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
  }
  child.stdin.on('error', () => {}) // The client may be gone before it has read what we still had to say.
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said.stdout += chunk
    // A prompt sent before the last one's result would be slipped into the turn that is still running.
    for (const count = resultsIn(said.stdout); results < count; results++) next()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said.stderr += chunk
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const closed = new Promise<void>((done) => child.once('close', () => done()))
  const exited = new Promise<number | null>((done, failed) => child.once('exit', done).once('error', failed))
  next()
  const code = await exited.finally(() => clearTimeout(timer))
  await Promise.race([closed, new Promise((done) => setTimeout(done, PIPE_DRAIN_MS).unref())])
  return { code, ...said }
}

// The last line may still be on its way, so only those with a newline behind them are read.
function resultsIn(stdout: string): number {
  const whole = stdout.split('\n').slice(0, -1)
  return whole.filter((line) => line.startsWith('{') && JSON.parse(line).type === 'result').length
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // A client that was killed early has not opened its log.
  }
}
