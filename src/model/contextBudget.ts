// The budget of an injected context. Recall and the off-policy replay of a recall use the same rule.
import type { MomentPolicy } from './policy.ts'

type Limits = Pick<MomentPolicy, 'topK' | 'budgetTokens'>

/** The shortest note, a head and some words, in tokens. */
const NOTE_TOKENS_MIN = 24

/** The lines before the notes, in tokens. */
const LEAD_TOKENS = 30

/** Whether one more note fits beside `notes` of them; the first always does. */
export const hasBudgetForNote = (notes: number, budgetTokens: number): boolean =>
  notes === 0 || LEAD_TOKENS + (notes + 1) * NOTE_TOKENS_MIN <= budgetTokens

/** Whether no further note fits, however short. */
export const isBudgetFull = (notes: number, { topK, budgetTokens }: Limits): boolean =>
  notes >= topK || !hasBudgetForNote(notes, budgetTokens)

/** Whether a note of `cost` tokens is too long after `notes` of `tokens`. The first never is: it is truncated. */
export const exceedsBudget = (cost: number, notes: number, tokens: number, budgetTokens: number): boolean =>
  notes > 0 && tokens + cost > budgetTokens
