// Computes the nearest words of words and of memories with the store's embedder, for the expansions that hooks read.
//
//   words    of the project, of the lexicon, and those that the model can list; each gets a vector
//   targets  the words of the project: what a query can find
//   word ──▶ its nearest targets        memory ──▶ its nearest words
//
// Incremental: a word is compared only with the targets that are new since the last time. Limited in time: what is left
// follows after the next session. The result has hashes of words only.
import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import type { ExpansionNumbers } from '../../model/expansion.ts'
import type { Embedder, VectorIndex } from '../../model/ports.ts'
import { acquireLock } from '../../store/disk/lock.ts'
import { hashMatches } from '../../store/index/buildExpansions.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { getLoadedHnsw, loadHnswLibrary } from '../../store/vectors/hnswLibrary.ts'
import { readNeighbours, TARGETS_NAME, VOCABULARY_NAME, writeNeighbours } from '../../store/vectors/neighbourFile.ts'
import { createVectorIndex, openVectorIndex } from '../../store/vectors/vectorIndex.ts'
import { openVectorSet, type VectorSet } from '../../store/vectors/vectorSet.ts'
import { hash64, hashHex } from '../../text/hash.ts'
import { isWord, listWords } from '../../text/lexicon/listWords.ts'
import { listSynonymGroups } from '../../text/lexicon/parseLexicon.ts'
import { termsOfWord } from '../../text/lexicon/wordTerms.ts'
import { acquireReader, releaseReader, reopenReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { rewriteExpansions } from '../projection/expansionFile.ts'
import { loadVocabulary } from './builtinVocabulary.ts'
import { compareMemories, compareWords, computeFloors, type NeighbourState } from './compareWords.ts'
import { readEmbedderConfig } from './embedderConfig.ts'
import { openEmbedder } from './openEmbedder.ts'
import { embeddedText } from './vectorSync.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Words in one request to an embedder. */
const BATCH_WORDS = 96

/** The share of the time for vectors of words; the rest is for comparing them. */
const EMBEDDING_SHARE = 0.6

/** Of the words that get a vector, at most this share are the project's own. */
const TARGETS_SHARE = 0.5

interface UpdateOptions {
  readonly env: Env
  /** Milliseconds since some time. */
  readonly clock: () => number
}

/** Updates the neighbours and then the expansions. Returns whether all is done; false if time ran out. */
export async function updateNeighbours(store: Store, { env, clock }: UpdateOptions): Promise<boolean> {
  const numbers = readActivePolicy(store).policy.expansion
  const { secondsMax } = numbers
  if (numbers.weight <= 0 || numbers.embedder <= 0 || secondsMax <= 0) return true
  const endMs = clock() + 1000 * secondsMax
  const hnsw = await loadHnswLibrary()
  const memoryVectors = openVectorSet(store.files, store.layout, hnsw)
  const embedder = await openMatchingEmbedder(store, memoryVectors, env)
  if (!embedder) return true
  try {
    const state = readState(store, embedder, () => clock() > endMs)
    const known = state.words.length
    const embeddingEndMs = clock() + EMBEDDING_SHARE * (endMs - clock())
    const isEmbedded = await addWords(
      state,
      listVocabulary(store, embedder, numbers),
      embedder,
      () => clock() > embeddingEndMs,
    )
    if (state.words.length > known) state.vectors.save(baseOf(store, VOCABULARY_NAME), embedder.id)
    const floors = computeFloors(state, memoryVectors, numbers.deviationsMin)
    const isCompared = compareWords(state, openTargets(store, state, embedder), numbers.neighboursMax)
    const isRelated = isBuiltinModel(embedder.id) || compareMemories(state, memoryVectors, numbers.neighboursMax)
    const { words, targets, memories } = state
    writeNeighbours(store.files, store.layout, { model: embedder.id, floors, words, targets, memories })
    applyNeighbours(store, numbers)
    return isEmbedded && isCompared && isRelated
  } finally {
    embedder.close?.()
  }
}

/** The embedder of the stored vectors; undefined if it cannot be opened, or has learned no words yet. */
async function openMatchingEmbedder(store: Store, { current }: VectorSet, env: Env): Promise<Embedder | undefined> {
  if (current.model === '') return undefined
  if (isBuiltinModel(current.model)) {
    const vocabulary = loadVocabulary(store, current)
    return vocabulary && createBuiltinEmbedder(vocabulary.words)
  }
  const embedder = await openEmbedder(readEmbedderConfig(store), env)
  if (embedder?.id === current.model) return embedder
  embedder?.close?.()
  return undefined
}

const baseOf = ({ layout }: Store, name: string): string => `${layout.vectors}/${name}`

function readState(store: Store, { id: model, dimensions }: Embedder, isTimeUp: () => boolean): NeighbourState {
  const vectors = openVectorIndex(store.files, baseOf(store, VOCABULARY_NAME), model)
  const stored = readNeighbours(store.files, store.layout)
  const file = vectors && stored?.model === model ? stored : undefined
  // A word whose vector was not saved before the worker ended gets one again.
  const isIntact = file?.words.every(({ id }) => vectors?.getKey(id) !== undefined)
  const words = isIntact && file ? [...file.words] : []
  return {
    words,
    positions: new Map(words.map(({ id }, position) => [id, position])),
    vectors: vectors ?? createVectorIndex(store.files, dimensions),
    targets: isIntact && file ? [...file.targets] : [],
    memories: isIntact && file ? { ...file.memories } : {},
    isTimeUp,
  }
}

interface Vocabulary {
  /** Of the project, the most frequent first. */
  readonly own: readonly string[]
  readonly others: readonly string[]
}

function listVocabulary(store: Store, embedder: Embedder, { vocabularyMax }: ExpansionNumbers): Vocabulary {
  const reader = acquireReader(store, upgradeMemory)
  try {
    const texts: string[] = []
    for (const memory of reader.allMemories()) if (memory.status === 'active') texts.push(embeddedText(memory))
    const own = listWords(texts).slice(0, Math.floor(TARGETS_SHARE * vocabularyMax))
    // The built-in embedder knows the words of the project only.
    if (isBuiltinModel(embedder.id)) return { own, others: [] }
    const lexicon = listSynonymGroups().flatMap((group) => group.map(({ word }) => word))
    const others = new Set([...lexicon, ...(embedder.vocabulary?.() ?? [])].filter(isWord))
    return { own, others: [...others].slice(0, vocabularyMax - own.length) }
  } finally {
    releaseReader(reader)
  }
}

/** Adds the words that are new, with their vectors. Returns whether all have one. */
async function addWords(
  state: NeighbourState,
  { own, others }: Vocabulary,
  embedder: Embedder,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const { words, positions, vectors, targets } = state
  const isTarget = new Set(targets)
  const targetWords = new Set(own)
  const missing: { readonly word: string; readonly id: string }[] = []
  for (const word of new Set([...own, ...others])) {
    const id = hashHex(word)
    const position = positions.get(id)
    if (position === undefined) missing.push({ word, id })
    else if (targetWords.has(word) && !isTarget.has(position)) targets.push(position)
  }
  for (let start = 0; start < missing.length; start += BATCH_WORDS) {
    if (isTimeUp()) return false
    const batch = missing.slice(start, start + BATCH_WORDS)
    const made = await embedder.embed(
      batch.map(({ word }) => word),
      'query',
    )
    batch.forEach(({ word, id }, i) => {
      const vector = made[i]
      if (!vector) return
      const { keys, matches } = termsOfWord(word)
      if (targetWords.has(word)) targets.push(words.length)
      positions.set(id, words.length)
      words.push({ id, keys: keys.map(hash64), matches: hashMatches(matches), near: [], compared: 0 })
      vectors.add(id, vector, id)
    })
  }
  return true
}

/** The index of the targets, with those that are new. */
function openTargets(store: Store, { words, vectors, targets }: NeighbourState, embedder: Embedder): VectorIndex {
  const { id: model, dimensions } = embedder
  const base = baseOf(store, TARGETS_NAME)
  const hnsw = getLoadedHnsw()
  const index = openVectorIndex(store.files, base, model, hnsw) ?? createVectorIndex(store.files, dimensions, { hnsw })
  const known = index.size
  for (const position of targets) {
    const { id = '' } = words[position] ?? {}
    const vector = index.getKey(id) === undefined ? vectors.getVector(id) : undefined
    if (vector) index.add(id, vector, id)
  }
  if (index.size > known) index.save(base, model, Number.POSITIVE_INFINITY)
  return index
}

/** Writes the expansions again, unless another process writes: then its save or the next one does it. */
function applyNeighbours(store: Store, numbers: ExpansionNumbers): void {
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) return
  try {
    rewriteExpansions(store, numbers)
    reopenReader(store)
  } finally {
    lock.release()
  }
}
