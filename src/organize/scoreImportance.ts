// Importance after a session: all six terms, for memories that the session created or changed and for those it
// concerns.
import {
  computeCostTerm,
  computeOutcomeTerm,
  countRepeats,
  currentImportanceTerms,
} from '../model/currentImportance.ts'
import { computeImportance, type ImportanceTerms, saturate } from '../model/importance.ts'
import type { Memory, MemoryMap } from '../model/memory.ts'
import { audienceOf } from '../model/privacy.ts'
import type { SessionSlice } from '../model/sessionTask.ts'
import { keepByObject } from '../text/pattern.ts'
import { jaccard } from '../text/similarity.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { type MemoryTable, toMemoryTable } from './memoryTable.ts'

/** Novelty is measured against this many of the latest memories of the same kind. */
const COMPARED_MAX = 40

/** Characters of a memory's content that are compared. */
const COMPARED_CHARS = 400

/** The distinct terms at the beginning of a memory's content. */
const contentTerms = keepByObject(
  ({ content }: Memory): ReadonlySet<string> => new Set(extractTerms(content.slice(0, COMPARED_CHARS))),
)

/** The user signal's term by the tag of a memory. */
const SIGNAL_WORTH: Readonly<Record<string, number>> = {
  correction: 1,
  rule: 1,
  preference: 0.9,
  decision: 0.9,
  fact: 0.8,
}

/**
 * These memories with their importance, then the memories of other sessions with a file or an error that this session
 * met: each meeting counts once towards their cross impact.
 */
export function scoreImportance(derived: readonly Memory[], { session }: SessionSlice, known: MemoryMap): Memory[] {
  const ids = new Set<string>(derived.map((memory) => memory.id))
  const table = toMemoryTable(known)
  const kinds = new Set(derived.map(({ kind }) => kind))
  const recentTerms = new Map(
    Array.from(kinds, (kind) => [kind, table.listRecent(kind, COMPARED_MAX, ids).map(contentTerms)]),
  )
  const withTerms = (memory: Memory, terms: ImportanceTerms): Memory => ({
    ...memory,
    importance: memory.pinned ? memory.importance : computeImportance(terms),
    importanceTerms: memory.importanceTerms ?? terms,
  })
  const scored = derived.map((memory) => {
    if (known.has(memory.id)) return withTerms(memory, currentImportanceTerms(memory))
    const novelty = computeNovelty(contentTerms(memory), recentTerms.get(memory.kind) ?? [])
    return withTerms(memory, firstImportanceTerms(memory, novelty))
  })
  const audiences = [...new Set(scored.map(audienceOf))]
  const related = audiences
    .flatMap((audience) =>
      // What a subagent met is counted in memories for its role.
      findRelated(
        scored.filter((memory) => audienceOf(memory) === audience),
        table,
      ).filter((memory) => audience === '' || audienceOf(memory) === audience),
    )
    .filter((memory, i, all) => !ids.has(memory.id) && memory.session !== session && all.indexOf(memory) === i)
  const met = related.map((memory) => ({ ...memory, meetings: memory.meetings + 1 }))
  return [...scored, ...met.map((memory) => withTerms(memory, currentImportanceTerms(memory)))]
}

/** Known memories about the files edited and the errors met. */
function findRelated(derived: readonly Memory[], table: MemoryTable): Memory[] {
  const files = new Set(derived.flatMap((memory) => memory.editedFiles ?? []))
  const errors = new Set(derived.flatMap((memory) => memory.errorSignature ?? []))
  return table.findByFilesOrErrors(files, errors)
}

/** The six terms of a new memory, as the table in model/importance.ts defines them. */
const firstImportanceTerms = (memory: Memory, novelty: number): ImportanceTerms => ({
  outcome: computeOutcomeTerm(memory),
  reuse: saturate(countRepeats(memory), 1),
  crossImpact: 0,
  novelty,
  userSignal: Math.max(0, ...memory.tags.map((tag) => SIGNAL_WORTH[tag] ?? 0)),
  costSaved: computeCostTerm(memory),
})

/** 1 minus the similarity to the most similar of the compared memories. */
function computeNovelty(terms: ReadonlySet<string>, compared: readonly ReadonlySet<string>[]): number {
  let similarity = 0
  for (const other of compared) similarity = Math.max(similarity, jaccard(terms, other))
  return 1 - similarity
}
