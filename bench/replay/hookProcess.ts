// Runs one hook as Claude Code does: a process with the payload on stdin and its output on stdout.
import fs from 'node:fs'
import path from 'node:path'
import { HOOK_REGISTRATIONS, startsHook } from '../../src/model/hookEvents.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import type { HookPayload } from '../../src/record/hookPayload.ts'
import { startNode } from '../fixture/processes.ts'

/** The surroundings of a hook. */
export interface HookEnvironment {
  /** The folder of the built hooks. */
  readonly hooks: string
  /** $MEMCTL_HOME */
  readonly home: string
  /** The project's folder, which need not exist. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** When the process begins, as it sees it, in milliseconds since 1970; the current time if it is absent. */
  readonly atMs?: number | undefined
}

export interface HookRun {
  /** From the start of the process until it closed its pipes, in milliseconds. */
  readonly ms: number
  /** The injected context; empty for none. */
  readonly context: string
  /** Why the call was blocked; empty if it was not. */
  readonly denyReason: string
}

/** Variables that are not passed on: the user's own memory, and files that slow down the start of Node. */
const REMOVED_VARIABLES = /^(?:MEMCTL_|CLAUDE|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$)/

/** The folder of the built hooks. Throws NOT_FOUND if nothing was built. */
export function findBuiltHooks(packageRoot: string): string {
  const hooks = path.join(packageRoot, 'dist', 'hooks')
  if (fs.existsSync(path.join(hooks, 'session-start.cjs'))) return hooks
  throw new MemoryError('NOT_FOUND', `No built hooks in ${hooks}`, {
    hint: 'Install memctl again; in its own repository run `npm run build`.',
  })
}

/** The script that the client starts for a payload; undefined if it starts none. */
export const findHookScript = (payload: HookPayload): string | undefined =>
  startsHook(payload) ? HOOK_REGISTRATIONS.find(({ event }) => event === payload.hook_event_name)?.script : undefined

/** Runs one hook to its end. `client` is the id of the process that takes the place of Claude Code. */
export async function runHookProcess(
  environment: HookEnvironment,
  script: string,
  payload: HookPayload,
  client: number,
): Promise<HookRun> {
  const run = await runNode(
    [path.join(environment.hooks, `${script}.cjs`)],
    environment,
    `${JSON.stringify(payload)}\n`,
    client,
  )
  return { ms: run.ms, ...parseOutput(run.stdout) }
}

/** Runs Node without a script, as hooks are run, and returns its time in milliseconds. */
export async function runBareNode(environment: HookEnvironment): Promise<number> {
  return (await runNode(['-e', '0'], environment, '')).ms
}

/** Runs the worker that a hook starts, and waits for it. */
export async function runWorker(environment: HookEnvironment, root: string): Promise<void> {
  await runNode([path.join(environment.hooks, '..', 'worker.cjs'), root], environment, '')
}

async function runNode(args: readonly string[], environment: HookEnvironment, stdin: string, client?: number) {
  const env = Object.fromEntries(Object.entries(environment.env).filter(([name]) => !REMOVED_VARIABLES.test(name)))
  const hookEnv = {
    ...env,
    MEMCTL_HOME: environment.home,
    CLAUDE_PROJECT_DIR: environment.root,
    ...(client ? { CLAUDE_PID: String(client) } : {}),
    ...(environment.atMs === undefined ? {} : clockVariables(environment.hooks, environment.atMs)),
  }
  const startMs = performance.now()
  const { stdout } = await startNode(args, { env: hookEnv, cwd: environment.home, stdin }).ended
  return { ms: performance.now() - startMs, stdout }
}

/** The worker that a hook starts inherits them. Its clock begins at the same time. */
function clockVariables(hooks: string, atMs: number): Record<string, string> {
  const script = path.join(hooks, '..', 'replay-clock.cjs')
  return { NODE_OPTIONS: `--require ${JSON.stringify(script)}`, MEMCTL_REPLAY_AT: String(atMs) }
}

function parseOutput(stdout: string): Pick<HookRun, 'context' | 'denyReason'> {
  if (stdout === '') return { context: '', denyReason: '' }
  const { hookSpecificOutput } = JSON.parse(stdout) as {
    hookSpecificOutput?: { additionalContext?: string; permissionDecisionReason?: string }
  }
  const { additionalContext: context = '', permissionDecisionReason: denyReason = '' } = hookSpecificOutput ?? {}
  return { context, denyReason }
}
