// The status of the optional model: what is configured, what it has cost today, and how it went.
import { MemoryError } from '../../model/memoryError.ts'
import type { Store } from '../open/openStore.ts'
import { type DistillConfig, modelOf, readDistillConfig } from './distillConfig.ts'
import { assertKey, type Environment } from './distillSessions.ts'
import { type DistillError, findExceededBudget, NO_TOTAL, readDistillUsage } from './distillUsage.ts'

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

function findMissingKey(config: DistillConfig, env: Environment): Omit<DistillError, 'at'> | undefined {
  try {
    assertKey(config, env)
    return undefined
  } catch (error) {
    if (error instanceof MemoryError) return { what: error.message, hint: error.hint }
    throw error
  }
}
