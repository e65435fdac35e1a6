// Seek: seed 001's search over a desk. By meaning, by words, or both; what may not be seen or does not pass is left out before ranking.
import { accessScoreOf } from '../../model/accessScore.ts'
import type { Memory } from '../../model/memory.ts'
import type { Embedder } from '../../model/ports.ts'
import type { Desk } from '../desk.ts'
import { type Eyes, sees } from '../eyes.ts'
import { Best } from './best.ts'
import { type CardMeanings, cardMeanings } from './cardMeanings.ts'
import { type Cards, cardsOf } from './cards.ts'
import { type CardWords, cardWords } from './cardWords.ts'
import type { SEARCH_MODES, SEARCH_SORTS } from './seekChoices.ts'

export interface Sought extends Eyes {
  readonly query: string
  readonly mode: (typeof SEARCH_MODES)[number]
  /** The words' part in a hybrid search, 0 to 1; the meaning has the rest. */
  readonly keywordWeight: number
  /** How many at most. */
  readonly topK: number
  /** The least similarity, 0 to 1; what has none at all is never found. */
  readonly similarityMin: number
  /** In which order those found are given. */
  readonly sortBy: (typeof SEARCH_SORTS)[number]
  /** The importance's part in being found among the best, 0 to 1. */
  readonly importanceWeight: number
  readonly passes: (memory: Memory) => boolean
}

export interface Hit {
  readonly memory: Memory
  /** How near it is to the query, 0 to 1; see docs/tools.md for each mode. */
  readonly similarity: number
}

/** What searching keeps from one question to the next, for a desk that stays. */
interface Kept {
  readonly cards: Cards
  readonly words: CardWords
  readonly meanings: CardMeanings
}

const kept = new WeakMap<Desk, Kept>()

/** The memories that match best, at most `topK`, then ordered as wanted. Counts nothing and writes nothing. */
export async function seek(desk: Desk, sought: Sought, embedder?: Embedder): Promise<Hit[]> {
  const { cards, words, meanings } = keptFor(desk, embedder)
  const { mode, query, keywordWeight: share, similarityMin } = sought
  const all = cards.all()
  const maySee = sees(sought)
  const admitted = all.filter(({ memory }) => maySee(memory) && sought.passes(memory))
  const said = mode === 'semantic' ? undefined : words.ask(query, all)
  const near = mode === 'keyword' ? undefined : await meanings.ask(query, admitted)
  const best = new Best<Ranked>(sought.topK, compare)
  for (let place = 0; place < admitted.length; place++) {
    const card = admitted[place]!
    const worded = said?.(card)
    const coverage = worded?.coverage ?? 0
    const similarity = !near ? coverage : !said ? near[place]! : share * coverage + (1 - share) * near[place]!
    if (similarity <= 0 || similarity < similarityMin) continue
    const worth = worthOf(card.memory, similarity, sought)
    // Most are far from the best: not even a value is made of them.
    if (best.worst && worth < best.worst.worth) continue
    best.offer({ memory: card.memory, similarity, worth, score: worded?.score ?? 0, place })
  }
  return ordered(best.taken(), sought).map(({ memory, similarity }) => ({ memory, similarity: rounded(similarity) }))
}

interface Ranked extends Hit {
  readonly worth: number
  readonly score: number
  /** Among all, in the order in which they were made. */
  readonly place: number
}

function keptFor(desk: Desk, embedder: Embedder | undefined): Kept {
  const before = kept.get(desk)
  if (before) return before
  const cards = cardsOf(desk)
  const made = { cards, words: cardWords(desk, cards), meanings: cardMeanings(desk, embedder) }
  kept.set(desk, made)
  return made
}

const worthOf = (memory: Memory, similarity: number, { importanceWeight, now }: Sought): number =>
  importanceWeight === 0
    ? similarity
    : (1 - importanceWeight) * similarity + importanceWeight * accessScoreOf(memory, now)

/** Best first. Coverage ends at 1, the score behind it does not; then the newer, so that one question has one answer. */
const compare = (a: Ranked, b: Ranked): number => b.worth - a.worth || b.score - a.score || byAge(a, b)

/** The newer first; of one millisecond the one that the log has later. */
const byAge = (a: Ranked, b: Ranked): number =>
  a.memory.created < b.memory.created ? 1 : a.memory.created > b.memory.created ? -1 : b.place - a.place

function ordered(best: readonly Ranked[], { sortBy, now }: Sought): readonly Ranked[] {
  switch (sortBy) {
    case 'relevance':
      return best
    case 'importance':
      return best.toSorted((a, b) => accessScoreOf(b.memory, now) - accessScoreOf(a.memory, now) || compare(a, b))
    case 'created_at':
      return best.toSorted(byAge)
  }
}

const rounded = (similarity: number): number => Math.round(similarity * 1e4) / 1e4
