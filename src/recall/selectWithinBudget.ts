// Selection: which ranked memories are shown. None twice, none below the threshold, no more than the budget.
import { exceedsBudget, isBudgetFull } from '../model/contextBudget.ts'
import type { MemoryId } from '../model/id.ts'
import { CONTEXT_CHARS_MAX } from '../model/limits.ts'
import { isUserRequested, type Memory, type MemoryKind } from '../model/memory.ts'
import type { MomentPolicy } from '../model/policy.ts'
import type { RecalledMemory, RecallQuery } from '../model/recallQuery.ts'
import { canBeInjected } from '../model/statement.ts'
import { estimateTokens } from '../text/tokenCount.ts'
import { doesLessonApply } from './lessonRelevance.ts'
import { noteText } from './noteText.ts'
import type { RankedCandidate } from './rankByPolicy.ts'

/** What must not be shown, whatever its score. */
interface Exclusions {
  /** The memories that this session was shown. */
  readonly alreadyShown: () => ReadonlySet<MemoryId>
  /** Of these kinds only what a user asked to be remembered is shown. */
  readonly excludedKinds: ReadonlySet<MemoryKind>
  /** Notes from one earlier session at most, beside what a user asked to be remembered; no limit if absent. */
  readonly sessionNotesMax?: number | undefined
  /** Whether a complete memory is worth its tokens. All are by default. */
  readonly isWorth?: ((memory: Memory, score: number) => boolean) | undefined
}

interface Selection {
  readonly shown: readonly RecalledMemory[]
  /** The best memory that only the limits left out: it shows what one place more would give. */
  readonly next?: RankedCandidate | undefined
}

/** The memories to show, best first. Often none. */
export function selectWithinBudget(
  ranked: readonly RankedCandidate[],
  query: RecallQuery,
  limits: MomentPolicy,
  { alreadyShown, excludedKinds, sessionNotesMax = Number.POSITIVE_INFINITY, isWorth }: Exclusions,
): Selection {
  const shown: RecalledMemory[] = []
  let next: RankedCandidate | undefined
  let shownBefore: ReadonlySet<MemoryId> | undefined
  let tokens = 0
  for (const candidate of ranked) {
    const isFull = isBudgetFull(shown.length, limits)
    if (isFull && next) break
    if (candidate.score < limits.scoreMin || !isEligible(candidate.memory, candidate.relevance, query, limits)) continue
    // Checked last, and read once: it reads the log, and most recalls have nothing to show anyway.
    shownBefore ??= alreadyShown()
    if (shownBefore.has(candidate.memory.id)) continue
    if (isWorth && !isWorth(candidate.load(), candidate.score)) continue
    if (isFull) {
      // Its text is not read, so we do not know whether a user asked for it.
      if (!excludedKinds.has(candidate.memory.kind)) next = candidate
      continue
    }
    const { score, features, breakdown } = candidate
    const memory = candidate.load()
    if (query.moment !== 'ask' && memory.statement && !canBeInjected(memory.statement)) continue
    if (query.moment !== 'ask' && (!isWorthShowing(memory) || !doesLessonApply(memory, query))) continue
    if (!isUserRequested(memory)) {
      if (excludedKinds.has(memory.kind) || countOfSession(shown, memory) >= sessionNotesMax) continue
    }
    // Two memories with the same text are one note.
    const text = noteText(memory)
    if (query.moment !== 'ask' && shown.some((other) => noteText(other.memory) === text)) continue
    const cost = estimateTokens(text)
    if (exceedsBudget(cost, shown.length, tokens, limits.budgetTokens)) {
      next ??= candidate
      continue
    }
    tokens += cost
    shown.push({ memory, score, features, breakdown })
  }
  return { shown, next }
}

/** The notes shown already that come from the session of a memory. */
const countOfSession = (shown: readonly RecalledMemory[], { session }: Memory): number =>
  session === undefined
    ? 0
    : shown.filter(({ memory }) => memory.session === session && !isUserRequested(memory)).length

/** Whether a memory of this relevance (0 to 1) may be shown at this moment, whatever its rank. */
export const isEligible = (
  memory: Pick<Memory, 'kind' | 'outcome' | 'searchOnly'>,
  relevance: number,
  query: RecallQuery,
  limits: MomentPolicy,
): boolean =>
  relevance >= limits.relevanceMin &&
  limits.kinds.includes(memory.kind) &&
  (query.moment === 'ask' || isWorthShowing(memory))

/**
 * Whether a note may show it unasked. A failure without a fix does not help on its own; the summary of its session
 * names it as open. A row of the store does not have `searchOnly`: it is checked when the memory is read.
 */
export const isWorthShowing = (memory: Pick<Memory, 'kind' | 'outcome' | 'searchOnly'>): boolean =>
  memory.searchOnly !== true && (memory.kind !== 'lesson' || memory.outcome !== 'failure')

/** A context truncated to the length that the client passes on completely. */
export const truncateToContext = (text: string): string =>
  text.length <= CONTEXT_CHARS_MAX ? text : `${text.slice(0, CONTEXT_CHARS_MAX - 2).replace(/[\ud800-\udbff]$/, '')}\n…`
