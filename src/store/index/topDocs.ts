// Selects the best documents of a search in order, without sorting all of them.
import { DOCUMENT_COLUMN, MATCHED_COLUMN, TOTAL_COLUMN } from './accumulatorLoops.ts'
import { type Accumulators, rowFromKey } from './accumulators.ts'

/** Whether a document may be a result. */
export type IsLiveDoc = (segment: number, doc: number) => boolean

export interface ScoredDoc {
  /** Index of the segment. */
  readonly segment: number
  readonly doc: number
  readonly score: number
  /** How many of the query terms that were read it has. */
  readonly matched: number
}

/**
 * Best first, of equal ones the newest (higher segment, then higher document). Calls `isLive` only for possible
 * results.
 */
export function selectTopDocs(
  accumulators: Accumulators,
  resultsMax: number,
  isLive?: IsLiveDoc,
): readonly ScoredDoc[] {
  if (resultsMax <= 0) return []
  // Which documents are live is only known one by one. If too few are left, select more.
  for (let wanted = resultsMax; ; wanted *= 4) {
    const keys = bestKeys(accumulators, wanted)
    const docs = toScoredDocs(accumulators, keys, resultsMax, isLive)
    if (docs.length === resultsMax || keys.length === accumulators.docCount) return docs
  }
}

/**
 * Keys of all documents above some total, ascending: at least `wanted` if there are as many, mostly less than twice
 * that.
 */
function bestKeys(accumulators: Accumulators, wanted: number): Float64Array {
  let low = 0
  let high = accumulators.totalMax
  let count = accumulators.docCount
  // A try takes some microseconds, sorting all 0.5 ms. Limited, because equal totals cannot be separated.
  for (let tries = 0; tries < 16 && count > 2 * wanted; tries++) {
    const middle = (low + high) / 2
    const fewer = accumulators.keysFrom(middle).length
    if (fewer >= wanted) {
      low = middle
      count = fewer
    } else {
      high = middle
    }
  }
  return accumulators.keysFrom(low).sort()
}

function toScoredDocs(
  accumulators: Accumulators,
  keys: Float64Array,
  resultsMax: number,
  isLive: IsLiveDoc | undefined,
): ScoredDoc[] {
  // Reads the table directly: for 300 results in the interpreter every call counts.
  const { values, words, columns, bases } = accumulators
  const docs: ScoredDoc[] = []
  let segment = 0
  for (let end = keys.length; end > 0 && docs.length < resultsMax; ) {
    const score = values[rowFromKey(keys[end - 1]!) * columns + TOTAL_COLUMN]!
    let start = end - 1
    while (start > 0 && values[rowFromKey(keys[start - 1]!) * columns + TOTAL_COLUMN] === score) start--
    if (end - start > 1) sortByDocument(keys.subarray(start, end), words, columns)
    for (let i = end - 1; i >= start && docs.length < resultsMax; i--) {
      const at = rowFromKey(keys[i]!) * columns
      const document = words[at + DOCUMENT_COLUMN]!
      while (segment > 0 && bases[segment]! > document) segment--
      while (segment + 1 < bases.length && bases[segment + 1]! <= document) segment++
      const doc = document - bases[segment]!
      if (!isLive || isLive(segment, doc)) docs.push({ segment, doc, score, matched: values[at + MATCHED_COLUMN]! })
    }
    end = start
  }
  return docs
}

/** Sorts keys of equal totals by document. The newest comes last, where the best are. */
function sortByDocument(keys: Float64Array, words: Uint32Array, columns: number): void {
  const documentOf = (key: number): number => words[rowFromKey(key) * columns + DOCUMENT_COLUMN]!
  keys.sort((a, b) => documentOf(a) - documentOf(b))
}
