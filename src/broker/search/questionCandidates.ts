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
 * by. Memories that `isWanted` rejects are no candidates, but their words still count for their neighbours.
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
  const refs = withNeighbours(retrieval, reader, isWanted)
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
    return { ref, match, worth: words + near.window + files + command + error + branch }
  })
  // Best first by the matches of the memory and its neighbours.
  const ordered = found.length <= candidatesMax ? found : found.sort((a, b) => b.worth - a.worth)
  const candidates = ordered.slice(0, candidatesMax).map(({ ref, match }) => ({
    memory: rowAt(ref),
    match,
    load: () => reader.memoryAt(ref),
  }))
  return { candidates, isComplete: best.length < candidatesMax && found.length <= candidatesMax, onceFactor }
}

/** The names in the text that are a speaker's of some memory, in lower case. */
function findSpeakers(text: string, reader: SearchReader): string[] {
  const names = findPossibleNames(text)
  const known = reader.hasTerms(names.map(speakerTerm))
  return names.filter((_, i) => known[i])
}

/** Only the best ones add their neighbours: those of all fifty did not find more. */
const LEADERS_MAX = 25

/** The best documents and their neighbours: a memory may answer a question without sharing a word with it. */
function withNeighbours(
  { best, isVisible }: Retrieval,
  reader: SearchReader,
  isWanted?: (memory: Memory) => boolean,
): DocRef[] {
  const known = new Map<string, DocRef>()
  for (const { segment, doc } of best) known.set(`${segment}:${doc}`, { segment, doc })
  for (const ref of best.slice(0, LEADERS_MAX)) {
    for (const doc of listNeighbours(ref, WINDOW_REACH, reader, isVisible)) {
      const key = `${ref.segment}:${doc}`
      const neighbour = { segment: ref.segment, doc }
      if (!known.has(key) && (isWanted?.(reader.memoryAt(neighbour)) ?? true)) known.set(key, neighbour)
    }
  }
  return [...known.values()]
}
