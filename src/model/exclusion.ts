// Exclusion: memories that were shown often and never used are not shown for some time. Learned per project.
import { DERIVED_KINDS, type MemoryKind } from './memory.ts'

/** What a rule applies to, narrowest first: the call's command shape, its file's area, its tool, the memory's kind. */
export const EXCLUSION_CRITERIA = ['shape', 'area', 'tool', 'kind'] as const
export type ExclusionCriterion = (typeof EXCLUSION_CRITERIA)[number]

/** The moments that rules exist for: not `start`, which a whole session judges, and not `ask`, a user's request. */
export const EXCLUSION_MOMENTS = ['prompt', 'call', 'failure', 'agent'] as const

export interface ExclusionRule {
  readonly moment: (typeof EXCLUSION_MOMENTS)[number]
  readonly by: ExclusionCriterion
  /** The shape, area, tool or kind. */
  readonly value: string
  /** ISO times of its beginning and end. After its end the memories are shown again, as a trial. */
  readonly since: string
  readonly until: string
  /** How often it was renewed after such a trial. */
  readonly renewed: number
  readonly evidence: {
    /** How many memories were shown, and in how many sessions. */
    readonly shown: number
    readonly sessions: number
    readonly used: number
    /** Sum of their contributions. */
    readonly contribution: number
    /** Upper bound of the share that is used, one-sided 99 %. */
    readonly usedAtMost: number
  }
}

/** The area of a file: its folder, two levels at most. */
export const fileArea = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/') || '.'

/** What rules need of a query. */
interface RuleQuery {
  readonly moment: string
  readonly tool?: string | undefined
  readonly commandShape?: string | undefined
  readonly files: readonly string[]
  readonly now: number
}

/** The rules that apply to a query now. */
export function findExclusionRules(
  rules: readonly ExclusionRule[] | undefined,
  query: RuleQuery,
): readonly ExclusionRule[] {
  if (!rules || rules.length === 0) return NO_RULES
  const [file] = query.files
  const values = { shape: query.commandShape, area: file && fileArea(file), tool: query.tool }
  return rules.filter(
    ({ moment, by, value, until }) =>
      moment === query.moment && (by === 'kind' || values[by] === value) && Date.parse(until) > query.now,
  )
}

/** The kinds of memory that these rules leave out. No rule leaves out what a user said, wrote or pinned. */
export const listExcludedKinds = (rules: readonly ExclusionRule[]): ReadonlySet<MemoryKind> =>
  rules.length === 0
    ? NO_KINDS
    : new Set(rules.flatMap(({ by, value }) => (by === 'kind' ? (value as MemoryKind) : DERIVED_KINDS)))

const NO_RULES: readonly ExclusionRule[] = []
const NO_KINDS: ReadonlySet<MemoryKind> = new Set()

/** Whether a value is a valid rule. Values come from files and logs that somebody may have edited. */
export function isExclusionRule(value: unknown): value is ExclusionRule {
  if (typeof value !== 'object' || value === null) return false
  const { moment, by, value: target, since, until, renewed, evidence } = value as Partial<ExclusionRule>
  const isIn = (list: readonly string[], word: unknown) => typeof word === 'string' && list.includes(word)
  const numbers = typeof evidence === 'object' && evidence !== null ? Object.values(evidence) : []
  return (
    isIn(EXCLUSION_MOMENTS, moment) &&
    isIn(EXCLUSION_CRITERIA, by) &&
    (by === 'kind' ? isIn(DERIVED_KINDS, target) : typeof target === 'string' && target !== '') &&
    isTime(since) &&
    isTime(until) &&
    Number.isInteger(renewed) &&
    numbers.length > 0 &&
    numbers.every((number) => Number.isFinite(number))
  )
}

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))
