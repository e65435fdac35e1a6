// Candidates for a question in words: memories that share its words and their neighbours in the session, with what the neighbours and the
// speaker add. No hook loads this file.

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
  /** What the share of words is multiplied by, so that a memory of average length that has each word once has all of it. */
  readonly onceFactor: number
}

/**
 * The best visible candidates, at most the policy's number, with all features that questions are ranked by. Of those that `isWanted` refuses
 * none becomes a candidate; as neighbours they still lend their words.
 */
export function findQuestionCandidates(
  cue: RecallQuery,
  reader: SearchReader,
  policy: Policy,
  isWanted?: (memory: Memory) => boolean,
): QuestionCandidates {
  const { candidatesMax } = policy.recall
  const speakers = speakersIn(cue.text, reader)
  // Every memory around has the names too; as words they would only be noise.
  const query = buildIndexQuery(cue, extractQueryTerms(cue.text), new Set(speakers.flatMap(extractTerms)))
  for (const name of speakers) query.push({ term: speakerTerm(name), weight: GATHER_WEIGHTS.speaker, group: SPEAKER })
  const retrieval = retrieve(cue, reader, query, { max: candidatesMax, isWanted })
  const { best, scores, isVisible, rowAt } = retrieval
  const onceFactor = scores.options.k1 + 1
  if (best.length === 0) return { candidates: [], isComplete: true, onceFactor }
  const refs = withNeighbours(retrieval, reader, isWanted)
  const windows = computeWindowFeatures(refs, { scores, reader, isVisible, group: WORD_GROUP })
  const matchAt = matchFeatures(refs, scores, reader)
  const greatest = scores.maxGroupScore(WORD_GROUP)
  const found = refs.map((place, i) => {
    const near = windows[i]!
    const own = matchAt(place)
    const match: MatchScores = {
      ...own,
      ...near,
      length: scores.docLengths(place.segment).lengthOf(place.doc),
      surroundings: greatest > 0 ? Math.min(1, near.window / greatest) : 0,
      speaker: speakers.length === 1 ? (scores.groupScore(place.segment, place.doc, SPEAKER) > 0 ? 1 : -1) : 0,
    }
    const { words, files, command, error, branch } = own
    return { place, match, worth: words + near.window + files + command + error + branch }
  })
  // Best first by what they and their neighbours match.
  const kept = found.length <= candidatesMax ? found : found.sort((a, b) => b.worth - a.worth)
  const candidates = kept.slice(0, candidatesMax).map(({ place, match }) => ({
    memory: rowAt(place),
    match,
    load: () => reader.memoryAt(place),
  }))
  return { candidates, isComplete: best.length < candidatesMax && found.length <= candidatesMax, onceFactor }
}

/** The names in the text that some memory's agent has, in lower case. */
function speakersIn(text: string, reader: SearchReader): string[] {
  const names = findPossibleNames(text)
  const known = reader.hasTerms(names.map(speakerTerm))
  return names.filter((_, i) => known[i])
}

/** Only the neighbours of so many of the best become candidates: those of all fifty found nothing more worth its time. */
const LEADERS_MAX = 25

/** The best places and their neighbours: a memory may answer a question without a word of it. */
function withNeighbours(
  { best, isVisible }: Retrieval,
  reader: SearchReader,
  isWanted?: (memory: Memory) => boolean,
): DocRef[] {
  const known = new Map<string, DocRef>()
  for (const { segment, doc } of best) known.set(`${segment}:${doc}`, { segment, doc })
  for (const place of best.slice(0, LEADERS_MAX)) {
    for (const doc of listNeighbours(place, WINDOW_REACH, reader, isVisible)) {
      const key = `${place.segment}:${doc}`
      const beside = { segment: place.segment, doc }
      if (!known.has(key) && (isWanted?.(reader.memoryAt(beside)) ?? true)) known.set(key, beside)
    }
  }
  return [...known.values()]
}
