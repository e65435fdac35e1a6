// One hook as Claude Code starts it: a process of its own, the payload on its stdin, its answer on its stdout.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { HookPayload } from '../../record/hookPayload.ts'

/** A machine as hooks see it. */
export interface HookEnvironment {
  /** The folder of the built hooks. */
  readonly hooks: string
  /** $MEMCTL_HOME */
  readonly home: string
  /** The project's folder. It need not be there. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface HookRun {
  /** From starting the process until it and its pipes were gone, in milliseconds. */
  readonly ms: number
  /** What it told the model; empty for silence. */
  readonly context: string
}

/** Names that would reach into a hook from the outside: the person's own memory, or files that make Node start slowly. */
const NOT_HANDED_ON = /^(?:MEMCTL_|CLAUDE|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$)/

/** Throws NOT_FOUND where nothing was built. */
export function findBuiltHooks(packageRoot: string): string {
  const hooks = path.join(packageRoot, 'dist', 'hooks')
  if (fs.existsSync(path.join(hooks, 'session-start.cjs'))) return hooks
  throw new MemoryError('NOT_FOUND', `There are no built hooks in ${hooks}`, {
    hint: 'Install memctl again; in its own repository run `npm run build`.',
  })
}

/** The script the client would start for a payload; undefined where it would start none. */
export function findHookScript(payload: HookPayload): string | undefined {
  const wired = HOOK_REGISTRATIONS.find((one) => one.event === payload.hook_event_name)
  const tool = payload['tool_name']
  const isWanted = !wired?.matcher || new RegExp(wired.matcher).test(typeof tool === 'string' ? tool : '')
  return isWanted ? wired?.script : undefined
}

/** Runs one hook to its end. `client` is the process that stands for Claude Code. */
export async function runHookProcess(
  world: HookEnvironment,
  script: string,
  payload: HookPayload,
  client: number,
): Promise<HookRun> {
  const run = await runNode([path.join(world.hooks, `${script}.cjs`)], world, `${JSON.stringify(payload)}\n`, client)
  return { ms: run.ms, context: contextIn(run.stdout) }
}

/** Runs Node with nothing to do, the way hooks are run, and says how long that took, in milliseconds. */
export async function runBareNode(world: HookEnvironment): Promise<number> {
  return (await runNode(['-e', '0'], world, '')).ms
}

/** Runs the worker that a hook would have started, and waits for it. */
export async function runWorker(world: HookEnvironment, root: string): Promise<void> {
  await runNode([path.join(world.hooks, '..', 'worker.cjs'), root], world, '')
}

function runNode(
  args: readonly string[],
  world: HookEnvironment,
  stdin: string,
  client?: number,
): Promise<{ ms: number; stdout: string }> {
  const env = Object.fromEntries(Object.entries(world.env).filter(([name]) => !NOT_HANDED_ON.test(name)))
  const told = {
    MEMCTL_HOME: world.home,
    CLAUDE_PROJECT_DIR: world.root,
    ...(client ? { CLAUDE_PID: String(client) } : {}),
  }
  const began = performance.now()
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, {
      cwd: world.home,
      env: { ...env, ...told },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stdin.on('error', () => {}) // It may be gone before it has read all: the client would not mind either.
    child.stdin.end(stdin)
    child.once('error', failed)
    child.once('close', () => done({ ms: performance.now() - began, stdout }))
  })
}

function contextIn(stdout: string): string {
  if (stdout === '') return ''
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } }
  return hookSpecificOutput?.additionalContext ?? ''
}
