// What a hook does with its payload, run by a script of its own or by our MCP server. It never throws: a fault
// goes to the store's faults.jsonl, never to the session.
import { resolve } from 'node:path'
import { type HookContext, type HookHandler, hideSecretsOf, openHookContext } from '../broker/handlers/hookContext.ts'
import { pluginAnswerFrom } from '../broker/open/hookConfig.ts'
import { openStore, type Store } from '../broker/open/openStore.ts'
import { MemoryError } from '../model/memoryError.ts'
import { getTextField, type HookPayload } from '../record/hookPayload.ts'
import { recordFault } from './recordFault.ts'
import type { WorkerTask } from './startWorker.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface HookRun extends Pick<HookContext, 'now' | 'elapsedMs' | 'client'> {
  readonly env: Environment
  /** How long the payload is. */
  readonly bytes: number
}

interface HookResult {
  /** The JSON for the client; absent for no output. */
  readonly output?: string
  readonly pendingWork?: PendingWork
}

interface PendingWork {
  readonly store: Store
  readonly folder: string
  /** Absent for maintenance, which includes the other. */
  readonly task: WorkerTask | undefined
}

const NO_RESULT: HookResult = {}

const HINT = { hint: 'The end of the session takes it from the transcript.' }

/** Handles one event; `payload` is undefined if it is incomplete. */
export function answerHook(
  eventName: string,
  payload: HookPayload | undefined,
  handler: HookHandler,
  { env, now, elapsedMs, client, bytes }: HookRun,
): HookResult {
  try {
    const folder = env['CLAUDE_PROJECT_DIR'] || (payload && getTextField(payload, 'cwd')) || resolve('.')
    const store = openStore(folder, env)
    try {
      if (!payload) throw new MemoryError('PAYLOAD_INCOMPLETE', `A payload ended after ${bytes} bytes`, HINT)
      // `eventName`, not the name in the payload, selects the handler and the form of the output: the client may be
      // newer.
      const output = handler(payload, {
        ...openHookContext(store, now, client),
        pluginAnswer: pluginAnswerFrom(env),
        elapsedMs,
      })
      const { context, message, denyReason, needsMaintenance, refresh } = hideSecretsOf(output)
      const task: WorkerTask | undefined = needsMaintenance ? undefined : 'recent'
      const result: HookResult = needsMaintenance || refresh ? { pendingWork: { store, folder, task } } : NO_RESULT
      if (!context && !denyReason && !message) return result
      const forModel = denyReason
        ? { permissionDecision: 'deny', permissionDecisionReason: denyReason }
        : context
          ? { additionalContext: context }
          : undefined
      const hookSpecificOutput = forModel && { hookEventName: eventName, ...forModel }
      return { ...result, output: JSON.stringify({ hookSpecificOutput, systemMessage: message }) }
    } catch (fault) {
      recordFault(store, eventName, fault)
      return NO_RESULT
    }
  } catch {
    return NO_RESULT // No home folder, or the fault cannot be written either: the session must not be disturbed.
  }
}

/** Starts the detached worker for the project of a folder. Only some hooks have it. */
export type StartWorker = (folder: string, env: Environment, task?: WorkerTask) => void | Promise<void>

/** Starts the worker for what a hook has left. A promise if the process must not end before. */
export function startPendingWork(
  eventName: string,
  { store, folder, task }: PendingWork,
  env: Environment,
  startWorker: StartWorker,
): Promise<void> | undefined {
  const onFault = (fault: unknown): void => recordFault(store, eventName, fault)
  try {
    // The session's folder, not the project's root: a part of a repository may be a project of its own.
    return startWorker(resolve(folder), env, task)?.catch(onFault)
  } catch (fault) {
    onFault(fault)
    return undefined
  }
}
