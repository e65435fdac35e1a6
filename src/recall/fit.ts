// Fit: what of the ranked memories is said. Nothing twice, nothing under the threshold, no more than the budget.
import type { Cue, Scored } from '../model/cue.ts'
import type { MemoryId } from '../model/id.ts'
import { CONTEXT_CHARS_MAX } from '../model/limits.ts'
import { isAskedFor, type Kind, type Memory } from '../model/memory.ts'
import type { MomentPolicy } from '../model/policy.ts'
import type { Ranked } from './rank.ts'

/** What a note needs at least, its head and some words, in tokens. */
const NOTE_TOKENS_MIN = 24

/** What stands before the notes, in tokens. */
const LEAD_TOKENS = 30

/** Whether there is room for one note more beside `notes` of them; for the first there always is. */
export const hasRoom = (notes: number, budgetTokens: number): boolean =>
  notes === 0 || LEAD_TOKENS + (notes + 1) * NOTE_TOKENS_MIN <= budgetTokens

/** The memories that are shown, best first; of the kinds in `leftOut` only what somebody asked for. Silence is a good answer. */
export function fitted(
  chances: readonly Ranked[],
  cue: Cue,
  limits: MomentPolicy,
  told: () => ReadonlySet<MemoryId>,
  leftOut: ReadonlySet<Kind>,
): Scored[] {
  const shown: Scored[] = []
  let known: ReadonlySet<MemoryId> | undefined
  let tokens = 0
  for (const chance of chances) {
    if (shown.length >= limits.topK || !hasRoom(shown.length, limits.budgetTokens)) break
    if (chance.score < limits.scoreMin || !mayBeShown(chance.memory, chance.relevance, cue, limits)) continue
    // Asked last, and once: it reads the log, and most recalls have nothing to say anyway.
    if (cue.moment !== 'failure') known ??= told()
    if (known?.has(chance.memory.id)) continue
    const { score, features, breakdown } = chance
    const memory = chance.whole()
    if (leftOut.has(memory.kind) && !isAskedFor(memory)) continue
    const cost = tokensOf(memory.content)
    if (shown.length > 0 && tokens + cost > limits.budgetTokens) continue
    tokens += cost
    shown.push({ memory, score, features, breakdown })
  }
  return shown
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

/** A text's length in tokens, roughly: 4 characters of Latin script, 1 of Japanese or Chinese, are one. */
export function tokensOf(text: string): number {
  let wide = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x2e80) wide++
  return wide + Math.ceil((text.length - wide) / 4)
}

/** The text, if longer than `tokensMax` cut there, with an ellipsis. */
export function withinTokens(text: string, tokensMax: number): string {
  if (tokensOf(text) <= tokensMax) return text
  let quarters = 4 * tokensMax - 1
  let end = 0
  while (end < text.length) {
    quarters -= text.charCodeAt(end) >= 0x2e80 ? 4 : 1
    if (quarters < 0) break
    end++
  }
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A context cut so that the client passes it on whole. */
export const withinContext = (text: string): string =>
  text.length <= CONTEXT_CHARS_MAX ? text : `${text.slice(0, CONTEXT_CHARS_MAX - 2).replace(/[\ud800-\udbff]$/, '')}\n…`
