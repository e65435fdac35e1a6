// The reading of finished sessions, one after the other, within the budget of a day.
import type { ModelRequest } from '../../distill/instructions.ts'
import { parseModelAnswer } from '../../distill/modelAnswer.ts'
import { askClaude } from '../../distill/models/askClaude.ts'
import { askService, SERVICES } from '../../distill/models/askService.ts'
import type { SessionId } from '../../model/id.ts'
import { assertNotCancelled } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { acquireLock } from '../../store/disk/lock.ts'
import { estimateTokens } from '../../text/excerpt.ts'
import { isoTime } from '../../text/isoTime.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Environment, Store } from '../open/openStore.ts'
import { commitAnswer, type DistillResult } from './answerChanges.ts'
import { type DistillConfig, keyVariable, modelOf, readDistillConfig } from './distillConfig.ts'
import {
  type DistillError,
  type DistillUsage,
  distillLockFile,
  findExceededBudget,
  isRejected,
  listDueSessions,
  NO_TOTAL,
  readDistillUsage,
  writeDistillUsage,
} from './distillUsage.ts'
import { type PreparedSession, prepareSession } from './prepareSession.ts'

interface DistillOptions {
  readonly config: DistillConfig
  readonly env: Environment
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** No call starts after this, in milliseconds since 1970. */
  readonly deadline?: number
  /** Also sessions with rejected answers: somebody named them. */
  readonly isRequested?: boolean
  /** Ends the request to the model; then this throws CANCELLED. */
  readonly signal?: AbortSignal | undefined
}

/** A detached process: its environment and clock, and when it is ended, in milliseconds since 1970. */
type DistillProcess = Pick<DistillOptions, 'env' | 'now'> & { readonly endMs: number }

/** Reads the due sessions with the configured model, if there is one. No call begins that could not end in time. */
export async function distillDueSessions(store: Store, { env, now, endMs }: DistillProcess): Promise<void> {
  const config = readDistillConfig(store)
  if (!config) return
  // A request is repeated once, and the rest takes a second or two.
  const deadline = endMs - (2 * config.timeoutSeconds + 10) * 1_000
  await distillSessions(store, listDueSessions(store, now()), { config, env, now, deadline })
}

/**
 * Reads these sessions, one after the other, until one fails: then the network, the key, the client or the budget is
 * missing for the others too. That error is returned, and kept for `memctl status`.
 */
export async function distillSessions(store: Store, sessions: readonly SessionId[], options: DistillOptions) {
  const { home, files } = store
  const lock = home === undefined ? undefined : acquireLock(files, distillLockFile(home))
  if (!lock) {
    const hint = 'Wait for it, then try again.'
    return { distilled: [], error: new MemoryError('STORE_BUSY', 'Another process is asking the model', { hint }) }
  }
  const distilled: DistillResult[] = []
  try {
    for (const session of sessions) {
      assertNotCancelled(options.signal)
      if (options.now() >= (options.deadline ?? Number.POSITIVE_INFINITY)) break
      if (!isWanted(store, options)) break
      if (!options.isRequested && isRejected(readDistillUsage(store, options.now()), session)) continue
      const prepared = prepareSession(store, session, options.config.digestTokens)
      const result = prepared && (await distillSession(store, prepared, options))
      if (result) distilled.push(result)
    }
    return { distilled }
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === 'CANCELLED') throw error
    const { message: what, hint } = error
    updateUsage(store, options.now(), () => ({ lastError: { at: isoTime(options.now()), what, hint } }))
    return { distilled, error }
  } finally {
    lock.release()
    // Writes the snapshot, unless a worker is doing it: then that one reads the new events.
    if (distilled.length > 0) runMaintenance(store, { now: options.now(), sessions: [] })
  }
}

/** Whether the person has asked for it now, or has not forbidden meanwhile that a model reads sessions. */
const isWanted = (store: Store, { isRequested }: DistillOptions): boolean =>
  isRequested === true || readDistillConfig(store) !== undefined

