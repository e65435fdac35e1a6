// The first stage of every search: candidates for a cue from the index, only those the reader may see, each with how it matches. Hooks
// load this file; what only questions need is in questionCandidates.ts.
import type { Cue, Moment } from '../../model/cue.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { admits } from '../../recall/admit.ts'
import type { Candidate, Match } from '../../recall/candidate.ts'
import { cueTerms, GROUPS, type Group, sessionTerm } from '../../recall/terms.ts'
import type { Related } from '../../recall/worked.ts'
import { type Glance, namesOf } from '../../store/glance.ts'
import type { QueryTerm, Scores } from '../../store/index/search.ts'
import type { Place, SearchReader } from '../../store/shelf.ts'
import { isWideTerm, queryTermsOf } from '../../text/words.ts'

/** Weight of each group's terms while candidates are gathered; ranking has its own weights. A speaker alone makes no candidate. */
export const GATHER_WEIGHT: { readonly [G in Group]: number } = {
  ...{ words: 1, files: 1, command: 0.7, error: 2, branch: 0.4 },
  speaker: 1e-4,
  // The work of a session is enough to make its summary a candidate.
  work: 2,
}

/** A pair of Japanese or Chinese characters says again what its characters say. Measured: docs/recall.md. */
const PAIR_WEIGHT = 0.4

/** So does a word with a hyphen, whose parts are asked for too; paths, flags and names of code are worth more whole. */
const HYPHENED_WEIGHT = 0.1
const HYPHENED = /^[a-z0-9]+(?:-[a-z0-9]+)+$/

export const WORDS = GROUPS.indexOf('words')
const FILES = GROUPS.indexOf('files')
const COMMAND = GROUPS.indexOf('command')
const ERROR = GROUPS.indexOf('error')
const BRANCH = GROUPS.indexOf('branch')
const WORK = GROUPS.indexOf('work')

/**
 * Postings a hook reads at most: 40,000 take it up to a millisecond more; of what 40 prompts among 10,000 memories were told it changes
 * 2 notes of 79.
 */
const POSTINGS_MAX = 20_000

/** Of the candidates this share may come by the work of their sessions. */
const WORK_SHARE = 0.25

/** A candidate from the index: ranked by its row, its text read only to be shown. */
export type IndexedCandidate = Candidate & { readonly whole: () => Memory }

/** What the index has for a query and one viewer. */
export interface Retrieval {
  readonly scores: Scores
  readonly isVisible: IsVisible
  /** The best by total score. */
  readonly best: readonly Place[]
  rowAt(place: Place): Glance
}

/** Whether the viewer may see the memory at a place. */
export type IsVisible = (segment: number, doc: number) => boolean

/** The `wanted` sessions whose work is nearest to a cue of these words; undefined where none is known. */
export type RelatedTo = (cue: Cue, words: Iterable<string>, wanted: number) => Related | undefined

/** The best visible candidates for a moment of work, at most the policy's number; some come by the work of their sessions. */
export function candidatesFor(
  cue: Cue,
  reader: SearchReader,
  policy: Policy,
  relatedTo?: RelatedTo,
): IndexedCandidate[] {
  const { candidatesMax } = policy.recall
  const words = queryTermsOf(cue.text)
  const query = queryOf(cue, words)
  const related = relatedTo?.(cue, words.keys(), Math.ceil(WORK_SHARE * candidatesMax))
  for (const session of related?.nearest ?? [])
    query.push({ term: sessionTerm(session), weight: GATHER_WEIGHT.work, group: WORK })
  const { best, scores, rowAt } = retrieve(cue, reader, query, { max: candidatesMax, postingsMax: POSTINGS_MAX })
  const matchAt = matchFeatures(best, scores, reader)
  return best.map((place) => ({
    memory: rowAt(place),
    match: matchAt(place),
    work: related?.featuresOf(reader.sessionAt(place)),
    whole: () => reader.memoryAt(place),
  }))
}

