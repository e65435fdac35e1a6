// Which words the built-in embedder knows in a project: learnt from its memories, and anew when they have become many more.
import { trainWordVectors } from '../../embed/trainWordVectors.ts'
import { openWordVectors, type WordVectors } from '../../embed/wordVectors.ts'
import { readWordVectorBytes, type VectorManifest } from '../../store/vectors/vectorSet.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { Store } from '../open/openStore.ts'

/** Memories from which on words are learnt: fewer meet each other too seldom to say anything. */
const LEARN_FROM = 50

/** Words are learnt anew when there are this many times the memories: all vectors change then, so seldom. */
const LEARN_GROWTH = 1.5

export interface Vocabulary {
  readonly words: WordVectors
  readonly memories: number
  /** Its file, unless it has just been learnt. */
  readonly file?: string
}

/** The words in force, or, when there are many more memories than they were learnt from, new ones. */
export function updateVocabulary(
  store: Store,
  current: VectorManifest,
  texts: readonly string[],
): Vocabulary | undefined {
  const before = loadVocabulary(store, current)
  if (texts.length < Math.max(LEARN_FROM, LEARN_GROWTH * (before?.memories ?? 0))) return before
  // Sorted, not in the view's order: rebuilt or not, the same memories teach the same words.
  return { words: trainWordVectors([...texts].sort().map(extractTerms)), memories: texts.length }
}

/** The words in force. */
export function loadVocabulary(store: Store, current: VectorManifest): Vocabulary | undefined {
  const bytes = readWordVectorBytes(store.files, store.layout, current)
  if (!bytes) return undefined
  try {
    return { words: openWordVectors(bytes), ...current.words! }
  } catch {
    return undefined // Damaged: learnt anew, and as their name differs, so is every vector.
  }
}
