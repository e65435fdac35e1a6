// How alike texts are by the words they share, where nothing has been learnt yet: what the built-in's hashed vectors only approximate.
//
// Hashed, a question of two words is as near to some texts that have none of them as to others that have both: with few memories that
// is most of what is found. From some fifty memories on the built-in learns words, and its vectors serve.
import { weightOf } from '../embed/learn.ts'
import type { Memory } from '../model/memory.ts'
import { termsOf } from '../text/words.ts'
import { textOf } from './embedding.ts'

interface Counted {
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
}

export interface DeskLiteral {
  /** The cosine of each memory's words with the question's, 0 to 1. */
  near(question: string, memories: readonly Memory[]): Float32Array
}

export function deskLiteral(): DeskLiteral {
  // A memory that changes is another value: what nobody holds any more is forgotten by itself.
  const counted = new WeakMap<Memory, Counted>()
  const countedOf = (memory: Memory): Counted => {
    const before = counted.get(memory)
    if (before) return before
    const made = countedIn(textOf(memory))
    counted.set(memory, made)
    return made
  }
  return {
    near(question, memories) {
      const asked = countedIn(question)
      return Float32Array.from(memories, (memory) => cosine(asked, countedOf(memory)))
    },
  }
}

function countedIn(text: string): Counted {
  const counts = new Map<string, number>()
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  let squares = 0
  for (const [term, count] of counts) {
    const weight = weightOf(count, 1)
    counts.set(term, weight)
    squares += weight * weight
  }
  return { weights: counts, length: Math.sqrt(squares) }
}

function cosine(asked: Counted, told: Counted): number {
  let sum = 0
  for (const [term, weight] of asked.weights) sum += weight * (told.weights.get(term) ?? 0)
  return sum === 0 ? 0 : Math.min(1, sum / (asked.length * told.length))
}
