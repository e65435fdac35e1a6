// How alike two sets of terms are.

type Terms = readonly string[] | ReadonlySet<string>

/** Jaccard: shared ÷ all, 0 to 1. Two empty sets are not alike: nothing speaks for it. */
export function jaccard(a: Terms, b: Terms): number {
  const [one, other] = [setOf(a), setOf(b)]
  const shared = sharedOf(one, other)
  const all = one.size + other.size - shared
  return all === 0 ? 0 : shared / all
}

/** Overlap: shared ÷ the smaller, 0 to 1: 1 where one holds all of the other. */
export function overlap(a: Terms, b: Terms): number {
  const [one, other] = [setOf(a), setOf(b)]
  const smaller = Math.min(one.size, other.size)
  return smaller === 0 ? 0 : sharedOf(one, other) / smaller
}

const setOf = (terms: Terms): ReadonlySet<string> => (terms instanceof Set ? terms : new Set(terms))

function sharedOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const term of a) if (b.has(term)) shared++
  return shared
}
