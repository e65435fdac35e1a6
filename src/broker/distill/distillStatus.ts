// The status of the optional model: what is configured, what it has cost today, and how it went.
import { MemoryError } from '../../model/memoryError.ts'
import type { Store } from '../open/openStore.ts'
import { type DistillConfig, modelOf, readDistillConfig } from './distillConfig.ts'
import { assertKey, type Environment } from './distillSessions.ts'
import {
  type DistillError,
  type DistillRun,
  type DistillTotal,
  findExceededBudget,
  NO_TOTAL,
  readDistillUsage,
} from './distillUsage.ts'

export interface DistillStatus {
  readonly by: DistillConfig['by']
  readonly model: string
  readonly today: {
    readonly calls: number
    readonly callsMax: number
    readonly tokens: number
    readonly tokensMax: number
  }
  /** Over all projects. */
  readonly total: DistillTotal
  readonly lastRun: DistillRun | null
  /** Why the built-in result stands: the latest error since the last run, a missing key, or no budget left. */
  readonly error: Omit<DistillError, 'at'> | null
}

/** Null if no model is configured. `now` is in milliseconds since 1970. Throws CONFIG_INVALID. */
export function readDistillStatus(store: Store, env: Environment, now: number): DistillStatus | null {
  const config = readDistillConfig(store)
  if (!config) return null
  const usage = readDistillUsage(store, now)
  const exceeded = findExceededBudget(usage, config, 1)
  const error = exceeded === undefined ? undefined : { what: exceeded, hint: 'It goes on tomorrow (UTC).' }
  return {
    by: config.by,
    model: modelOf(config),
    today: {
      calls: usage.calls,
      callsMax: config.perDay,
      tokens: usage.tokens,
      tokensMax: config.tokensPerDay,
    },
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
