// Answers: the candidates for a question in words. Beside what has its words, what stands around that in its session, and who said it.
import type { Cue } from '../../model/cue.ts'
import type { Policy } from '../../model/policy.ts'
import type { Match } from '../../recall/candidate.ts'
import { GROUPS, speakerTerm } from '../../recall/terms.ts'
import type { Place, Shelf } from '../../store/shelf.ts'
import { queryTermsOf, termsOf } from '../../text/words.ts'
import { foundFor, GATHER_WEIGHT, matching, queryOf, type Shelved, type Visible, WORDS } from '../hook/find.ts'
import { aroundEach, besides, WINDOW } from './around.ts'
import { speakersIn } from './speakers.ts'

const SPEAKER = GROUPS.indexOf('speaker')

/** The best candidates the reader may see, at most the policy's number of them, with all that questions are ranked by. */
export function answersFor(cue: Cue, shelf: Shelf, policy: Policy): Shelved[] {
  const { candidatesMax } = policy.recall
  const speakers = speakersIn(cue.text, shelf)
  // Everybody around says the names too; as words they would only be noise.
  const query = queryOf(cue, queryTermsOf(cue.text), new Set(speakers.flatMap(termsOf)))
  for (const name of speakers) query.push({ term: speakerTerm(name), weight: GATHER_WEIGHT.speaker, group: SPEAKER })
  const found = foundFor(cue, shelf, query, candidatesMax)
  const { scores, visible } = found
  if (found.best.length === 0) return []
  const places = withNeighbours(found.best, shelf, visible)
  const around = aroundEach(places, scores, shelf, visible, WORDS)
  const matchOf = matching(places, scores, shelf)
  const greatest = scores.greatestIn(WORDS)
  const shelved = places.map((place, i) => {
    const { window, wide, before, after, asked } = around[i]!
    const { words, session, files, command, error, branch, coverage } = matchOf(place)
    const match: Match = {
      ...{ words, window, session, files, command, error, branch, coverage, wide, before, after, asked },
      length: scores.lengthsIn(place.segment).of(place.doc),
      surroundings: greatest > 0 ? Math.min(1, window / greatest) : 0,
      speaker: speakers.length === 1 ? (scores.scoreOf(place.segment, place.doc, SPEAKER) > 0 ? 1 : -1) : 0,
    }
    return { place, match, worth: words + window + files + command + error + branch }
  })
  // Best first by what they and those around them have of the cue.
  const kept = shelved.length <= candidatesMax ? shelved : shelved.sort((a, b) => b.worth - a.worth)
  return kept.slice(0, candidatesMax).map(({ place, match }) => ({
    memory: found.glanceAt(place),
    match,
    whole: () => shelf.memoryAt(place),
  }))
}

/** Only the neighbours of so many of the best become candidates: those of all fifty found nothing more worth its time. */
const LEADERS_MAX = 25

/** The places and those beside them: a memory may answer a question without a word of it. */
function withNeighbours(best: readonly Place[], shelf: Shelf, visible: Visible): Place[] {
  const known = new Map<string, Place>()
  for (const { segment, doc } of best) known.set(`${segment}:${doc}`, { segment, doc })
  for (const place of best.slice(0, LEADERS_MAX)) {
    for (const doc of besides(place, WINDOW, shelf, visible)) {
      const key = `${place.segment}:${doc}`
      if (!known.has(key)) known.set(key, { segment: place.segment, doc })
    }
  }
  return [...known.values()]
}
