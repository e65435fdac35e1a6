// Builds the code caches of the hooks, in the worker.
//
// The code of each hook runs here for a sample session, with a fake process, stdin and stdout and a temporary store,
// so that V8 compiles the functions that a real run needs. The session runs twice with maintenance in between: the
// second time there are memories to recall.
import fs from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'
import { runMaintenance } from '../broker/maintenance/maintenance.ts'
import { openStore } from '../broker/open/openStore.ts'
import type { HookPayload } from '../record/hookPayload.ts'
import { realDisk } from '../store/disk/files.ts'
import {
  codeCacheFile,
  codeCacheFolder,
  currentCodeCacheFolder,
  encodeCodeCache,
  type HookCode,
  hasCodeCache,
  listHookCode,
} from './codeCache.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The code of a hook as the build wraps it. */
type WrappedCode = (require: (name: string) => unknown, folder: string, process: object, script: string) => void

/** Older caches are removed, in days. The next worker rebuilds one that is still in use. */
const CACHE_DAYS_MAX = 3

/** Builds the missing caches for the hooks in a folder, and removes old ones. `faults` are of its sample session. */
export async function buildCodeCaches(hooksFolder: string, env: Environment, now: number) {
  pruneCaches(codeCacheFolder(env), now)
  const hooks = listHookCode(realDisk, hooksFolder)
  const missing = hooks.filter(({ script, code }) => !hasCodeCache(realDisk, env, script, code))
  if (missing.length === 0) return { built: 0, faults: '' }
  const temporary = `${currentCodeCacheFolder(env)}/scratch.${process.pid}`
  try {
    const compiled = missing.map((hook) => ({ ...hook, compiled: compileHook(hooksFolder, hook) }))
    const faults = await runSampleSession(compiled, hooksFolder, temporary, now)
    for (const hook of compiled)
      realDisk.replace(codeCacheFile(env, hook.script, hook.code), encodeCodeCache(hook.compiled.createCachedData()))
    return { built: missing.length, faults }
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}

/** The code for one script. By its name V8 keeps the functions that another script has compiled out of its cache. */
function compileHook(hooksFolder: string, { script, code }: HookCode): Script {
  const filename = `${hooksFolder}/code/${code}.js`
  return new Script(fs.readFileSync(filename, 'utf8'), { filename: `${filename}#${script}` })
}

/** Runs the sample session through the scripts, twice, and returns its faults. */
async function runSampleSession(
  scripts: readonly (HookCode & { readonly compiled: Script })[],
  hooksFolder: string,
  temporary: string,
  now: number,
): Promise<string> {
  const root = `${temporary}/project`
  const env = { MEMCTL_HOME: `${temporary}/home`, CLAUDE_PROJECT_DIR: root }
  fs.mkdirSync(`${root}/.git`, { recursive: true, mode: 0o700 })
  fs.writeFileSync(`${root}/.git/HEAD`, 'ref: refs/heads/main\n')
  const hooks = scripts.map((hook) => ({ ...hook, run: hook.compiled.runInThisContext() as WrappedCode }))
  for (const session of ['first', 'second']) {
    for (const payload of buildSampleSession(session, root)) {
      for (const { event, script, run } of hooks) {
        if (event !== payload.hook_event_name) continue
        run(fakeRequire(payload), hooksFolder, fakeProcess(env, root), script)
        await new Promise(setImmediate) // A hook starts the worker after its output.
      }
    }
    runMaintenance(openStore(root, env), { now, sessions: 'all' })
  }
  const { files, layout } = openStore(root, env)
  return files.read(layout.faults)?.toString('utf8') ?? ''
}

/** Node's modules, but stdin has this payload, stdout is discarded, and no worker starts. */
function fakeRequire(payload: HookPayload): (name: string) => unknown {
  const line = Buffer.from(`${JSON.stringify(payload)}\n`)
  const readSync = (from: number, into: Buffer, ...rest: [number, number, number | null]): number =>
    from === 0 ? line.copy(into) : fs.readSync(from, into, ...rest)
  const writeSync = (to: number, ...rest: [string & NodeJS.ArrayBufferView]): number =>
    to === 1 ? 0 : fs.writeSync(to, ...rest)
  const modules: Readonly<Record<string, unknown>> = {
    'node:fs': Object.assign(Object.create(fs), { readSync, writeSync }),
    'node:path': path,
    'node:child_process': { spawn: () => ({ unref() {} }) },
  }
  return (name) => modules[name]
}

class FakeProcessHandle {
  spawn(): number {
    return 0
  }
  unref(): void {}
}

/** A process that does not end. */
const fakeProcess = (env: Environment, root: string): object => ({
  env,
  argv: [],
  pid: process.pid,
  version: process.version,
  platform: process.platform,
  uptime: () => 0,
  ppid: process.pid,
  execPath: process.execPath,
  cwd: () => root,
  exit: () => {},
  kill: () => true,
  binding: () => ({ Process: FakeProcessHandle, setFlagsFromString: () => {} }),
})

/** Removes old caches of every Node. */
function pruneCaches(folder: string, now: number): void {
  for (const node of realDisk.list(folder)) {
    for (const name of realDisk.list(`${folder}/${node}`)) {
      const file = `${folder}/${node}/${name}`
      const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now
      if (written < now - CACHE_DAYS_MAX * 86_400_000) fs.rmSync(file, { recursive: true, force: true })
    }
    if (realDisk.list(`${folder}/${node}`).length === 0)
      fs.rmSync(`${folder}/${node}`, { recursive: true, force: true })
  }
}

const PROMPT =
  'Why does the parser test fail with an unexpected token? Fix src/parser.ts. Remember: always run npm test first.'
const COMMAND = 'cd packages/core && npm test -- --run parser | tail -20'
const ERROR =
  'Exit code 1\nSyntaxError: Unexpected token } in src/parser.ts:12:4\n    at parse (src/parser.ts:12:4)\n1 failing'
const OUTPUT = '12 passing\n12 passing (40ms)\nDone. It took 3 s.'

/** The payloads of the sample session: every event that a hook may get, with content that runs the usual code. */
function buildSampleSession(session: string, root: string): readonly HookPayload[] {
  const payload = (hook_event_name: string, fields: Readonly<Record<string, unknown>> = {}): HookPayload => ({
    session_id: session,
    transcript_path: `${root}/${session}.jsonl`,
    cwd: root,
    permission_mode: 'default',
    hook_event_name,
    prompt_id: `${session}-prompt`,
    ...fields,
  })
  const path = `${root}/src/parser.ts`
  const bash = { tool_name: 'Bash', tool_input: { command: COMMAND, description: 'Run the tests of the parser' } }
  const edit = {
    tool_name: 'Edit',
    tool_input: { file_path: path, old_string: 'token', new_string: 'const next = tokens.shift()' },
  }
  const agent = { agent_id: `${session}-agent`, agent_type: 'Explore' }
  const call = (n: number) => ({ tool_use_id: `${session}-call-${n}` })
  const success = { tool_response: { stdout: OUTPUT, stderr: '' }, duration_ms: 800 }
  return [
    payload('SessionStart', { source: 'startup' }),
    payload('UserPromptSubmit', { prompt: PROMPT }),
    payload('PreToolUse', { ...bash, ...call(1) }),
    payload('PostToolUseFailure', { ...bash, ...call(1), error: ERROR, is_interrupt: false, duration_ms: 900 }),
    payload('PreToolUse', { ...edit, ...call(2) }),
    payload('PostToolUse', { ...edit, ...call(2), tool_response: { filePath: path }, duration_ms: 9 }),
    payload('PreToolUse', { ...bash, ...call(3) }),
    payload('PostToolUse', { ...bash, ...call(3), ...success }),
    payload('PostToolUse', { ...bash, ...call(4), ...success }),
    payload('SubagentStart', agent),
    payload('SubagentStop', { ...agent, last_assistant_message: OUTPUT }),
    payload('UserPromptSubmit', { prompt: 'Thanks. Now do the same for the lexer: test/lexer.test.ts fails too.' }),
    payload('Stop', { last_assistant_message: 'The parser takes the next token now; all 12 tests pass.' }),
    payload('PreCompact', { trigger: 'auto' }),
    payload('PostCompact', { trigger: 'auto', compact_summary: 'The parser is fixed; the lexer is next.' }),
    payload('SessionStart', { source: 'compact' }),
    payload('SessionEnd', { reason: 'other' }),
  ]
}
