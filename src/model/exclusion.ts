// Exclusion: what was told again and again and never helped is not told for some time. Learned in a project, never shipped.
import { DERIVED_KINDS, type MemoryKind } from './memory.ts'

/** What of a recall a rule goes by, narrowest first: the call's command shape, its file's area, its tool, the memory's kind. */
export const SUPPRESSION_CRITERIA = ['shape', 'area', 'tool', 'kind'] as const
export type ExclusionCriterion = (typeof SUPPRESSION_CRITERIA)[number]

/** The moments a rule may be about: a start is judged by a whole session, and who asks is answered. */
export const SUPPRESSION_TRIGGERS = ['prompt', 'call', 'failure', 'agent'] as const

export interface ExclusionRule {
  readonly moment: (typeof SUPPRESSION_TRIGGERS)[number]
  readonly by: ExclusionCriterion
  /** The shape, area, tool or kind. */
  readonly value: string
  /** ISO times: from when, and until when. After that it is told again, and what that gives decides. */
  readonly since: string
  readonly until: string
  /** How often it has been renewed after such a trial. */
  readonly renewed: number
  readonly evidence: {
    /** Memories that were shown so, and in how many sessions. */
    readonly shown: number
    readonly sessions: number
    readonly used: number
    /** Sum of their contributions. */
    readonly contribution: number
    /** Upper bound of the share that is used, one-sided 99 %. */
    readonly usedAtMost: number
  }
}

/** The part of the files a file lies in: its folder, two levels at most. */
export function fileArea(file: string): string {
  const folders = file.split('/').slice(0, -1)
  return folders.slice(0, 2).join('/') || '.'
}

/** What of a cue rules go by. */
interface Asked {
  readonly moment: string
  readonly tool?: string | undefined
  readonly commandShape?: string | undefined
  readonly files: readonly string[]
  readonly now: number
}

/** The rules in force for this cue. */
export function findExclusionRules(rules: readonly ExclusionRule[] | undefined, cue: Asked): readonly ExclusionRule[] {
  if (!rules || rules.length === 0) return NO_RULES
  const [file] = cue.files
  const about = { shape: cue.commandShape, area: file && fileArea(file), tool: cue.tool }
  return rules.filter(
    ({ moment, by, value, until }) =>
      moment === cue.moment && (by === 'kind' || about[by] === value) && Date.parse(until) > cue.now,
  )
}

/** The kinds of memory that these rules leave out. What a person said, wrote or pinned is of no rule's concern. */
export const listExcludedKinds = (rules: readonly ExclusionRule[]): ReadonlySet<MemoryKind> =>
  rules.length === 0
    ? NO_KINDS
    : new Set(rules.flatMap(({ by, value }) => (by === 'kind' ? (value as MemoryKind) : DERIVED_KINDS)))

const NO_RULES: readonly ExclusionRule[] = []
const NO_KINDS: ReadonlySet<MemoryKind> = new Set()

/** Whether a value is a sound rule: it comes from files and logs that hands may have been in. */
export function isExclusionRule(value: unknown): value is ExclusionRule {
  if (typeof value !== 'object' || value === null) return false
  const { moment, by, value: what, since, until, renewed, evidence } = value as Partial<ExclusionRule>
  const isIn = (list: readonly string[], word: unknown) => typeof word === 'string' && list.includes(word)
  const numbers = typeof evidence === 'object' && evidence !== null ? Object.values(evidence) : []
  return (
    isIn(SUPPRESSION_TRIGGERS, moment) &&
    isIn(SUPPRESSION_CRITERIA, by) &&
    (by === 'kind' ? isIn(DERIVED_KINDS, what) : typeof what === 'string' && what !== '') &&
    isTime(since) &&
    isTime(until) &&
    Number.isInteger(renewed) &&
    numbers.length > 0 &&
    numbers.every((one) => Number.isFinite(one))
  )
}

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))
