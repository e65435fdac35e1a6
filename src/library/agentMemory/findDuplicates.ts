// Duplicates among an agent's memories. Numbers must agree: with "15 %" and "20 %" two texts are different, even if all
// else is equal.
import { jaccard } from '../../text/similarity.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'

/** Minimum Jaccard similarity of the terms of duplicates, 0 to 1. */
const DUPLICATE_SIMILARITY = 0.8

interface DuplicateCandidate {
  readonly id: string
  readonly content: string
  /** Only memories with the same scope, domain and project are compared. */
  readonly scope: string
}

interface IndexedCandidate extends DuplicateCandidate {
  readonly index: number
  readonly terms: readonly string[]
}

/**
 * Groups of two or more duplicates, each in the original order. Two texts with a similarity above the threshold share
 * one of the rarest terms of both, so only such pairs are compared (prefix filtering: Chaudhuri, Ganti and Kaushik
 * 2006).
 */
export function findDuplicateGroups(candidates: readonly DuplicateCandidate[]): string[][] {
  const frequency = new Map<string, number>()
  const indexed = candidates.map((candidate, index): IndexedCandidate => {
    const terms = [...new Set(extractTerms(candidate.content))]
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
    return { ...candidate, index, terms }
  })
  const frequencyOf = (term: string): number => frequency.get(term) ?? 0
  const byTerm = new Map<string, Set<IndexedCandidate>>()
  // The first member of each candidate's group, by the candidate's index.
  const firsts: IndexedCandidate[] = []
  for (const candidate of indexed) {
    const { terms, scope } = candidate
    const rarest = terms.toSorted((a, b) => frequencyOf(a) - frequencyOf(b) || (a < b ? -1 : 1))
    const prefixLength = rarest.length - Math.ceil(DUPLICATE_SIMILARITY * rarest.length) + 1
    const similar = new Set<IndexedCandidate>()
    for (const term of rarest.slice(0, prefixLength)) {
      const key = `${scope}\0${term}`
      const others = byTerm.get(key) ?? new Set()
      for (const other of others) similar.add(other)
      byTerm.set(key, others.add(candidate))
    }
    // Compared only with the first of a group, so that no chain of similar texts joins different ones.
    const isFirst = (other: IndexedCandidate): boolean => firsts[other.index] === other
    firsts.push([...similar].findLast((other) => isFirst(other) && areDuplicates(other, candidate)) ?? candidate)
  }
  const groups = new Map<IndexedCandidate, string[]>()
  for (const [index, first] of firsts.entries()) {
    const id = candidates[index]?.id ?? first.id
    groups.set(first, [...(groups.get(first) ?? []), id])
  }
  return [...groups.values()].filter((ids) => ids.length > 1)
}

const areDuplicates = (a: DuplicateCandidate & { readonly terms: readonly string[] }, b: typeof a): boolean =>
  jaccard(a.terms, b.terms) >= DUPLICATE_SIMILARITY && listNumbers(a.content) === listNumbers(b.content)

const listNumbers = (text: string): string => (text.normalize('NFKC').match(/\d+(?:[.,]\d+)*/g) ?? []).sort().join(' ')
