// Importance at session end: all six terms with the whole store at hand, for what was made and what was met again.

import { computeCostTerm, computeOutcomeTerm, currentImportanceTerms } from '../model/currentImportance.ts'
import { computeImportance, type ImportanceTerms, type ImportanceWeights } from '../model/importance.ts'
import type { Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { jaccard } from '../text/similarity.ts'
import { type MemoryTable, toMemoryTable } from './memoryTable.ts'
import type { MemoryMap, SessionSlice } from './sessionSlice.ts'

/** Likeness is sought among this many of the latest memories of the same kind. */
const COMPARED_MAX = 40

const SIGNAL_WORTH: Readonly<Record<string, number>> = { remember: 1, correction: 1, preference: 0.9, decision: 0.9 }

/**
 * The given memories with their importance, and those of other sessions whose files, command or error this session
 * met: each meeting counts once, as cross impact.
 */
export function scoreImportance(
  made: readonly Memory[],
  part: SessionSlice,
  known: MemoryMap,
  policy: Policy,
): Memory[] {
  const own = new Set<string>(made.map((memory) => memory.id))
  const remembered = toMemoryTable(known)
  const compared = new Map(
    [...new Set(made.map((memory) => memory.kind))].map((kind) => [
      kind,
      remembered.listRecent(kind, COMPARED_MAX, own).map((memory) => remembered.contentTerms(memory)),
    ]),
  )
  const terms = (memory: Memory) =>
    termsFor(memory, noveltyAgainst(remembered.contentTerms(memory), compared.get(memory.kind)!))
  const weigh = (memory: Memory, given: ImportanceTerms): Memory => ({
    ...memory,
    importance: memory.pinned ? memory.importance : computeImportance(given, policy.importance),
    importanceTerms: memory.importanceTerms ?? given,
  })
  const fresh = made.map((memory) =>
    weigh(memory, known.has(memory.id) ? currentImportanceTerms(memory) : terms(memory)),
  )
  return [
    ...fresh,
    ...crossed(fresh, part, remembered, own).map((memory) => weigh(memory, currentImportanceTerms(memory))),
  ]
}

/** What was made of sessions, weighed anew because the weights are others now; what somebody wrote or pinned stays. */
export function rescoreImportance(memories: Iterable<Memory>, weights: ImportanceWeights): Memory[] {
  const changed: Memory[] = []
  for (const memory of memories) {
    if (memory.pinned || !memory.importanceTerms || memory.source !== 'task') continue
    const importance = computeImportance(currentImportanceTerms(memory), weights)
    if (importance !== memory.importance) changed.push({ ...memory, importance })
  }
  return changed
}

/** Memories of other sessions that this one touches on, with the meeting counted. */
function crossed(fresh: readonly Memory[], part: SessionSlice, known: MemoryTable, own: ReadonlySet<string>): Memory[] {
  const files = new Set(fresh.flatMap((memory) => memory.editedFiles ?? []))
  const signatures = new Set(fresh.flatMap((memory) => memory.errorSignature ?? []))
  const others = known
    .findByFilesOrErrors(files, signatures)
    .filter((memory) => !own.has(memory.id) && memory.session !== part.session)
  return others.map((memory) => ({ ...memory, meetings: memory.meetings + 1 }))
}

/** The six terms of a new memory, after the table in model/importance. */
function termsFor(memory: Memory, novelty: number): ImportanceTerms {
  return {
    outcome: computeOutcomeTerm(memory),
    reuse: 0,
    crossImpact: 0,
    novelty,
    userSignal: Math.max(0, ...memory.tags.map((tag) => SIGNAL_WORTH[tag] ?? 0)),
    costSaved: computeCostTerm(memory),
  }
}

function noveltyAgainst(words: ReadonlySet<string>, compared: readonly ReadonlySet<string>[]): number {
  let likest = 0
  for (const other of compared) likest = Math.max(likest, jaccard(words, other))
  return 1 - likest
}
