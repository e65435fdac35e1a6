// The words on a desk's cards: the view's index as it lies on disk, and small ones in memory over what is newer.
//
//   parts   disk │ disk │ tail │ tail │ …      a card says where its words stand; what no card names is dead
import { indexedTerms } from '../../recall/terms.ts'
import { scores } from '../../store/index/search.ts'
import { openSegment, type Segment } from '../../store/index/segment.ts'
import { type IndexedDocument, writeSegment } from '../../store/index/writer.ts'
import { inMemory } from '../../store/memorySegment.ts'
import { queryTermsOf } from '../../text/words.ts'
import type { Desk } from '../desk.ts'
import { type Card, type Cards, hasSameWords } from './cards.ts'

/** Tails are put together from so many on: each costs a question some microseconds, each putting together some milliseconds. */
const TAILS_MAX = 8

const BM25 = { k1: 1.2, b: 0.75 }

/** Nothing is left out: nobody waits for this as a session waits for a hook. */
const NO_LIMIT = { postingsMax: 4_000_000, touchedMax: 65_535 }

interface Part {
  readonly segment: Segment
  /** Its place among the parts. */
  at: number
  /** What was analysed for it; absent where it lies on disk. */
  readonly documents?: readonly IndexedDocument[]
}

/** What a question's words gave to one card. */
export interface Worded {
  /** BM25, from 0 up, without an upper limit. */
  readonly score: number
  /** The share of the question's words, weighed by their rarity, that it holds, 0 to 1. */
  readonly coverage: number
}

export interface CardWords {
  /** What each card has to do with the question's words. `cards` are all there are now. */
  ask(question: string, cards: readonly Card[]): (card: Card) => Worded
}

const NOTHING: Worded = { score: 0, coverage: 0 }

export function cardWords(desk: Desk, cards: Cards): CardWords {
  let generation = 0
  let parts: Part[] = []

  const begin = (all: readonly Card[]): void => {
    for (const { segment } of parts) segment.close()
    generation = cards.generation
    parts = []
    const { store, loaded } = desk
    const byName = new Map<string, Part>()
    for (const entry of loaded.manifest.segments) {
      // Gone where a newer view has taken its place meanwhile: then what stood in it is analysed anew.
      const segment = entry.archive ? undefined : openSegment(store.files, `${store.layout.segments}/${entry.name}.idx`)
      if (segment) byName.set(entry.name, added({ segment, at: parts.length }))
    }
    for (const card of all) {
      const place = loaded.places.get(card.memory.id)
      const part = place && byName.get(place.segment)
      if (part && hasSameWords(place.memory, card.memory)) card.words = { part, doc: place.row }
    }
  }
  const added = (part: Part): Part => {
    parts.push(part)
    return part
  }
  const addTail = (fresh: readonly Card[], documents: readonly IndexedDocument[]): void => {
    const part = added({ segment: inMemory(writeSegment(documents)), at: parts.length, documents })
    fresh.forEach((card, doc) => {
      card.words = { part, doc }
    })
  }
  const refresh = (all: readonly Card[]): void => {
    if (generation !== cards.generation) begin(all)
    const fresh = all.filter((card) => card.words === undefined && card.memory.status === 'active')
    if (fresh.length > 0)
      addTail(
        fresh,
        fresh.map((card) => indexedTerms(card.memory)),
      )
    if (parts.filter((part) => part.documents).length > TAILS_MAX) putTogether(all)
  }
  const putTogether = (all: readonly Card[]): void => {
    parts = parts.filter((part) => !part.documents)
    const live = all.filter((card) => card.words && (card.words.part as Part).documents)
    addTail(
      live,
      live.map((card) => (card.words!.part as Part).documents![card.words!.doc]!),
    )
  }

  return {
    ask(question, all) {
      refresh(all)
      if (parts.length === 0) return () => NOTHING
      const query = [...queryTermsOf(question)].map(([term, weight]) => ({ term, weight, group: 0 }))
      const segments = parts.map((part) => part.segment)
      const found = scores(segments, query, { ...BM25, ...NO_LIMIT })
      // A word that stands once in a memory of average length adds its gain over k1 + 1.
      const greatest = found.greatestIn(0) / (BM25.k1 + 1)
      return ({ words }) => {
        if (!words) return NOTHING
        const score = found.values[found.at((words.part as Part).at, words.doc)]!
        return score === 0 ? NOTHING : { score, coverage: Math.min(1, score / greatest) }
      }
    },
  }
}
