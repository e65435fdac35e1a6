// The importance that seed 001's tools speak of: from how often a memory was opened, and how lately; or what somebody pinned it at.
import { saturate } from './importance.ts'
import type { Memory } from './memory.ts'
import { daysBetween } from './strength.ts'

/** Accesses that count as half of often: with 12 of them, the last just now, the document's example has .75. */
const OFTEN_HALF = 12

/** Days after which an access counts half as late. */
const LATE_HALF_DAYS = 30

/**
 * 0 to 1: half of it frequency (n / (n + 12) for n accesses), half recency (halved every 30 days since the last access, or since it
 * was made). A new memory has .5, as in the document's example of setting a score.
 */
export function computeAccessScore(
  memory: Pick<Memory, 'pinned' | 'importance' | 'accessCount' | 'lastUsed' | 'created'>,
  now: number,
): number {
  if (memory.pinned) return memory.importance
  const days = daysBetween(Date.parse(memory.lastUsed ?? memory.created), now)
  const score = 0.5 * saturate(memory.accessCount, OFTEN_HALF) + 0.5 * 0.5 ** (days / LATE_HALF_DAYS)
  return Math.round(score * 1e4) / 1e4
}
