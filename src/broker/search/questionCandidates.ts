// Candidates for a question: memories that share its words, and their neighbours in the session. Their match scores
// include those of the neighbours and of the speaker. No hook loads this file.

import { type Bm25, lengthPenalty } from '../../model/bm25.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecallQuery } from '../../model/recallQuery.ts'
import { findPossibleNames, speakerTerm, TERM_GROUPS } from '../../recall/indexTerms.ts'
import type { MatchScores } from '../../recall/recallCandidate.ts'
import type { DocLengths, QueryTermPostings } from '../../store/index/bm25.ts'
import { COUNT_SHIFT, DOCUMENT_MASK } from '../../store/index/indexSegment.ts'
import type { DocRef, SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { CONTAINS_QUESTION } from '../../text/answerTypes.ts'
import { extractQueryTerms, extractTerms } from '../../text/terms/extractTerms.ts'
import {
  buildIndexQuery,
  GATHER_WEIGHTS,
  type IndexedCandidate,
  type IsVisible,
  matchFeatures,
  type Retrieval,
  retrieve,
  WORD_GROUP,
} from './candidates.ts'

const SPEAKER = TERM_GROUPS.indexOf('speaker')

interface QuestionCandidates {
  readonly candidates: readonly IndexedCandidate[]
  /** Whether every memory that matches is among them. */
  readonly isComplete: boolean
  /** Factor of `coverage` with which a memory of average length that has each word once gets 1. */
  readonly onceFactor: number
}

/**
 * The best visible candidates, at most `candidatesMax` of the policy, with all match scores that questions are ranked
 * by. Memories that `isWanted` rejects, or that only repeat what was asked, are no candidates, but their words still
 * count for their neighbours.
 */
export function findQuestionCandidates(
  query: RecallQuery,
  reader: SearchReader,
  policy: Policy,
  isWanted?: (memory: Memory) => boolean,
): QuestionCandidates {
  const { candidatesMax } = policy.recall
  const speakers = findSpeakers(query.text, reader)
  // Most memories of a conversation contain the names: as words they are noise.
  const terms = buildIndexQuery(query, extractQueryTerms(query.text), new Set(speakers.flatMap(extractTerms)))
  for (const name of speakers) terms.push({ term: speakerTerm(name), weight: GATHER_WEIGHTS.speaker, group: SPEAKER })
  const retrieval = retrieve(query, reader, terms, { max: candidatesMax, isWanted })
  const { best, scores, rowAt } = retrieval
  const onceFactor = scores.options.k1 + 1
  if (best.length === 0) return { candidates: [], isComplete: true, onceFactor }
  const refs = withNeighbours(retrieval, reader)
  const windows = computeWindowFeatures(refs, retrieval, reader)
  const matchAt = matchFeatures(refs, scores, reader)
  const wordsMax = scores.maxGroupScore(WORD_GROUP)
  const found = refs.map((ref, i) => {
    const near = windows[i]!
    const own = matchAt(ref)
    const match: MatchScores = {
      ...own,
      // A second spread would be slow in V8.
      window: near.window,
      wide: near.wide,
      before: near.before,
      after: near.after,
      asked: near.asked,
      length: scores.docLengths(ref.segment).lengthOf(ref.doc),
      surroundings: wordsMax > 0 ? Math.min(1, near.window / wordsMax) : 0,
      speaker: speakers.length === 1 ? (scores.groupScore(ref.segment, ref.doc, SPEAKER) > 0 ? 1 : -1) : 0,
    }
    const { words, files, command, error, branch } = own
    const worth = words + near.window + files + command + error + branch
    return { memory: rowAt(ref), match, worth, load: () => reader.memoryAt(ref) }
  })
  // Best first by the matches of the memory and its neighbours.
  const ordered = found.length <= candidatesMax ? found : found.sort((a, b) => b.worth - a.worth)
  const relevant = selectRelevant(ordered)
  const candidates = relevant.slice(0, candidatesMax)
  // What the index has after the first that is not relevant matches even less.
  const isComplete = relevant.length < ordered.length || best.length < candidatesMax
  return { candidates, isComplete: isComplete && relevant.length <= candidatesMax, onceFactor }
}

/** A memory with less than this share of the words that the best one has is about something else. */
const LEAST_SHARE = 0.25

/** Those that have enough of the question's words, in a dialogue with what was said beside them; or other evidence. */
function selectRelevant<Found extends IndexedCandidate>(found: readonly Found[]): readonly Found[] {
  const shareOf = ({ memory, match }: Found): number =>
    isSaid(memory) ? Math.max(match.coverage, match.surroundings ?? 0) : match.coverage
  const least = LEAST_SHARE * found.reduce((most, each) => Math.max(most, shareOf(each)), 0)
  return found.filter((each) => {
    const { files, command, error, branch } = each.match
    return shareOf(each) >= least || files + command + error + branch > 0
  })
}

/** The names in the text that are a speaker's of some memory, in lower case. */
function findSpeakers(text: string, reader: SearchReader): string[] {
  const names = findPossibleNames(text)
  const known = reader.hasTerms(names.map(speakerTerm))
  return names.filter((_, i) => known[i])
}

/** Only the best ones add their neighbours: those of all fifty did not find more. */
const LEADERS_MAX = 25

/** Whether it is a line of a dialogue: somebody with a name said it. */
const isSaid = ({ agentId }: IndexedCandidate['memory']): boolean => agentId !== undefined

/**
 * The best documents, and what was said beside them: of a dialogue, a line may answer a question without sharing a word
 * with it. What a session gave has its own words for what it is about.
 */
function withNeighbours({ best, isVisible, isEligible, rowAt }: Retrieval, reader: SearchReader): DocRef[] {
  const known = new Map<string, DocRef>()
  for (const { segment, doc } of best) known.set(`${segment}:${doc}`, { segment, doc })
  for (const ref of best.slice(0, LEADERS_MAX)) {
    for (const doc of listNeighbours(ref, WINDOW_REACH, reader, isVisible)) {
      const key = `${ref.segment}:${doc}`
      if (!known.has(key) && isEligible(ref.segment, doc) && isSaid(rowAt({ segment: ref.segment, doc })))
        known.set(key, { segment: ref.segment, doc })
    }
  }
  return [...known.values()]
}

// Match scores of a memory together with its neighbours in a conversation: a remark is understood by what it answers.
// What somebody stored as it is has no neighbours, even if it was stored in one batch with others.

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
const WINDOW_REACH = 2
const FARTHEST = 5

/** The visible documents of the same conversation at most `reach` away, including the document itself. */
function listNeighbours(ref: DocRef, reach: number, reader: SearchReader, isVisible: IsVisible): number[] {
  const { segment } = ref
  const conversation = reader.conversationAt(ref)
  if (conversation === 0) return [ref.doc]
  const docs: number[] = []
  for (let doc = ref.doc - reach; doc <= ref.doc + reach; doc++) {
    const isNear = reader.hasDoc({ segment, doc }) && reader.conversationAt({ segment, doc }) === conversation
    if (doc === ref.doc || (isNear && isVisible(segment, doc))) docs.push(doc)
  }
  return docs
}

/**
 * The scores of each document together with its neighbours, in the order of `refs`: BM25 over their texts as if they
 * were one. `asked` is that of the document before, if it asks a question. Hidden neighbours do not count.
 */
function computeWindowFeatures(refs: readonly DocRef[], { scores, isVisible }: Retrieval, reader: SearchReader) {
  const terms = scores.readTerms.filter((term) => term.group === WORD_GROUP)
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
    const own = scores.groupScore(segment, doc, WORD_GROUP)
    // Without neighbours only its own words count.
    if (neighbours.length === 1) return { window: own, wide: own, before: own, after: own, asked: 0 }
    const lengths = scores.docLengths(segment)
    const parameters = { reaches: REACHES, share: shares[i]!, lengths, bm25: scores.options }
    counts[segment]!.scoreWindow(doc, neighbours, parameters, into)
    const asks =
      neighbours.includes(doc - 1) && (reader.answerTypesAt({ segment, doc: doc - 1 }) & CONTAINS_QUESTION) !== 0
    const asked = asks ? scores.groupScore(segment, doc - 1, WORD_GROUP) : 0
    return { window: into[0]!, wide: into[1]!, before: into[2]!, after: into[3]!, asked }
  })
}