/** Candidates ranked for each note that may be shown: ranking fifty for two notes takes a cold process 2 ms. */
const CANDIDATES_A_NOTE = 8

/** The policy with as many candidates as the moment can make use of. */
export function forMoment(policy: Policy, moment: Moment): Policy {
  const candidatesMax = Math.min(policy.recall.candidatesMax, CANDIDATES_A_NOTE * policy.recall.moments[moment].topK)
  return { ...policy, recall: { ...policy.recall, candidatesMax } }
}

interface RetrieveOptions {
  readonly max: number
  readonly postingsMax?: number
  /** A caller's own filter: only these become candidates. */
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
}

/** Queries the index. What the viewer may not see is left out before ranking: it must not take a place. */
export function retrieve(
  cue: Cue,
  reader: SearchReader,
  query: readonly QueryTerm[],
  { max, postingsMax, isWanted }: RetrieveOptions,
): Retrieval {
  const scores = reader.ask(query, postingsMax)
  const names = namesOf('main', cue.reader.role, cue.branch, cue.taskId, cue.session)
  const rows = reader.sizes.map(() => new Map<number, Glance>())
  // What is public a row alone can admit.
  const isVisible: IsVisible = (segment, doc) => {
    if (rows[segment]!.has(doc)) return true
    if (!reader.isThere({ segment, doc })) return false
    const row = reader.glanceAt({ segment, doc }, names)
    if (!admits(cue, row.privacy === 'public' ? row : reader.memoryAt({ segment, doc }))) return false
    rows[segment]!.set(doc, row)
    return true
  }
  const isEligible: IsVisible = isWanted
    ? (segment, doc) => isVisible(segment, doc) && isWanted(reader.memoryAt({ segment, doc }))
    : isVisible
  const best = scores.best(max, isEligible)
  return { scores, isVisible, best, rowAt: ({ segment, doc }) => rows[segment]!.get(doc)! }
}

/** The query of a cue whose text has these words; words in `without` are left out. */
export function queryOf(
  cue: Cue,
  words: ReadonlyMap<string, number>,
  without: ReadonlySet<string> = new Set(),
): QueryTerm[] {
  const terms = cueTerms(cue, words)
  const query: QueryTerm[] = []
  GROUPS.forEach((name, group) => {
    for (const [term, count] of terms[name]) {
      if (group === WORDS && without.has(term)) continue
      const part = group === WORDS ? wordWeight(term) : 1
      query.push({ term, weight: count * GATHER_WEIGHT[name] * part, group })
    }
  })
  return query
}

function wordWeight(term: string): number {
  if (term.length === 2 && isWideTerm(term)) return PAIR_WEIGHT
  return term.indexOf('-', 1) !== -1 && HYPHENED.test(term) ? HYPHENED_WEIGHT : 1
}

/** How the memory at each of these places matches the cue. */
export function matchFeatures(places: readonly Place[], scores: Scores, reader: SearchReader): (place: Place) => Match {
  const greatest = scores.greatestIn(WORDS)
  const sessions = sessionScores(places, scores, reader)
  return (place) => {
    const at = scores.at(place.segment, place.doc)
    const words = scores.values[at + WORDS]!
    return {
      words,
      window: 0,
      session: sessions.get(reader.sessionAt(place)) ?? 0,
      files: scores.values[at + FILES]!,
      command: scores.values[at + COMMAND]!,
      error: scores.values[at + ERROR]!,
      branch: scores.values[at + BRANCH]!,
      coverage: greatest > 0 ? Math.min(1, words / greatest) : 0,
    }
  }
}

/** The best word score of each session: what the session as a whole has to do with the cue. */
function sessionScores(places: readonly Place[], scores: Scores, reader: SearchReader): Map<number, number> {
  const best = new Map<number, number>()
  for (const place of places) {
    const session = reader.sessionAt(place)
    const score = scores.scoreOf(place.segment, place.doc, WORDS)
    best.set(session, Math.max(best.get(session) ?? 0, score))
  }
  return best
}