async function distillSession(store: Store, prepared: PreparedSession, options: DistillOptions) {
  const { config, env, now, signal } = options
  const { request, session } = prepared
  const missing = findMissingKey(config, env)
  if (missing) throw new MemoryError('MODEL_UNAVAILABLE', missing.what, { hint: missing.hint })
  const input = estimateTokens(request.system) + estimateTokens(request.user)
  const exceeded = findExceededBudget(readDistillUsage(store, now()), config, input)
  if (exceeded !== undefined) throw new MemoryError('MODEL_UNAVAILABLE', exceeded, { hint: BUDGET_HINT })
  updateUsage(store, now(), ({ calls, tokens }) => ({ calls: calls + 1, tokens: tokens + input }))
  const reply = await askModel(request, config, { env, folder: store.home ?? store.layout.folder, signal })
  const tokens = reply.tokens ?? { input, output: estimateTokens(reply.text) }
  updateUsage(store, now(), (usage) => ({ tokens: usage.tokens - input + tokens.input + tokens.output }))
  if (!isWanted(store, options)) return undefined
  try {
    const answer = parseModelAnswer(reply.text)
    const result = commitAnswer(store, prepared, { answer, by: config.by, model: reply.model, tokens, now: now() })
    if (!result) return undefined
    const { stored, changed, model } = result
    const dropped = result.dropped.length
    const lastRun = { at: isoTime(now()), project: store.project.name, session, model, stored, changed, dropped }
    updateUsage(store, now(), ({ total = NO_TOTAL }) => ({
      lastRun,
      lastError: undefined,
      total: {
        sessions: total.sessions + 1,
        tokens: total.tokens + tokens.input + tokens.output,
        stored: total.stored + stored,
        changed: total.changed + changed,
      },
    }))
    return result
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'ANSWER_INVALID')
      updateUsage(store, now(), ({ rejected = {} }) => ({
        rejected: Object.fromEntries([
          ...Object.entries(rejected).slice(-REJECTED_SESSIONS_MAX),
          [session, (rejected[session] ?? 0) + 1],
        ]),
      }))
    throw error
  }
}

/** Sessions with rejected answers that are remembered. */
const REJECTED_SESSIONS_MAX = 50

const BUDGET_HINT = 'It goes on tomorrow (UTC); raise the number in config.yaml to go on today.'

function updateUsage(store: Store, now: number, change: (usage: DistillUsage) => Partial<DistillUsage>): void {
  const usage = readDistillUsage(store, now)
  writeDistillUsage(store, { ...usage, ...change(usage) })
}

/** The client runs in the folder. */
type ModelCall = Pick<DistillOptions, 'env' | 'signal'> & { readonly folder: string }

/** The caller has checked the key. Throws MODEL_UNAVAILABLE, and CANCELLED once the signal is aborted. */
async function askModel(request: ModelRequest, config: DistillConfig, { env, folder, signal }: ModelCall) {
  const timeoutMs = config.timeoutSeconds * 1_000
  const { by } = config
  const model = modelOf(config)
  if (by === 'claude') {
    const command = config.command ?? 'claude'
    return askClaude(request, { command, model, env, folder, timeoutMs, signal, redact: redactThoroughly })
  }
  const service = SERVICES[by]
  return askService(request, {
    kind: by,
    endpoint: config.endpoint ?? service.endpoint,
    key: env[keyVariable(config) ?? ''],
    model,
    timeoutMs,
    signal,
  })
}

/** What is wrong without a key. A server of one's own needs none, unless `keyEnv` names one. */
function findMissingKey(config: DistillConfig, env: Environment): Omit<DistillError, 'at'> | undefined {
  const name = keyVariable(config)
  if (name === undefined || env[name] || (config.endpoint !== undefined && config.keyEnv === undefined))
    return undefined
  return {
    what: `there is no key for ${config.by}: ${name} is not set`,
    hint: `Set ${name} in the environment of Claude Code, or name another variable as distill.keyEnv in config.yaml.`,
  }
}

export type DistillStatus = NonNullable<ReturnType<typeof readDistillStatus>>

/** Null if no model is configured. `error` says why the built-in result stands. Throws CONFIG_INVALID. */
export function readDistillStatus(store: Store, env: Environment, now: number) {
  const config = readDistillConfig(store)
  if (!config) return null
  const usage = readDistillUsage(store, now)
  const exceeded = findExceededBudget(usage, config, 1)
  const error = exceeded === undefined ? undefined : { what: exceeded, hint: 'It goes on tomorrow (UTC).' }
  return {
    by: config.by,
    model: modelOf(config),
    today: { calls: usage.calls, callsMax: config.perDay, tokens: usage.tokens, tokensMax: config.tokensPerDay },
    total: usage.total ?? NO_TOTAL,
    lastRun: usage.lastRun ?? null,
    error: findMissingKey(config, env) ?? error ?? usage.lastError ?? null,
  }
}
