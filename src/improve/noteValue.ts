// What a shown note was worth to learning, less what its tokens cost.
//
// Worth = confidence that it was used + its contribution: a use counts up to 2 in a task that went well, 0 in one that
// went badly, and an unused note is slightly negative. The price is a share of the usual worth of a note at that
// moment, and at least the cost of an unused note. A note below it makes the moment's notes less useful per token.
import { type RecallMoment, UNRANKED_FEATURE } from '../model/recallQuery.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'
import { mean } from './statistics.ts'
import { USED_THRESHOLD } from './usageSignals.ts'

/** 0 to 2 for a note that was used, else slightly below 0. */
const worthOf = ({ used, contribution }: AttributedMemory): number => (used >= USED_THRESHOLD ? used : 0) + contribution

/** Whether a note was selected by its rank: only those tell something about weights and limits. */
export const isRanked = ({ features }: AttributedMemory): boolean => !(UNRANKED_FEATURE in features)

/** The recalls with the value of each note in place of its contribution. */
export function valueNotes(
  recalls: readonly AttributedRecall[],
  { excludeBelow, unusedCost }: { readonly excludeBelow: number; readonly unusedCost: number },
): AttributedRecall[] {
  const worths = new Map<RecallMoment, number[]>()
  for (const { moment, withheld, memories } of recalls) {
    if (withheld) continue
    const known = worths.get(moment) ?? []
    known.push(...memories.filter(isRanked).map(worthOf))
    worths.set(moment, known)
  }
  return recalls.map((recall) => {
    const price = Math.max(unusedCost, excludeBelow * mean(worths.get(recall.moment) ?? []))
    const valued = (memory: AttributedMemory) => ({ ...memory, contribution: worthOf(memory) - price })
    const memories = recall.memories.map(valued)
    return { ...recall, memories, ...(recall.next && { next: valued(recall.next) }) }
  })
}
