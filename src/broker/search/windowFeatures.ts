// Match scores of a memory together with its neighbours in a conversation: a remark is understood by what it answers.
// What somebody stored as it is has no neighbours, even if it was stored in one batch with others.
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
  /** The score of the memory before it, if that one asks a question. */
  readonly asked: number
}

/** Of window, wide, before and after. Measured on conversations: `npm run eval -- ablation`. */
const REACHES: readonly WindowReach[] = [
  { middle: 2, weights: [0.25, 0.5, 1, 0.5, 0.25] },
  { middle: 5, weights: [0.2, 0.3, 0.4, 0.5, 0.7, 1, 0.7, 0.5, 0.4, 0.3, 0.2] },
  { middle: 2, weights: [0.35, 0.7, 1] },
  { middle: 0, weights: [1, 0.7, 0.35] },
]

/** Texts with more words need their neighbours less: these count less, by the square of how much longer the text is. */
const ALONE_WORDS = 40

/** How many documents to each side `window` reaches, and how many the widest feature does. */
export const WINDOW_REACH = 2
const FARTHEST = 5

/** The visible documents of the same conversation at most `reach` away, including the document itself. */
export function listNeighbours(ref: DocRef, reach: number, reader: SearchReader, isVisible: IsVisible): number[] {
  const conversation = reader.conversationAt(ref)
  if (conversation === 0) return [ref.doc]
  const docs: number[] = []
  for (let doc = ref.doc - reach; doc <= ref.doc + reach; doc++) {
    if (doc === ref.doc || (reader.hasDoc({ segment: ref.segment, doc }) && isNeighbour(ref.segment, doc)))
      docs.push(doc)
  }
  return docs

  function isNeighbour(segment: number, doc: number): boolean {
    return reader.conversationAt({ segment, doc }) === conversation && isVisible(segment, doc)
  }
}

interface WindowContext {
  readonly scores: QueryScores
  readonly reader: SearchReader
  readonly isVisible: IsVisible
  /** The group of terms that counts. */
  readonly group: number
}

/** The window features of each document, in the order of `refs`. Hidden neighbours do not count. */
export function computeWindowFeatures(
  refs: readonly DocRef[],
  { scores, reader, isVisible, group }: WindowContext,
): WindowFeatures[] {
  const terms = scores.readTerms.filter((term) => term.group === group)
  const shares = refs.map(({ segment, doc }) => neighbourShare(scores.docLengths(segment).lengthOf(doc)))
  const near = refs.map((ref, i) => (shares[i]! > 0 ? listNeighbours(ref, FARTHEST, reader, isVisible) : [ref.doc]))
  const counts = reader.docCounts.map((size, segment) => {
    const docs = new Set<number>()
    for (let i = 0; i < refs.length; i++) {
      if (refs[i]!.segment === segment && near[i]!.length > 1) for (const doc of near[i]!) docs.add(doc)
    }
    return docs.size > 0 ? new TermCounts(terms, segment, docs, size) : undefined
  })
  const into = new Float64Array(REACHES.length)
  return refs.map(({ segment, doc }, i) => {
    const neighbours = near[i]!
    const own = scores.groupScore(segment, doc, group)
    // Without neighbours only its own words count.
    if (neighbours.length === 1) return { window: own, wide: own, before: own, after: own, asked: 0 }
    const lengths = scores.docLengths(segment)
    const parameters = { reaches: REACHES, share: shares[i]!, lengths, bm25: scores.options }
    counts[segment]!.scoreWindow(doc, neighbours, parameters, into)
    const asks =
      neighbours.includes(doc - 1) && (reader.answerTypesAt({ segment, doc: doc - 1 }) & CONTAINS_QUESTION) !== 0
    const asked = asks ? scores.groupScore(segment, doc - 1, group) : 0
    return { window: into[0]!, wide: into[1]!, before: into[2]!, after: into[3]!, asked }
  })
}

/** How much neighbours count for a text of this many words, 0 to 1; 0 if it would be less than SHARE_MIN. */
function neighbourShare(words: number): number {
  const share = Math.min(1, ALONE_WORDS / Math.max(1, words)) ** 2
  return share < SHARE_MIN ? 0 : share
}
const SHARE_MIN = 0.05
