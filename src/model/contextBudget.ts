// Room: what a moment's limits leave place for. One rule for who fits a recall and for who replays it later.
import type { MomentPolicy } from './policy.ts'

type Limits = Pick<MomentPolicy, 'topK' | 'budgetTokens'>

/** What a note needs at least, its head and some words, in tokens. */
const NOTE_TOKENS_MIN = 24

/** What stands before the notes, in tokens. */
const LEAD_TOKENS = 30

/** Whether there is room for one note more beside `notes` of them; for the first there always is. */
export const hasBudgetForNote = (notes: number, budgetTokens: number): boolean =>
  notes === 0 || LEAD_TOKENS + (notes + 1) * NOTE_TOKENS_MIN <= budgetTokens

/** Whether nothing more may be said, however short. */
export const isBudgetFull = (notes: number, { topK, budgetTokens }: Limits): boolean =>
  notes >= topK || !hasBudgetForNote(notes, budgetTokens)

/** Whether a note of `cost` tokens is too long beside `notes` that have `tokens` together; the first never is, it is cut. */
export const exceedsBudget = (cost: number, notes: number, tokens: number, budgetTokens: number): boolean =>
  notes > 0 && tokens + cost > budgetTokens
