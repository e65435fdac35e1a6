// Which of an agent's memories say the same. Figures must agree: "15 %" and "20 %" are two memories, however alike the rest.
import { jaccard } from '../../text/similarity.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'

/** From this share of all their words in common two say the same, 0 to 1. */
const ALIKE_FROM = 0.8

interface DuplicateCandidate {
  readonly id: string
  readonly content: string
  /** Only those of one place are compared: of one scope, domain and project. */
  readonly scope: string
}

interface Said extends DuplicateCandidate {
  readonly terms: readonly string[]
}

/**
 * Groups of two or more that say the same, each in the order given. A pair alike by more than the threshold shares one of the rarest
 * words of both, so only such pairs are compared (prefix filtering: Chaudhuri, Ganti and Kaushik 2006).
 */
export function findDuplicateGroups(given: readonly DuplicateCandidate[]): string[][] {
  const rarity = new Map<string, number>()
  const all = given.map((one): Said => {
    const terms = [...new Set(extractTerms(one.content))]
    for (const term of terms) rarity.set(term, (rarity.get(term) ?? 0) + 1)
    return { ...one, terms }
  })
  const byTerm = new Map<string, number[]>()
  const group = all.map((_, i) => i)
  const rootOf = (i: number): number => (group[i] === i ? i : rootOf(group[i]!))
  all.forEach((one, i) => {
    const rarest = [...one.terms].sort((a, b) => rarity.get(a)! - rarity.get(b)! || (a < b ? -1 : 1))
    const near = new Set<number>()
    for (const term of rarest.slice(0, rarest.length - Math.ceil(ALIKE_FROM * rarest.length) + 1)) {
      const others = byTerm.get(`${one.scope}\0${term}`) ?? []
      for (const other of others) near.add(other)
      byTerm.set(`${one.scope}\0${term}`, [...others, i])
    }
    // With the group's first alone, so that no chain of likenesses joins what is not alike.
    for (const other of near) if (rootOf(other) === other && saysSame(all[other]!, one)) group[i] = other
  })
  const groups = new Map<number, string[]>()
  all.forEach((one, i) => groups.set(rootOf(i), [...(groups.get(rootOf(i)) ?? []), one.id]))
  return [...groups.values()].filter((ids) => ids.length > 1)
}

function saysSame(a: Said, b: Said): boolean {
  return jaccard(a.terms, b.terms) >= ALIKE_FROM && figuresIn(a.content) === figuresIn(b.content)
}

const figuresIn = (text: string): string => (text.normalize('NFKC').match(/\d+(?:[.,]\d+)*/g) ?? []).sort().join(' ')
