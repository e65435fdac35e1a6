// Access score: the importance of the memory-tools spec. It counts how often and how recently a memory was opened.
import { saturate } from './importance.ts'
import type { Memory } from './memory.ts'
import { daysBetween } from './strength.ts'

/** Accesses that give half of the frequency part: 12 of them, the last just now, score .75 as in the spec's example. */
const FREQUENCY_HALF = 12

/** Days after which the recency part has halved. */
const RECENCY_HALF_LIFE_DAYS = 30

/**
 * 0 to 1: half of it frequency (n / (n + 12) for n accesses), half recency (halved every 30 days since the last access
 * or the creation). A new memory has .5, as in the spec's example. A pinned memory has the importance it is pinned at.
 */
export function computeAccessScore(
  memory: Pick<Memory, 'pinned' | 'importance' | 'accessCount' | 'lastUsed' | 'created'>,
  now: number,
): number {
  if (memory.pinned) return memory.importance
  const days = daysBetween(Date.parse(memory.lastUsed ?? memory.created), now)
  const score = 0.5 * saturate(memory.accessCount, FREQUENCY_HALF) + 0.5 * 0.5 ** (days / RECENCY_HALF_LIFE_DAYS)
  return Math.round(score * 1e4) / 1e4
}
