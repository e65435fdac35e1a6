// Asks the client of the user, `claude -p`: without tools, hooks, MCP servers and settings of a project.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { win32 } from 'node:path'
import { unlessCancelled } from '../../model/longCall.ts'
import { type Fields, parseObject } from '../../model/unknownJson.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { ModelRequest } from '../instructions.ts'
import { type ModelReply, modelUnavailable, tokenCount } from './askService.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ClaudeOptions {
  /** The program: a name on the PATH or a path. */
  readonly command: string
  /** Undefined for the client's default. */
  readonly model: string | undefined
  readonly env: Environment
  /** The folder it runs in. Without CLAUDE.md and settings. */
  readonly folder: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Removes secrets: what a client says about a failure may name a proxy's password or a key. */
  readonly redact: (text: string) => string
}

/** Throws MODEL_UNAVAILABLE if the client is missing, fails, takes too long or answers with something else. */
export async function askClaude(request: ModelRequest, options: ClaudeOptions): Promise<ModelReply> {
  const { code, stdout, stderr } = await unlessCancelled(options.signal, () => runClient(request, options))
  const result = parseObject(stdout)
  if (code === 0 && result && result['is_error'] !== true && typeof result['result'] === 'string')
    return { text: result['result'], model: modelOf(result) || (options.model ?? 'claude'), tokens: tokensOf(result) }
  const said = options.redact(typeof result?.['result'] === 'string' ? result['result'] : stderr || stdout)
  throw modelUnavailable(`${options.command} failed: ${firstLine(said, 200) || `exit status ${code}`}`)
}

/** Characters of the client's output that are kept: an answer has some thousand. */
const OUTPUT_CHARS_MAX = 200_000

const ARGUMENTS = (
  '--print --output-format=json --tools= --strict-mcp-config --disable-slash-commands --setting-sources=user ' +
  '--settings={"disableAllHooks":true} --no-session-persistence'
).split(' ')

type ClientRun = Readonly<{ code: number | null; stdout: string; stderr: string }>

function runClient({ system, user }: ModelRequest, options: ClaudeOptions): Promise<ClientRun> {
  const { command, model, env, folder, timeoutMs, signal } = options
  const words = [...ARGUMENTS, ...(model === undefined ? [] : [`--model=${model}`]), `--system-prompt=${system}`]
  return new Promise((resolve, reject) => {
    const { file, words: before } = findProgram(command, env)
    const child = spawn(file, [...before, ...words], { cwd: folder, env: clientEnvironment(env), windowsHide: true })
    const kill = (): void => void child.kill('SIGKILL')
    const timer = setTimeout(() => {
      kill()
      reject(modelUnavailable(`${command} gave no answer within ${timeoutMs / 1000} s`))
    }, timeoutMs)
    process.once('exit', kill)
    signal?.addEventListener('abort', kill, { once: true })
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
      process.removeListener('exit', kill)
    }
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        if (output[name].length < OUTPUT_CHARS_MAX) output[name] += chunk
      })
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      end()
      const isMissing = error.code === 'ENOENT'
      reject(
        isMissing
          ? modelUnavailable(
              `${command} is not installed`,
              'Install Claude Code, or set distill.command in config.yaml.',
            )
          : modelUnavailable(`${command} cannot be started: ${error.message}`),
      )
    })
    child.once('close', (code) => {
      end()
      resolve({ code, ...output })
    })
    child.stdin.on('error', () => {
      // The client may end before it has read everything; its exit status says why.
    })
    child.stdin.end(user)
  })
}

/** The program to start, and what comes before its arguments. */
const findProgram = (command: string, env: Environment) =>
  process.platform === 'win32' ? findWindowsProgram(command, env) : { file: command, words: [] }

/** Variables by which a client knows that it runs inside of another one. A hook's worker has inherited them. */
const SESSION_VARIABLES =
  /^CLAUDECODE$|^CLAUDE_(?:PROJECT_DIR|ENV_FILE|PLUGIN_ROOT)$|^CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT)$/

function clientEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || SESSION_VARIABLES.test(name) ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(kept), MEMCTL_OFF: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }
}

/** The model that wrote the answer: of several, such as one for titles, the one with the most output. */
function modelOf(result: Fields): string {
  const usage = Object.entries((result['modelUsage'] ?? {}) as Record<string, { readonly outputTokens?: number }>)
  return usage.sort((a, b) => (b[1].outputTokens ?? 0) - (a[1].outputTokens ?? 0))[0]?.[0] ?? ''
}

function tokensOf(result: Fields): ModelReply['tokens'] {
  const usage = (result['usage'] ?? {}) as Fields
  const input = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
  const sum = input.reduce((total, name) => total + tokenCount(usage[name]), 0)
  return sum === 0 ? undefined : { input: sum, output: tokenCount(usage['output_tokens']) }
}

/** What is read of the disk. */
interface Disk {
  exists(file: string): boolean
  read(file: string): string
}

/** The file that a `.cmd` of npm starts; `%~dp0` is its own folder. */
const STARTED = /"%(?:~dp0|dp0%)\\?([^"%]+\.(?:[cm]?js|exe))"/gi

/** The program of `command` if it is a `.cmd` of npm: by its path or by its name in PATH; else the command itself. */
export function findWindowsProgram(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  disk: Disk = { exists: existsSync, read: (file) => readFileSync(file, 'latin1') },
): { readonly file: string; readonly words: readonly string[] } {
  const isPath = /[\\/]/.test(command)
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? ''
  const folders = isPath ? [''] : path.split(';').filter(Boolean)
  for (const folder of folders) {
    const file = win32.join(folder, /\.cmd$/i.test(command) ? command : `${command}.cmd`)
    // Windows prefers a program beside it.
    if (disk.exists(win32.join(folder, `${command}.exe`))) break
    const started = disk.exists(file) ? [...disk.read(file).matchAll(STARTED)].at(-1)?.[1] : undefined
    if (started === undefined) continue
    const target = win32.join(win32.dirname(file), started)
    return /\.exe$/i.test(target) ? { file: target, words: [] } : { file: process.execPath, words: [target] }
  }
  return { file: command, words: [] }
}
