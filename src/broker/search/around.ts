// Around: what the memories before and after one in its session say to the cue. A remark is understood by what it answers.

import { Counts, type Reach } from '../../store/index/nearby.ts'
import type { Scores } from '../../store/index/search.ts'
import type { Place, Shelf } from '../../store/shelf.ts'
import { ASKS } from '../../text/facts.ts'
import type { Visible } from '../hook/find.ts'

/** The scores of a memory's surroundings, BM25 over the texts as if they were one. */
export interface Around {
  readonly window: number
  readonly wide: number
  readonly before: number
  readonly after: number
  /** The own words of the memory before it, if that one asks. */
  readonly asked: number
}

/** Of window, wide, before and after: from five places before a memory to five after it. Measured on talks: see docs/recall.md. */
const REACHES: readonly Reach[] = [
  { middle: 2, weights: [0.25, 0.5, 1, 0.5, 0.25] },
  { middle: 5, weights: [0.2, 0.3, 0.4, 0.5, 0.7, 1, 0.7, 0.5, 0.4, 0.3, 0.2] },
  { middle: 2, weights: [0.35, 0.7, 1] },
  { middle: 0, weights: [1, 0.7, 0.35] },
]

/** A text of more words than these speaks for itself: what stands beside it counts the less, by the square of how much longer it is. */
const ALONE_WORDS = 40

/** How far `window` reaches, and how far the farthest. */
export const WINDOW = 2
const FARTHEST = 5

/** The places in the same session at most `reach` away, itself included, that the reader may see. */
export function besides(place: Place, reach: number, shelf: Shelf, visible: Visible): number[] {
  const session = shelf.sessionAt(place)
  const docs: number[] = []
  for (let doc = place.doc - reach; doc <= place.doc + reach; doc++) {
    const there = doc === place.doc || (shelf.isThere({ segment: place.segment, doc }) && isBeside(place.segment, doc))
    if (there) docs.push(doc)
  }
  return docs

  function isBeside(segment: number, doc: number): boolean {
    return shelf.sessionAt({ segment, doc }) === session && visible(segment, doc)
  }
}

/** What surrounds each of the places, in their order. What the reader may not see lends no words. */
export function aroundEach(
  places: readonly Place[],
  scores: Scores,
  shelf: Shelf,
  visible: Visible,
  group: number,
): Around[] {
  const terms = scores.read.filter((term) => term.group === group)
  const shares = places.map(({ segment, doc }) => shareOf(scores.lengthsIn(segment).of(doc)))
  const near = places.map((place, i) => (shares[i]! > 0 ? besides(place, FARTHEST, shelf, visible) : [place.doc]))
  const counts = shelf.manifest.segments.map((entry, segment) => {
    const docs = new Set<number>()
    for (let i = 0; i < places.length; i++) {
      if (places[i]!.segment === segment && near[i]!.length > 1) for (const doc of near[i]!) docs.add(doc)
    }
    return docs.size > 0 ? new Counts(terms, segment, docs, entry.memories) : undefined
  })
  const into = new Float64Array(REACHES.length)
  return places.map(({ segment, doc }, i) => {
    const beside = near[i]!
    const own = scores.scoreOf(segment, doc, group)
    // Standing alone it says what it says.
    if (beside.length === 1) return { window: own, wide: own, before: own, after: own, asked: 0 }
    counts[segment]!.together(doc, beside, REACHES, shares[i]!, scores.lengthsIn(segment), scores.options, into)
    const asks = beside.includes(doc - 1) && (shelf.factsAt({ segment, doc: doc - 1 }) & ASKS) !== 0
    const asked = asks ? scores.scoreOf(segment, doc - 1, group) : 0
    return { window: into[0]!, wide: into[1]!, before: into[2]!, after: into[3]!, asked }
  })
}

/** What neighbours count for a text of this many words; nothing where it is too little to tell. */
function shareOf(words: number): number {
  const share = Math.min(1, ALONE_WORDS / Math.max(1, words)) ** 2
  return share < SHARE_MIN ? 0 : share
}
const SHARE_MIN = 0.05
