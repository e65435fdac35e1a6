// The best documents of a tally, in order, without sorting all of them.

import { DOCUMENT_COLUMN, MATCHED_COLUMN, TOTAL_COLUMN } from './accumulatorLoops.ts'
import { type Accumulators, rowFromKey } from './accumulators.ts'

/** Whether a document of a segment still counts. */
export type IsLiveDoc = (segment: number, doc: number) => boolean

export interface ScoredDoc {
  /** Which of the segments, by its place in the list. */
  readonly segment: number
  readonly doc: number
  readonly score: number
  /** How many query terms it has, of those that were read. */
  readonly matched: number
}

/** Best first; of equals the newest first (higher segment, then higher document). Asks `alive` only of what would be found. */
export function selectTopDocs(tally: Accumulators, resultsMax: number, alive?: IsLiveDoc): readonly ScoredDoc[] {
  if (resultsMax <= 0) return []
  // Who is dead is known one by one, so where too few are left, ask again for more.
  for (let wanted = resultsMax; ; wanted *= 4) {
    const keys = bestKeys(tally, wanted)
    const found = inOrder(tally, keys, resultsMax, alive)
    if (found.length === resultsMax || keys.length === tally.docCount) return found
  }
}

/** Keys of all documents from some total up, ascending: at least `wanted` if there are, mostly not twice as many. */
function bestKeys(tally: Accumulators, wanted: number): Float64Array {
  let low = 0
  let high = tally.totalMax
  let count = tally.docCount
  // A try takes some microseconds, sorting all half a millisecond. Equal totals could keep it trying for ever.
  for (let tries = 0; tries < 16 && count > 2 * wanted; tries++) {
    const middle = (low + high) / 2
    const fewer = tally.keysFrom(middle).length
    if (fewer >= wanted) {
      low = middle
      count = fewer
    } else {
      high = middle
    }
  }
  return tally.keysFrom(low).sort()
}

function inOrder(
  tally: Accumulators,
  keys: Float64Array,
  resultsMax: number,
  alive: IsLiveDoc | undefined,
): ScoredDoc[] {
  // Read straight from the table: three hundred results, cold, and every call less counts.
  const { values, words, columns, bases } = tally
  const found: ScoredDoc[] = []
  let segment = 0
  for (let end = keys.length; end > 0 && found.length < resultsMax; ) {
    const score = values[rowFromKey(keys[end - 1]!) * columns + TOTAL_COLUMN]!
    let start = end - 1
    while (start > 0 && values[rowFromKey(keys[start - 1]!) * columns + TOTAL_COLUMN] === score) start--
    if (end - start > 1) sortByAge(keys.subarray(start, end), words, columns)
    for (let i = end - 1; i >= start && found.length < resultsMax; i--) {
      const at = rowFromKey(keys[i]!) * columns
      const document = words[at + DOCUMENT_COLUMN]!
      while (segment > 0 && bases[segment]! > document) segment--
      while (segment + 1 < bases.length && bases[segment + 1]! <= document) segment++
      const doc = document - bases[segment]!
      if (!alive || alive(segment, doc)) found.push({ segment, doc, score, matched: values[at + MATCHED_COLUMN]! })
    }
    end = start
  }
  return found
}

/** Keys of equal totals by document, so that the newest comes last, where the best are. */
function sortByAge(keys: Float64Array, words: Uint32Array, columns: number): void {
  const documentOf = (key: number): number => words[rowFromKey(key) * columns + DOCUMENT_COLUMN]!
  keys.sort((a, b) => documentOf(a) - documentOf(b))
}