/** How much neighbours count for a text of this many words, 0 to 1; 0 if it would be less than SHARE_MIN. */
function neighbourShare(words: number): number {
  const share = Math.min(1, ALONE_WORDS / Math.max(1, words)) ** 2
  return share < SHARE_MIN ? 0 : share
}
const SHARE_MIN = 0.05

// Scores a document together with its neighbours, as if they were one text: BM25 over term counts that come from the
// postings which the search has read anyway.

/** Counts of some terms in some documents of one segment. */
export class TermCounts {
  readonly #slots: Uint16Array
  readonly #table: Uint8Array
  readonly #terms: readonly QueryTermPostings[]

  /** `docs` in any order, at most 65,535. `documents` is the size of the segment. */
  constructor(terms: readonly QueryTermPostings[], segment: number, docs: Iterable<number>, documents: number) {
    this.#terms = terms
    this.#slots = new Uint16Array(documents)
    let slots = 0
    for (const doc of docs) if (this.#slots[doc] === 0) this.#slots[doc] = ++slots
    this.#table = new Uint8Array((slots + 1) * terms.length)
    for (let term = 0; term < terms.length; term++) {
      const postings = terms[term]!.postings[segment]
      if (postings) this.#addPostings(postings, term)
    }
  }

  #addPostings(postings: Uint32Array, term: number): void {
    for (let i = 0; i < postings.length; i++) {
      const posting = postings[i]!
      const slot = this.#slots[posting & DOCUMENT_MASK]!
      if (slot !== 0) this.#table[slot * this.#terms.length + term] = posting >>> COUNT_SHIFT
    }
  }

