// Candidates for a question: memories that share its words, and their neighbours in the session. Their match scores
// include those of the neighbours and of the speaker. No hook loads this file.
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecallQuery } from '../../model/recallQuery.ts'
import { findPossibleNames, speakerTerm, TERM_GROUPS } from '../../recall/indexTerms.ts'
import type { MatchScores } from '../../recall/recallCandidate.ts'
import type { DocRef, SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { extractQueryTerms, extractTerms } from '../../text/terms/extractTerms.ts'
import {
  buildIndexQuery,
  GATHER_WEIGHTS,
  type IndexedCandidate,
  matchFeatures,
  type Retrieval,
  retrieve,
  WORD_GROUP,
} from './candidates.ts'
import { computeWindowFeatures, listNeighbours, WINDOW_REACH } from './windowFeatures.ts'

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
  const { best, scores, isVisible, rowAt } = retrieval
  const onceFactor = scores.options.k1 + 1
  if (best.length === 0) return { candidates: [], isComplete: true, onceFactor }
  const refs = withNeighbours(retrieval, reader)
  const windows = computeWindowFeatures(refs, { scores, reader, isVisible, group: WORD_GROUP })
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
