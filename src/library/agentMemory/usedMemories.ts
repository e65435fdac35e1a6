// Which memories a task's result used: by keywords, as in the agent-memory spec.
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { ScoredMemory } from './memoryRanker.ts'

/** Minimum share of a memory's own terms in the result, 0 to 1. */
const USED_SHARE_MIN = 0.5

/** With fewer distinct terms than this, all of them must occur: one of two proves nothing. */
const TERMS_MIN = 4

/**
 * The candidates with their id, their whole content, or half of their distinct terms in the result. Terms that more
 * than half of the candidates share do not distinguish them; they do not count if enough others are left.
 */
export function findUsedMemories(result: string, candidates: readonly ScoredMemory[]): ScoredMemory[] {
  const resultTerms = new Set(extractTerms(result))
  const withTerms = candidates.map((candidate) => ({
    candidate,
    terms: [...new Set(extractTerms(candidate.memory.content))],
  }))
  const frequency = new Map<string, number>()
  for (const { terms } of withTerms) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const isDistinctive = (term: string): boolean =>
    candidates.length < 3 || (frequency.get(term) ?? 0) <= candidates.length / 2
  const used = withTerms.filter(({ candidate: { memory }, terms }) => {
    if (result.includes(memory.id) || result.includes(memory.content.trim())) return true
    const distinctive = terms.filter(isDistinctive)
    const counted = distinctive.length >= TERMS_MIN ? distinctive : terms
    if (counted.length === 0) return false
    const found = counted.filter((term) => resultTerms.has(term)).length
    return counted.length < TERMS_MIN ? found === counted.length : found >= USED_SHARE_MIN * counted.length
  })
  return used.map(({ candidate }) => candidate)
}

/** A task's result as text: itself, or its JSON. */
export function formatTaskResult(result: unknown): string {
  if (typeof result === 'string') return result
  try {
    return JSON.stringify(result) ?? ''
  } catch {
    return String(result) // A circular structure or a BigInt.
  }
}
