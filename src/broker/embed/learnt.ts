// Which words the built-in embedder knows in a project: learnt from its memories, and anew when they have become many more.
import { learnWords } from '../../embed/learn.ts'
import { type LearnedWords, openWords } from '../../embed/learned.ts'
import { readWords, type VectorsFile } from '../../store/vectors.ts'
import { termsOf } from '../../text/words.ts'
import type { Store } from '../store.ts'

/** Memories from which on words are learnt: fewer meet each other too seldom to say anything. */
const LEARN_FROM = 50

/** Words are learnt anew when there are this many times the memories: all vectors change then, so seldom. */
const LEARN_GROWTH = 1.5

export interface Learnt {
  readonly words: LearnedWords
  readonly memories: number
  /** Its file, unless it has just been learnt. */
  readonly file?: string
}

/** The words in force, or, when there are many more memories than they were learnt from, new ones. */
export function learntFor(store: Store, current: VectorsFile, texts: readonly string[]): Learnt | undefined {
  const before = learntBefore(store, current)
  if (texts.length < Math.max(LEARN_FROM, LEARN_GROWTH * (before?.memories ?? 0))) return before
  // Sorted, not in the view's order: rebuilt or not, the same memories teach the same words.
  return { words: learnWords([...texts].sort().map(termsOf)), memories: texts.length }
}

/** The words in force. */
export function learntBefore(store: Store, current: VectorsFile): Learnt | undefined {
  const bytes = readWords(store.files, store.layout, current)
  if (!bytes) return undefined
  try {
    return { words: openWords(bytes), ...current.words! }
  } catch {
    return undefined // Damaged: learnt anew, and as their name differs, so is every vector.
  }
}
