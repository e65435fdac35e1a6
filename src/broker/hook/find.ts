// Find: the candidates of a cue, from the shelf, with how each one met it. The phases never see the disk. Hooks load this: what only
// questions in words need is in answers.ts.
import type { Cue } from '../../model/cue.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { admits } from '../../recall/admit.ts'
import type { Candidate, Match } from '../../recall/candidate.ts'
import { cueTerms, GROUPS, type Group, sessionTerm } from '../../recall/terms.ts'
import { type Glance, namesOf } from '../../store/glance.ts'
import type { QueryTerm, Scores } from '../../store/index/search.ts'
import type { Place, Shelf } from '../../store/shelf.ts'
import { isWideTerm, queryTermsOf } from '../../text/words.ts'
import type { RelatedTo } from './related.ts'

/** What a term of each group weighs while candidates are gathered; ranking weighs anew. Who spoke alone makes no candidate. */
export const GATHER_WEIGHT: { readonly [G in Group]: number } = {
  ...{ words: 1, files: 1, command: 0.7, error: 2, branch: 0.4 },
  speaker: 1e-4,
  // Its session's work alone makes a summary a candidate.
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

/** A candidate of the shelf: ranked by its row, read whole only to be shown. */
export type Shelved = Candidate & { readonly whole: () => Memory }

/** What the shelf has of a query, for one reader. */
export interface Found {
  readonly scores: Scores
  readonly visible: Visible
  /** The best by all they have of the query. */
  readonly best: readonly Place[]
  glanceAt(place: Place): Glance
}

/** Whether the reader may see what stands there. */
export type Visible = (segment: number, doc: number) => boolean

/** The best candidates the reader may see, at most the policy's number of them; some of them come by the work of their sessions. */
export function candidatesFor(cue: Cue, shelf: Shelf, policy: Policy, relatedTo?: RelatedTo): Shelved[] {
  const { candidatesMax } = policy.recall
  const words = queryTermsOf(cue.text)
  const query = queryOf(cue, words)
  const related = relatedTo?.(cue, words.keys(), Math.ceil(WORK_SHARE * candidatesMax))
  for (const session of related?.nearest ?? [])
    query.push({ term: sessionTerm(session), weight: GATHER_WEIGHT.work, group: WORK })
  const found = foundFor(cue, shelf, query, candidatesMax, POSTINGS_MAX)
  const matchOf = matching(found.best, found.scores, shelf)
  return found.best.map((place) => ({
    memory: found.glanceAt(place),
    match: matchOf(place),
    work: related?.featuresOf(shelf.sessionAt(place)),
    whole: () => shelf.memoryAt(place),
  }))
}

/** Asks the shelf. What the reader may not see is left out before anything is ranked: it must not take a place. */
export function foundFor(
  cue: Cue,
  shelf: Shelf,
  query: readonly QueryTerm[],
  max: number,
  postingsMax?: number,
): Found {
  const scores = shelf.ask(query, postingsMax)
  const names = namesOf('main', cue.reader.role, cue.branch, cue.taskId, cue.session)
  const glances = shelf.manifest.segments.map(() => new Map<number, Glance>())
  // What is public a row alone can admit.
  const visible: Visible = (segment, doc) => {
    if (glances[segment]!.has(doc)) return true
    if (!shelf.isThere({ segment, doc })) return false
    const glance = shelf.glanceAt({ segment, doc }, names)
    if (!admits(cue, glance.privacy === 'public' ? glance : shelf.memoryAt({ segment, doc }))) return false
    glances[segment]!.set(doc, glance)
    return true
  }
  const best = scores.best(max, visible)
  return { scores, visible, best, glanceAt: ({ segment, doc }) => glances[segment]!.get(doc)! }
}

/** What a cue asks the shelf, its text being of these words; those in `without` are left out. */
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

/** How each of these places met the cue. */
export function matching(places: readonly Place[], scores: Scores, shelf: Shelf): (place: Place) => Match {
  const greatest = scores.greatestIn(WORDS)
  const sessions = sessionScores(places, scores, shelf)
  return (place) => {
    const at = scores.at(place.segment, place.doc)
    const words = scores.values[at + WORDS]!
    return {
      words,
      window: 0,
      session: sessions.get(shelf.sessionAt(place)) ?? 0,
      files: scores.values[at + FILES]!,
      command: scores.values[at + COMMAND]!,
      error: scores.values[at + ERROR]!,
      branch: scores.values[at + BRANCH]!,
      coverage: greatest > 0 ? Math.min(1, words / greatest) : 0,
    }
  }
}

/** The best word score of each session among the found: what the session as a whole has to do with the cue. */
function sessionScores(found: readonly Place[], scores: Scores, shelf: Shelf): Map<number, number> {
  const best = new Map<number, number>()
  for (const place of found) {
    const session = shelf.sessionAt(place)
    const score = scores.scoreOf(place.segment, place.doc, WORDS)
    best.set(session, Math.max(best.get(session) ?? 0, score))
  }
  return best
}