  /**
   * Writes BM25 of a document with its neighbours into `into`, one number for each reach. Counts and lengths are
   * weighted sums, compared with as many average documents. `near` are the neighbours and the document itself.
   */
  scoreWindow(
    doc: number,
    near: readonly number[],
    { reaches, share, lengths, bm25 }: WindowParameters,
    into: Float64Array,
  ): void {
    const terms = this.#terms.length
    for (let r = 0; r < reaches.length; r++) {
      const reach = reaches[r]!
      let length = 0
      let sum = 0
      for (let i = 0; i < near.length; i++) {
        const neighbour = near[i]!
        const weight = weightOf(reach, neighbour - doc, share)
        if (weight === 0) continue
        length += weight * lengths.lengthOf(neighbour)
        sum += weight
      }
      const penalty = lengthPenalty(length, sum * lengths.average, bm25)
      let score = 0
      for (let term = 0; term < terms; term++) {
        let count = 0
        for (let i = 0; i < near.length; i++) {
          const own = this.#table[this.#slots[near[i]!]! * terms + term]!
          if (own !== 0) count += own * weightOf(reach, near[i]! - doc, share)
        }
        if (count > 0) score += (this.#terms[term]!.gain * count) / (count + penalty)
      }
      into[r] = score
    }
  }
}

export interface WindowParameters {
  readonly reaches: readonly WindowReach[]
  /** Factor of the neighbours' weights, 0 to 1. */
  readonly share: number
  readonly lengths: DocLengths
  readonly bm25: Bm25
}

/** The weight of a neighbour at a distance is `weights[middle + distance]`. The document itself has weight 1. */
export interface WindowReach {
  readonly weights: readonly number[]
  readonly middle: number
}

function weightOf({ weights, middle }: WindowReach, distance: number, share: number): number {
  return distance === 0 ? 1 : share * (weights[middle + distance] ?? 0)
}
