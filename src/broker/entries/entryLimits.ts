// The limits of entries from the environment variables of the entries spec.
import { MemoryError } from '../../model/memoryError.ts'

export interface EvictionLimits {
  /** Entries in one folder. */
  readonly entriesMax: number
  /** Days without access. */
  readonly ttlDays: number
}

/** Defaults of the entries spec. */
const ENTRIES_MAX = 1000
const TTL_DAYS = 90

/** The limits from the environment variables of the entries spec. Throws CONFIG_INVALID. */
export function readEvictionLimits(env: Readonly<Record<string, string | undefined>>): EvictionLimits {
  const read = (name: string, fallback: number): number => {
    const value = env[name]?.trim()
    if (!value) return fallback
    if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value)
    throw new MemoryError('CONFIG_INVALID', `${name} is ${value}`, {
      hint: `Set it to a whole number from 1 up, or unset it for ${fallback}.`,
    })
  }
  return { entriesMax: read('MCP_MEMORY_MAX_ENTRIES', ENTRIES_MAX), ttlDays: read('MCP_MEMORY_TTL_DAYS', TTL_DAYS) }
}

/** Throws CONFIG_INVALID for a variable that is not a valid limit. */
export const checkEntryLimits = (env: Readonly<Record<string, string | undefined>>): void => {
  readEvictionLimits(env)
}
