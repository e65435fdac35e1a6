// Vectors: what every active memory means, kept beside the view for search by meaning. Organising keeps the built-in's; a model or
// a service that takes its time is asked by `embedWith`, outside any session.

import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { acquireLock } from '../../store/disk/lock.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { getLoadedHnsw, loadHnswLibrary } from '../../store/vectors/hnswLibrary.ts'
import { openVectorSet, type VectorSet } from '../../store/vectors/vectorSet.ts'
import { acquireReader, releaseReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { updateVocabulary } from './builtinVocabulary.ts'
import { type DesiredVector, listDesiredVectors, listMissingVectors, writeVectorIndexes } from './vectorSync.ts'

/** Texts given to an embedder at once: one request of a service, and often enough for a bar to move. */
const EMBEDDED_AT_ONCE = 96

/** Vectors written at once where others of the same model are there already: what a killed worker has done by then is kept. */
const KEPT_AT_ONCE = 960

/**
 * Brings the vectors in line with these memories; to be called by who holds the store's lock. New and changed ones are embedded
 * by the built-in; with another model's vectors in place they are left to `embedWith`, and only what is gone or moved is done.
 */
export function updateVectors(store: Store, memories: Iterable<Memory>): void {
  const vectors = openVectorSet(store.files, store.layout, getLoadedHnsw())
  const wanted = listDesiredVectors(memories)
  const { model } = vectors.current
  if (model === '' || isBuiltinModel(model)) refreshBuiltin(store, vectors, wanted)
  else writeVectorIndexes(store, vectors, wanted, { model, dimensions: vectors.current.dimensions }, new Map())
}

/** Throws the vectors away and makes the built-in's anew; to be called by who holds the store's lock. */
export function rebuildVectors(store: Store, memories: Iterable<Memory>): void {
  const { current } = openVectorSet(store.files, store.layout)
  refreshBuiltin(
    store,
    { current: { ...current, tiers: {}, words: undefined }, tiers: new Map() },
    listDesiredVectors(memories),
  )
}

export interface EmbedOptions {
  /** Embed what has a vector of this embedder already, too. */
  readonly all?: boolean | undefined
  /** Called after each part: texts embedded so far, and how many there are. */
  readonly progress?: ((done: number, total: number) => void) | undefined
}

/**
 * Makes this embedder's vectors the store's: embeds every active memory that has none of it yet, and says how many that were.
 * Another model's vectors are replaced whole, when the new ones are there. Throws what the embedder throws, and STORE_BUSY; the
 * vectors are then as they were.
 */
export async function embedWith(
  store: Store,
  embedder: Embedder,
  { all, progress }: EmbedOptions = {},
): Promise<number> {
  const hnsw = await loadHnswLibrary()
  const onDisk = (): VectorSet => {
    const vectors = openVectorSet(store.files, store.layout, hnsw)
    return all ? { current: { ...vectors.current, tiers: {} }, tiers: new Map() } : vectors
  }
  const known = onDisk()
  const missing = listMissingVectors(known, currentOf(store), embedder.id)
  const embedded = new Map<string, Float32Array>()
  for (let from = 0; from < missing.length; from += EMBEDDED_AT_ONCE) {
    const part = missing.slice(from, from + EMBEDDED_AT_ONCE)
    const vectors = await embedder.embed(
      part.map((one) => one.text),
      'passage',
    )
    part.forEach((one, i) => embedded.set(one.key, vectors[i]!))
    progress?.(from + part.length, missing.length)
    const goesOn = !all && known.current.model === embedder.id && from + part.length < missing.length
    if (goesOn && embedded.size >= KEPT_AT_ONCE) {
      writeLocked(store, onDisk(), embedder, embedded)
      embedded.clear()
    }
  }
  writeLocked(store, onDisk(), embedder, embedded)
  return missing.length
}

/** Locked only for the writing: asking a service may take minutes, and a session that ends must not wait for it. */
function writeLocked(
  store: Store,
  vectors: VectorSet,
  { id, dimensions }: Embedder,
  embedded: ReadonlyMap<string, Float32Array>,
): void {
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) throw busy(store)
  try {
    writeVectorIndexes(store, vectors, currentOf(store), { model: id, dimensions }, embedded)
  } finally {
    lock.release()
  }
}

/** Makes the built-in's vectors the store's, all of them anew, from the view as it is on disk. Throws STORE_BUSY. */
export async function rebuildBuiltinVectors(store: Store): Promise<void> {
  await loadHnswLibrary()
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) throw busy(store)
  const reader = acquireReader(store, upgradeMemory)
  try {
    rebuildVectors(store, reader.allMemories())
  } finally {
    releaseReader(reader)
    lock.release()
  }
}

function refreshBuiltin(store: Store, vectors: VectorSet, wanted: readonly DesiredVector[]): void {
  const learnt = updateVocabulary(
    store,
    vectors.current,
    wanted.map((one) => one.text),
  )
  const embedder = createBuiltinEmbedder(learnt?.words)
  const missing = listMissingVectors(vectors, wanted, embedder.id)
  const made = embedder.embed(missing.map((one) => one.text))
  const embedded = new Map(missing.map((one, i) => [one.key, made[i]!]))
  writeVectorIndexes(store, vectors, wanted, { model: embedder.id, dimensions: embedder.dimensions }, embedded, learnt)
}

/** The memories of the view as it is on disk. */
function currentOf(store: Store): DesiredVector[] {
  const reader = acquireReader(store, upgradeMemory)
  try {
    return listDesiredVectors(reader.allMemories())
  } finally {
    releaseReader(reader)
  }
}

const busy = (store: Store): MemoryError =>
  new MemoryError('STORE_BUSY', `${store.layout.folder} is being written by another process`, {
    hint: 'Try again in a minute; vectors that were made are made again then.',
  })
