// What a shown note was worth to learning, less what its tokens cost.
//
// Worth = relevance + contribution: a relevant note is worth up to 2 in a task that went well, and an irrelevant one is
// slightly negative. The price is a share of the usual worth of a note at that moment, and at least the cost of an
// unused note. A note below it makes the moment's notes less useful per token.
import { type RecallMoment, UNRANKED_FEATURE } from '../model/recallQuery.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'
import { mean } from './statistics.ts'
import { USED_THRESHOLD, type UsageSignal } from './usageSignals.ts'

/**
 * How surely a note was about the work that followed, 0 to 1. Credit demands that a trace is new to the conversation;
 * to know when a note is worth showing, it is enough that its file was changed or its command ran, though not by the
 * call that it came with.
 */
export const relevanceOf = ({ used, discounted = [] }: AttributedMemory): number =>
  discounted.some(({ signal, discounted: reason }) => reason === 'known' && isDone(signal))
    ? Math.max(used, DONE_RELEVANCE)
    : used

/** The same, also if chance explains the trace: a note is silenced only if nothing of it is ever done. */
export const agreementOf = (memory: AttributedMemory): number =>
  memory.traces.some(isDone) ? Math.max(memory.used, DONE_RELEVANCE) : relevanceOf(memory)

const isDone = (signal: UsageSignal): boolean => signal === 'file' || signal === 'command'

/** The relevance of a note whose file was changed or whose command ran, if it is no proof of use. */
const DONE_RELEVANCE = 0.7

/** 0 to 2 for a note that was relevant, else slightly below 0. */
const worthOf = (memory: AttributedMemory): number => {
  const relevance = relevanceOf(memory)
  return (relevance >= USED_THRESHOLD ? relevance : 0) + memory.contribution
}

/** Whether a least score decides over a note: it was selected by its score, and nobody asked for it. */
export const isGoverned = ({ kind, features }: AttributedMemory): boolean =>
  kind !== undefined && !(UNRANKED_FEATURE in features)

/** The recalls with the value of each note in place of its contribution. */
export function valueNotes(
  recalls: readonly AttributedRecall[],
  { excludeBelow, unusedCost }: { readonly excludeBelow: number; readonly unusedCost: number },
): AttributedRecall[] {
  const worths = new Map<RecallMoment, number[]>()
  for (const { moment, withheld, memories } of recalls) {
    if (withheld) continue
    const known = worths.get(moment) ?? []
    known.push(...memories.filter(isGoverned).map(worthOf))
    worths.set(moment, known)
  }
  return recalls.map((recall) => {
    const price = Math.max(unusedCost, excludeBelow * mean(worths.get(recall.moment) ?? []))
    const valued = (memory: AttributedMemory) => ({ ...memory, contribution: worthOf(memory) - price })
    return { ...recall, memories: recall.memories.map(valued) }
  })
}
