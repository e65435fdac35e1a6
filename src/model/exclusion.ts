// Exclusion: a memory that a moment showed session after session without use is not shown at that moment for some
// time. Other moments still show it. Learned per project.
import type { MemoryId } from './id.ts'

/** The moments that rules exist for: not `failure`, which shows a fix when it is needed, and not `ask`, a request. */
export const EXCLUSION_MOMENTS = ['start', 'prompt', 'call', 'agent'] as const
type ExclusionMoment = (typeof EXCLUSION_MOMENTS)[number]

export interface ExclusionRule {
  readonly moment: ExclusionMoment
  readonly memory: MemoryId
  /** ISO times of its beginning and end. After its end the memory is shown again, as a trial. */
  readonly since: string
  readonly until: string
  /** How often it was renewed after such a trial. */
  readonly renewed: number
  readonly evidence: {
    /** The sessions that showed it at this moment, and the sum of their confidences that it was used. */
    readonly sessions: number
    readonly used: number
    /** The share of sessions that use notes of its kind there, 0 to 1. */
    readonly usual: number
  }
}

/** The rules that apply at a moment. `now` in milliseconds since 1970. */
export function listActiveExclusions(
  rules: readonly ExclusionRule[] | undefined,
  { moment, now }: { readonly moment: string; readonly now: number },
): readonly ExclusionRule[] {
  if (!rules || rules.length === 0) return NO_RULES
  return rules.filter((rule) => rule.moment === moment && Date.parse(rule.until) > now)
}

/** The memories that are not shown at a moment. No rule leaves out what a user said, wrote or pinned. */
export function findExcludedMemories(
  rules: readonly ExclusionRule[] | undefined,
  query: { readonly moment: string; readonly now: number },
): ReadonlySet<MemoryId> {
  const active = listActiveExclusions(rules, query)
  return active.length === 0 ? NO_MEMORIES : new Set(active.map(({ memory }) => memory))
}

const NO_RULES: readonly ExclusionRule[] = []
const NO_MEMORIES: ReadonlySet<MemoryId> = new Set()

/** Whether a value is a valid rule. Values come from files and logs that somebody may have edited. */
export function isExclusionRule(value: unknown): value is ExclusionRule {
  if (typeof value !== 'object' || value === null) return false
  const { moment, memory, since, until, renewed, evidence } = value as Partial<ExclusionRule>
  const numbers = typeof evidence === 'object' && evidence !== null ? Object.values(evidence) : []
  return (
    (EXCLUSION_MOMENTS as readonly unknown[]).includes(moment) &&
    typeof memory === 'string' &&
    memory !== '' &&
    isTime(since) &&
    isTime(until) &&
    Number.isInteger(renewed) &&
    numbers.length > 0 &&
    numbers.every((number) => Number.isFinite(number))
  )
}

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))
