// Selection: which ranked memories are shown. None twice, none below the threshold, no more than the budget.
import type { MemoryId } from '../model/id.ts'
import { isCurrent } from '../model/knowledge.ts'
import { CONTEXT_CHARS_MAX } from '../model/limits.ts'
import { isAgentLesson, isUserRequested, type Memory } from '../model/memory.ts'
import type { MomentPolicy } from '../model/policy.ts'
import type { RecalledMemory, RecallQuery } from '../model/recallQuery.ts'
import { estimateTokens, firstChars } from '../text/excerpt.ts'
import { withoutQuotedError } from '../text/outsideText.ts'
import { removeHidden } from '../text/sanitizeText.ts'
import type { RankedCandidate } from './rankByPolicy.ts'

/** What must not be shown, whatever its score. */
interface Exclusions {
  readonly alreadyShown: () => ReadonlySet<MemoryId>
  /** Of these only what a user asked to be remembered is shown. */
  readonly isExcluded: (memory: Pick<Memory, 'id' | 'kind'>) => boolean
  /** Notes from one earlier session at most, beside what a user asked to be remembered; no limit if absent. */
  readonly sessionNotesMax?: number | undefined
}

/**
 * The memories to show, best first. Often none. `next` is the best memory that only the limits left out: it shows what
 * one place more would give.
 */
export function selectWithinBudget(
  ranked: readonly RankedCandidate[],
  query: RecallQuery,
  limits: MomentPolicy,
  { alreadyShown, isExcluded, sessionNotesMax = Number.POSITIVE_INFINITY }: Exclusions,
) {
  const { scoreMin, configuredScoreMin = scoreMin, learnedTopK = limits.topK } = limits
  const shown: RecalledMemory[] = []
  let next: RankedCandidate | undefined
  let shownBefore: ReadonlySet<MemoryId> | undefined
  let tokens = 0
  const isHook = query.moment !== 'ask'
  /** Shows the candidate if it may be shown. Returns whether only the limits leave it out. */
  const show = (candidate: RankedCandidate, isFull: boolean): boolean => {
    const { memory: row, score, features, breakdown } = candidate
    if (score < scoreMin && score < configuredScoreMin) return false
    if (!isEligible(row, candidate.relevance, query, limits)) return false
    // Checked last, and read once: it reads the log, and most recalls have nothing to show anyway.
    shownBefore ??= alreadyShown()
    if (shownBefore.has(row.id)) return false
    // Its text is not read, so we do not know whether a user asked for it.
    if (isFull) return !isExcluded(row)
    const memory = candidate.load()
    if (isHook && (!isWorthShowing(memory) || (memory.knowledge && !isCurrent(memory.knowledge)))) return false
    if (!isUserRequested(memory)) {
      // A learned limit silences nothing that somebody asked for.
      if (score < scoreMin || isExcluded(memory)) return false
      if (shown.filter((other) => !isUserRequested(other.memory)).length >= learnedTopK) return false
      if (countOfSession(shown, memory) >= sessionNotesMax) return false
    }
    // Two memories with the same text are one note.
    const text = noteText(memory)
    if (isHook && shown.some((other) => noteText(other.memory) === text)) return false
    const cost = estimateTokens(text)
    // The first note is never too long: it is truncated.
    if (shown.length > 0 && tokens + cost > limits.budgetTokens) return true
    tokens += cost
    shown.push({ memory, score, features, breakdown })
    return false
  }
  for (const candidate of ranked) {
    const isFull = isBudgetFull(shown.length, limits)
    if (isFull && next) break
    if (show(candidate, isFull)) next ??= candidate
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

/** The text that is injected: no hidden characters, and as long as the client passes on completely. */
export function truncateToContext(text: string): string {
  const visible = removeHidden(text)
  if (visible.length <= CONTEXT_CHARS_MAX) return visible
  return `${firstChars(visible, CONTEXT_CHARS_MAX - 2)}\n…`
}

/** The shortest note, a head and some words, in tokens. */
const NOTE_TOKENS_MIN = 24

/** The lines before the notes, in tokens. */
const LEAD_TOKENS = 30

/** Whether no further note fits, however short. The first always does. */
const isBudgetFull = (notes: number, { topK, budgetTokens }: Pick<MomentPolicy, 'topK' | 'budgetTokens'>): boolean =>
  notes >= topK || (notes > 0 && LEAD_TOKENS + (notes + 1) * NOTE_TOKENS_MIN > budgetTokens)

export function noteText(memory: Memory): string {
  const { kind, content, lessons, knowledge } = memory
  if (isAgentLesson(memory)) return lessons.join('\n')
  // What a program printed is outside text, wherever the note is shown.
  if (knowledge !== undefined) return withoutQuotedError(knowledge)
  return kind === 'lesson' || lessons.length === 0 ? content : [content, ...lessons].join('\n')
}
