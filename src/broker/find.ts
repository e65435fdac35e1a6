// Find: the candidates of a cue, from the shelf, with how each one met it. The phases never see the disk.
import type { Cue } from '../model/cue.ts'
import type { Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { admits } from '../recall/admit.ts'
import type { Candidate, Match } from '../recall/rank.ts'
import { cueTerms, GROUPS, type Group } from '../recall/terms.ts'
import { type Glance, namesOf } from '../store/glance.ts'
import type { QueryTerm, Scores } from '../store/index/search.ts'
import type { Place, Shelf } from '../store/shelf.ts'

/** What a term of each group weighs while candidates are gathered; ranking weighs anew. */
const GATHER_WEIGHT: { readonly [G in Group]: number } = { words: 1, files: 1, command: 0.7, error: 2, branch: 0.4 }

const WORDS = GROUPS.indexOf('words')
const FILES = GROUPS.indexOf('files')
const COMMAND = GROUPS.indexOf('command')
const ERROR = GROUPS.indexOf('error')
const BRANCH = GROUPS.indexOf('branch')

/** Neighbours in a session: their distance and what their words count. Measured on conversations: see docs/recall.md. */
const NEIGHBOURS = { distances: [-2, -1, 1, 2], weights: [0.25, 0.5, 0.5, 0.25] } as const

/** A candidate of the shelf: ranked by its row, read whole only to be shown. */
export type Shelved = Candidate & { readonly whole: () => Memory }

/** Whether the reader may see what stands there. */
type Visible = (segment: number, doc: number) => boolean

/** The best candidates the reader may see, at most the policy's number of them. */
export function candidatesFor(cue: Cue, shelf: Shelf, policy: Policy): Shelved[] {
  const query = queryOf(cue)
  const scores = shelf.ask(query)
  const names = namesOf('main', cue.reader.role, cue.branch, cue.taskId, cue.session)
  const glances = shelf.manifest.segments.map(() => new Map<number, Glance>())
  // Before ranking, not after: a hidden memory must not take a place. What is public a row alone can admit.
  const visible: Visible = (segment, doc) => {
    if (glances[segment]!.has(doc)) return true
    if (!shelf.isThere({ segment, doc })) return false
    const glance = shelf.glanceAt({ segment, doc }, names)
    if (!admits(cue, glance.privacy === 'public' ? glance : shelf.memoryAt({ segment, doc }))) return false
    glances[segment]!.set(doc, glance)
    return true
  }
  const found = scores.best(policy.recall.candidatesMax, visible)
  if (found.length === 0) return []
  const greatest = scores.greatestIn(WORDS)
  const sessions = sessionScores(found, scores, shelf)
  return found.map((place) => ({
    memory: glances[place.segment]!.get(place.doc)!,
    match: matchOf(place, scores, shelf, visible, sessions.get(shelf.sessionAt(place)) ?? 0, greatest),
    whole: () => shelf.memoryAt(place),
  }))
}

function queryOf(cue: Cue): QueryTerm[] {
  const terms = cueTerms(cue)
  return GROUPS.flatMap((name, group) =>
    [...terms[name]].map(([term, count]) => ({ term, weight: count * GATHER_WEIGHT[name], group })),
  )
}

function matchOf(
  place: Place,
  scores: Scores,
  shelf: Shelf,
  visible: Visible,
  session: number,
  greatest: number,
): Match {
  const at = scores.at(place.segment, place.doc)
  const words = scores.values[at + WORDS]!
  return {
    words,
    window: words + neighbourWords(place, scores, shelf, visible),
    session,
    files: scores.values[at + FILES]!,
    command: scores.values[at + COMMAND]!,
    error: scores.values[at + ERROR]!,
    branch: scores.values[at + BRANCH]!,
    coverage: greatest > 0 ? Math.min(1, words / greatest) : 0,
  }
}

/** The words of the memories before and after it in the same session; one the reader may not see lends none. */
function neighbourWords(place: Place, scores: Scores, shelf: Shelf, visible: Visible): number {
  const session = shelf.sessionAt(place)
  let sum = 0
  for (let i = 0; i < NEIGHBOURS.distances.length; i++) {
    const doc = place.doc + NEIGHBOURS.distances[i]!
    const score = scores.scoreOf(place.segment, doc, WORDS)
    if (score === 0 || shelf.sessionAt({ segment: place.segment, doc }) !== session) continue
    if (visible(place.segment, doc)) sum += NEIGHBOURS.weights[i]! * score
  }
  return sum
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
