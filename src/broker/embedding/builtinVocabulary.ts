// The vocabulary of the built-in embedder in a project: trained on its memories, and again when their number has grown.
import { trainWordVectors } from '../../embed/trainWordVectors.ts'
import { openWordVectors, type WordVectors } from '../../embed/wordVectors.ts'
import { readWordVectorBytes, type VectorManifest } from '../../store/vectors/vectorSet.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { Store } from '../open/openStore.ts'

/** Memories needed for training: in fewer, words co-occur too rarely. */
const TRAINING_MEMORIES_MIN = 50

/** Growth of the number of memories after which words are trained again. Rarely, because all vectors change then. */
const RETRAINING_GROWTH = 1.5

export interface Vocabulary {
  readonly words: WordVectors
  readonly memories: number
  /** Its file; missing if it was just trained. */
  readonly file?: string
}

/** The current words, or new ones if there are many more memories than they were trained on. */
export function updateVocabulary(
  store: Store,
  current: VectorManifest,
  texts: readonly string[],
): Vocabulary | undefined {
  const before = loadVocabulary(store, current)
  if (texts.length < Math.max(TRAINING_MEMORIES_MIN, RETRAINING_GROWTH * (before?.memories ?? 0))) return before
  // Sorted, so that the same memories give the same words after a rebuild.
  return { words: trainWordVectors([...texts].sort().map(extractTerms)), memories: texts.length }
}

/** The current words; undefined if there are none or their file is corrupt. */
export function loadVocabulary(store: Store, current: VectorManifest): Vocabulary | undefined {
  const bytes = readWordVectorBytes(store.files, store.layout, current)
  if (!bytes || !current.words) return undefined
  try {
    return { words: openWordVectors(bytes), ...current.words }
  } catch {
    return undefined // Corrupt: trained again, under another name, so every vector is computed again too.
  }
}
