// Around: what the memories before and after one in its session say to the cue. A remark is understood by what it answers.

import { Counts } from '../store/index/nearby.ts'
import type { Scores } from '../store/index/search.ts'
import type { Place, Shelf } from '../store/shelf.ts'
import { ASKS } from '../text/facts.ts'
import type { Visible } from './find.ts'

/** The scores of a memory's surroundings, BM25 over the texts as if they were one. */
export interface Around {
  readonly window: number
  readonly wide: number
  readonly before: number
  readonly after: number
  /** The own words of the memory before it, if that one asks. */
  readonly asked: number
}

/** What the words of one that many places before and after count, its own being 1. Measured on conversations: see docs/recall.md. */
interface Reach {
  readonly before: readonly number[]
  readonly after: readonly number[]
}
const FAR = [0.7, 0.5, 0.4, 0.3, 0.2]
/** Of window, wide, before and after. */
const REACHES: readonly Reach[] = [
  { before: [0.5, 0.25], after: [0.5, 0.25] },
  { before: FAR, after: FAR },
  { before: [0.7, 0.35], after: [] },
  { before: [], after: [0.7, 0.35] },
]

/** A text of more words than these speaks for itself: what stands beside it counts the less, by the square of how much longer it is. */
const ALONE_WORDS = 40

/** How far `window` reaches, and how far the farthest. */
export const WINDOW = 2
export const FARTHEST = 5

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
  const near = places.map((place) => besides(place, FARTHEST, shelf, visible))
  const counts = shelf.manifest.segments.map((entry, segment) => {
    const docs = near.flatMap((beside, i) => (places[i]!.segment === segment ? beside : []))
    return docs.length > 0 ? new Counts(terms, segment, docs, entry.memories) : undefined
  })
  return places.map(({ segment, doc }, i) => {
    const lengths = scores.lengthsIn(segment)
    const share = Math.min(1, ALONE_WORDS / Math.max(1, lengths.of(doc))) ** 2
    const reaches = REACHES.map((one) => near[i]!.map((other) => weightOf(other - doc, one, share)))
    const [window, wide, before, after] = counts[segment]!.together(near[i]!, reaches, lengths, scores.options)
    return { window: window!, wide: wide!, before: before!, after: after!, asked: askedBefore(segment, doc, near[i]!) }
  })

  function askedBefore(segment: number, doc: number, beside: readonly number[]): number {
    const asks = beside.includes(doc - 1) && (shelf.factsAt({ segment, doc: doc - 1 }) & ASKS) !== 0
    return asks ? scores.scoreOf(segment, doc - 1, group) : 0
  }
}

/** What a text `distance` after (below 0: before) counts; `share` of it where this one is long. */
function weightOf(distance: number, { before, after }: Reach, share: number): number {
  if (distance === 0) return 1
  return share * ((distance < 0 ? before[-distance - 1] : after[distance - 1]) ?? 0)
}
