// Search: memories about some words, best first, for who looks by himself. No thresholds, no budget, no counters.
import type { Cue, Scored } from '../../model/cue.ts'
import { askedFeatures } from '../../recall/features/asked.ts'
import { ranked } from '../../recall/rank.ts'
import { filesIn } from '../../text/files.ts'
import { type Choice, isChosen } from '../browse.ts'
import { disposeShelf, shelfFor } from '../hook/shelves.ts'
import { servingPolicy } from '../policy/served.ts'
import type { Store } from '../store.ts'
import { answersFor } from './answers.ts'

/** Candidates gathered: where only some kinds or tiers are wanted, the best of all may hold few of them. */
const CANDIDATES_CHOSEN = 500

export interface Wanted extends Choice {
  readonly text: string
  readonly limit: number
  /** Whose eyes; the main conversation's where left out. */
  readonly role?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memories about the words that the reader may see, at most `limit`, ranked as a recall would. */
export function search(store: Store, wanted: Wanted): Scored[] {
  const { text, now } = wanted
  const { policy } = servingPolicy(store)
  const candidatesMax = Math.max(CANDIDATES_CHOSEN, wanted.limit)
  const wide = { ...policy, recall: { ...policy.recall, candidatesMax } }
  const cue: Cue = { moment: 'ask', text, files: filesIn(text), reader: { role: wanted.role ?? 'main' }, now }
  const shelf = shelfFor(store)
  try {
    const found: Scored[] = []
    for (const { whole, score, features, breakdown } of ranked(
      answersFor(cue, shelf, wide),
      cue,
      policy,
      askedFeatures(cue),
    )) {
      if (found.length >= wanted.limit) break
      const memory = whole()
      if (isChosen(memory, wanted)) found.push({ memory, score, features, breakdown })
    }
    return found
  } finally {
    disposeShelf(shelf)
  }
}
