// Fit: what of the ranked memories is said. Nothing twice, nothing under the threshold, no more than the budget.
import type { Cue, Scored } from '../model/cue.ts'
import type { MemoryId } from '../model/id.ts'
import { CONTEXT_CHARS_MAX } from '../model/limits.ts'
import { isAskedFor, type Kind, type Memory } from '../model/memory.ts'
import type { MomentPolicy } from '../model/policy.ts'
import { isFull, isTooLong } from '../model/room.ts'
import { tokensOf } from '../text/tokens.ts'
import type { Ranked } from './rank.ts'

/** What is said, and what would have been next. */
interface Fitted {
  readonly shown: readonly Scored[]
  /** The best that only the limits left out, so that what one place more would give can be told. */
  readonly next?: Ranked | undefined
}

/** The memories that are shown, best first; of the kinds in `leftOut` only what somebody asked for. Silence is a good answer. */
export function fitted(
  chances: readonly Ranked[],
  cue: Cue,
  limits: MomentPolicy,
  told: () => ReadonlySet<MemoryId>,
  leftOut: ReadonlySet<Kind>,
): Fitted {
  const shown: Scored[] = []
  let next: Ranked | undefined
  let known: ReadonlySet<MemoryId> | undefined
  let tokens = 0
  for (const chance of chances) {
    const full = isFull(shown.length, limits)
    if (full && next) break
    if (chance.score < limits.scoreMin || !mayBeShown(chance.memory, chance.relevance, cue, limits)) continue
    // Asked last, and once: it reads the log, and most recalls have nothing to say anyway.
    if (cue.moment !== 'failure') known ??= told()
    if (known?.has(chance.memory.id)) continue
    if (full) {
      // Its text is not read: whether somebody asked for it, which a rule would heed, is not known.
      if (!leftOut.has(chance.memory.kind)) next = chance
      continue
    }
    const { score, features, breakdown } = chance
    const memory = chance.whole()
    if (leftOut.has(memory.kind) && !isAskedFor(memory)) continue
    const cost = tokensOf(memory.content)
    if (isTooLong(cost, shown.length, tokens, limits.budgetTokens)) {
      next ??= chance
      continue
    }
    tokens += cost
    shown.push({ memory, score, features, breakdown })
  }
  return { shown, next }
}

/** Whether a memory of this relevance may be said at this moment, wherever it stands among the others. */
export const mayBeShown = (
  memory: Pick<Memory, 'kind' | 'outcome'>,
  relevance: number,
  cue: Cue,
  limits: MomentPolicy,
): boolean =>
  relevance >= limits.relevanceMin &&
  limits.kinds.includes(memory.kind) &&
  (cue.moment === 'ask' || worthSaying(memory))

/** A failure nobody has mended stands in its session's summary as left open; told alone it would only discourage. */
export const worthSaying = (memory: Pick<Memory, 'kind' | 'outcome'>): boolean =>
  memory.kind !== 'lesson' || memory.outcome !== 'failure'

/** A context cut so that the client passes it on whole. */
export const withinContext = (text: string): string =>
  text.length <= CONTEXT_CHARS_MAX ? text : `${text.slice(0, CONTEXT_CHARS_MAX - 2).replace(/[\ud800-\udbff]$/, '')}\n…`
