// Answers: the candidates for a question in words. Beside what has its words, what stands around that in its session, and who said it.
import type { Cue } from '../model/cue.ts'
import type { Policy } from '../model/policy.ts'
import type { Match } from '../recall/candidate.ts'
import { GROUPS, speakerTerm } from '../recall/terms.ts'
import type { Place, Shelf } from '../store/shelf.ts'
import { termsOf } from '../text/words.ts'
import { aroundEach, besides, WINDOW } from './around.ts'
import { foundFor, GATHER_WEIGHT, matching, queryOf, type Shelved, type Visible, WORDS } from './find.ts'
import { speakersIn } from './speakers.ts'

const SPEAKER = GROUPS.indexOf('speaker')

/** The best candidates the reader may see, at most the policy's number of them, with all that questions are ranked by. */
export function answersFor(cue: Cue, shelf: Shelf, policy: Policy): Shelved[] {
  const { candidatesMax } = policy.recall
  const speakers = speakersIn(cue.text, shelf)
  // Everybody around says the names too; as words they would only be noise.
  const query = queryOf(cue, new Set(speakers.flatMap(termsOf)))
  for (const name of speakers) query.push({ term: speakerTerm(name), weight: GATHER_WEIGHT.speaker, group: SPEAKER })
  const found = foundFor(cue, shelf, query, candidatesMax)
  const { scores, visible } = found
  if (found.best.length === 0) return []
  const places = withNeighbours(found.best, shelf, visible)
  const around = aroundEach(places, scores, shelf, visible, WORDS)
  const matchOf = matching(places, scores, shelf)
  const greatest = scores.greatestIn(WORDS)
  const shelved = places.map((place, i) => {
    const match: Match = {
      ...matchOf(place),
      ...around[i]!,
      length: scores.lengthsIn(place.segment).of(place.doc),
      surroundings: greatest > 0 ? Math.min(1, around[i]!.window / greatest) : 0,
      speaker: speakers.length === 1 ? (scores.scoreOf(place.segment, place.doc, SPEAKER) > 0 ? 1 : -1) : 0,
    }
    return { memory: found.glanceAt(place), match, whole: () => shelf.memoryAt(place) }
  })
  return shelved.length <= candidatesMax ? shelved : gathered(shelved).slice(0, candidatesMax)
}

/** The places and those beside them: a memory may answer a question without a word of it. */
function withNeighbours(best: readonly Place[], shelf: Shelf, visible: Visible): Place[] {
  const known = new Map<string, Place>()
  for (const { segment, doc } of best) known.set(`${segment}:${doc}`, { segment, doc })
  for (const place of best) {
    for (const doc of besides(place, WINDOW, shelf, visible)) {
      const key = `${place.segment}:${doc}`
      if (!known.has(key)) known.set(key, { segment: place.segment, doc })
    }
  }
  return [...known.values()]
}

/** Best first by what they and those around them have of the cue. */
const gathered = (shelved: readonly Shelved[]): Shelved[] =>
  [...shelved].sort((a, b) => worthOf(b.match) - worthOf(a.match))

const worthOf = ({ words, window, files, command, error, branch }: Match): number =>
  words + window + files + command + error + branch
