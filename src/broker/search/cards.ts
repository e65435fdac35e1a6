// The cards of a desk: one a memory, in the order in which they were made, with what searching knows of it already.
//
// A change of the log makes only the cards of changed memories new; the others keep their place in the index and their vector.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { Desk } from '../desk.ts'
import type { Loaded } from '../view/saveMemories.ts'

export interface Card {
  readonly memory: Memory
  /** Where its words stand: which part of the index, which document of it. */
  words?: { readonly part: object; readonly doc: number } | undefined
  /** Its vector: which row of which block. */
  block?: object | undefined
  row?: number | undefined
  /** Its words counted, where no vector serves. */
  counted?: Counted | undefined
}

/** A text's words with what each weighs, and the length of all of them as a vector. */
export interface Counted {
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
}

export interface Cards {
  /** A card for every memory that there is now. */
  all(): readonly Card[]
  /** Counts up whenever the view behind them was loaded anew: then no card knows anything yet. */
  readonly generation: number
}

export function cardsOf(desk: Desk): Cards {
  let loaded: Loaded | undefined
  let cursor = ''
  let cards: Card[] = []
  let generation = 0
  return {
    get generation() {
      return generation
    },
    all() {
      const memories = desk.memories()
      if (loaded !== desk.loaded) {
        loaded = desk.loaded
        cards = []
        generation++
      } else if (cursor === JSON.stringify(loaded.view.cursor)) return cards
      cursor = JSON.stringify(loaded.view.cursor)
      cards = dealt(cards, memories)
      return cards
    },
  }
}

function dealt(before: readonly Card[], memories: ReadonlyMap<MemoryId, Memory>): Card[] {
  const cards: Card[] = []
  let byId: Map<MemoryId, Card> | undefined
  let shift = 0
  for (const memory of memories.values()) {
    // Nearly always the same memory in the same place, but for those that were deleted before it.
    let card = before[cards.length + shift]
    while (card && card.memory.id !== memory.id && !memories.has(card.memory.id)) card = before[cards.length + ++shift]
    if (card && card.memory.id !== memory.id) {
      byId ??= new Map(before.map((one) => [one.memory.id, one]))
      card = byId.get(memory.id)
    }
    cards.push(card ? cardFor(memory, card) : { memory })
  }
  return cards
}

function cardFor(memory: Memory, before: Card): Card {
  if (before.memory === memory) return before
  if (!hasSameWords(before.memory, memory)) return { memory }
  return { ...before, memory }
}

/** Whether two states of a memory have the same words for the index, and the same text to embed. */
export function hasSameWords(before: Memory, after: Memory): boolean {
  return (
    before.content === after.content &&
    before.commandShape === after.commandShape &&
    before.errorSignature === after.errorSignature &&
    before.branch === after.branch &&
    (['tags', 'lessons', 'files'] as const).every(
      (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name]),
    )
  )
}
