// What the memories before and after one in its session say about a cue. A remark is understood by what it answers.

import type { QueryScores } from '../../store/index/bm25.ts'
import { TermCounts, type WindowReach } from '../../store/index/windowScorer.ts'
import type { DocRef, SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { CONTAINS_QUESTION } from '../../text/answerTypes.ts'
import type { IsVisible } from './candidates.ts'

/** Scores of a memory together with its neighbours: BM25 over their texts as if they were one. */
interface WindowFeatures {
  readonly window: number
  readonly wide: number
  readonly before: number
  readonly after: number
  /** The own words of the memory before it, if that one asks. */
  readonly asked: number
}

/** Of window, wide, before and after: from five places before a memory to five after it. Measured on talks: see docs/recall.md. */
const REACHES: readonly WindowReach[] = [
  { middle: 2, weights: [0.25, 0.5, 1, 0.5, 0.25] },
  { middle: 5, weights: [0.2, 0.3, 0.4, 0.5, 0.7, 1, 0.7, 0.5, 0.4, 0.3, 0.2] },
  { middle: 2, weights: [0.35, 0.7, 1] },
  { middle: 0, weights: [1, 0.7, 0.35] },
]

/** A text of more words than these speaks for itself: its neighbours count less, by the square of how much longer it is. */
const ALONE_WORDS = 40

/** How far `window` reaches, and how far the farthest feature does. */
export const WINDOW_REACH = 2
const FARTHEST = 5

/** The documents of the same session at most `reach` away, the place itself included, that the viewer may see. */
export function listNeighbours(ref: DocRef, reach: number, reader: SearchReader, isVisible: IsVisible): number[] {
  const session = reader.sessionHashAt(ref)
  const docs: number[] = []
  for (let doc = ref.doc - reach; doc <= ref.doc + reach; doc++) {
    const isThere = doc === ref.doc || (reader.hasDoc({ segment: ref.segment, doc }) && isBeside(ref.segment, doc))
    if (isThere) docs.push(doc)
  }
  return docs

  function isBeside(segment: number, doc: number): boolean {
    return reader.sessionHashAt({ segment, doc }) === session && isVisible(segment, doc)
  }
}

interface Surroundings {
  readonly scores: QueryScores
  readonly reader: SearchReader
  readonly isVisible: IsVisible
  /** The group of terms that counts. */
  readonly group: number
}

/** The window features of each place, in their order. What the viewer may not see lends no words. */
export function computeWindowFeatures(
  refs: readonly DocRef[],
  { scores, reader, isVisible, group }: Surroundings,
): WindowFeatures[] {
  const terms = scores.readTerms.filter((term) => term.group === group)
  const shares = refs.map(({ segment, doc }) => neighbourShare(scores.docLengths(segment).lengthOf(doc)))
  const near = refs.map((place, i) =>
    shares[i]! > 0 ? listNeighbours(place, FARTHEST, reader, isVisible) : [place.doc],
  )
  const counts = reader.docCounts.map((size, segment) => {
    const docs = new Set<number>()
    for (let i = 0; i < refs.length; i++) {
      if (refs[i]!.segment === segment && near[i]!.length > 1) for (const doc of near[i]!) docs.add(doc)
    }
    return docs.size > 0 ? new TermCounts(terms, segment, docs, size) : undefined
  })
  const into = new Float64Array(REACHES.length)
  return refs.map(({ segment, doc }, i) => {
    const beside = near[i]!
    const own = scores.groupScore(segment, doc, group)
    // Without neighbours only its own words count.
    if (beside.length === 1) return { window: own, wide: own, before: own, after: own, asked: 0 }
    counts[segment]!.scoreWindow(doc, beside, REACHES, shares[i]!, scores.docLengths(segment), scores.options, into)
    const asks = beside.includes(doc - 1) && (reader.answerTypesAt({ segment, doc: doc - 1 }) & CONTAINS_QUESTION) !== 0
    const asked = asks ? scores.groupScore(segment, doc - 1, group) : 0
    return { window: into[0]!, wide: into[1]!, before: into[2]!, after: into[3]!, asked }
  })
}

/** How much neighbours count for a text of this many words; 0 where it would be next to nothing. */
function neighbourShare(words: number): number {
  const share = Math.min(1, ALONE_WORDS / Math.max(1, words)) ** 2
  return share < SHARE_MIN ? 0 : share
}
const SHARE_MIN = 0.05
