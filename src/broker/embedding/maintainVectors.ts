// Keeps a vector of every active memory beside the snapshot, for semantic search. Maintenance updates those of the
// built-in embedder. A model or service that takes longer embeds in `embedWith`, outside of sessions.
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
import {
  type DesiredVector,
  listDesiredVectors,
  listMissingVectors,
  readDesiredVectors,
  writeVectorIndexes,
} from './vectorSync.ts'

/** Texts per request to an embedder, small enough for a progress bar to move. */
const BATCH_TEXTS = 96

/** New vectors per write, if the store has vectors of this model already. A killed worker loses fewer. */
const CHECKPOINT_VECTORS = 960

/**
 * Updates the vectors for these memories; the caller holds the store's lock. The built-in embedder embeds new and
 * changed memories. Vectors of another model are only moved and removed; `embedWith` computes them.
 */
export function updateVectors(store: Store, memories: Iterable<Memory>): void {
  const vectors = openVectorSet(store.files, store.layout, getLoadedHnsw())
  const desired = listDesiredVectors(memories)
  const { model, dimensions } = vectors.current
  if (model === '' || isBuiltinModel(model)) updateBuiltinVectors(store, vectors, desired)
  else writeVectorIndexes(store, vectors, { model, dimensions, desired, embedded: new Map() })
}

/**
 * Replaces all vectors by those of the built-in embedder, with complete graphs if their library is loaded. The caller
 * holds the store's lock.
 */
export function rebuildVectors(store: Store, memories: Iterable<Memory>): void {
  const { current } = openVectorSet(store.files, store.layout)
  const empty = { current: { ...current, tiers: {} }, tiers: new Map() }
  updateBuiltinVectors(store, empty, listDesiredVectors(memories), Number.POSITIVE_INFINITY)
}

export interface EmbedOptions {
  /** Compute the vectors that this embedder has computed before, too. */
  readonly all?: boolean | undefined
  /** Called after each request: texts embedded so far, and their total. */
  readonly progress?: ((done: number, total: number) => void) | undefined
}

/**
 * Replaces the store's vectors by those of this embedder, and returns how many texts were embedded. Vectors of another
 * model stay until all new ones are there. Throws the embedder's errors and STORE_BUSY; the vectors then stay as they
 * were.
 */
export async function embedWith(
  store: Store,
  embedder: Embedder,
  { all, progress }: EmbedOptions = {},
): Promise<number> {
  const hnsw = await loadHnswLibrary()
  const readVectors = (): VectorSet => {
    const vectors = openVectorSet(store.files, store.layout, hnsw)
    return all ? { current: { ...vectors.current, tiers: {} }, tiers: new Map() } : vectors
  }
  const known = readVectors()
  const missing = listMissingVectors(known, readDesiredVectors(store), embedder.id)
  const embedded = new Map<string, Float32Array>()
  for (let start = 0; start < missing.length; start += BATCH_TEXTS) {
    const batch = missing.slice(start, start + BATCH_TEXTS)
    const texts = batch.map(({ text }) => text)
    addVectors(embedded, batch, await embedder.embed(texts, 'passage'))
    const done = start + batch.length
    progress?.(done, missing.length)
    const canCheckpoint = !all && known.current.model === embedder.id && done < missing.length
    if (canCheckpoint && embedded.size >= CHECKPOINT_VECTORS) {
      writeWithLock(store, readVectors(), embedder, embedded)
      embedded.clear()
    }
  }
  writeWithLock(store, readVectors(), embedder, embedded)
  return missing.length
}

/** Locks for the write only: a service may take minutes, and the end of a session must not wait for it. */
function writeWithLock(
  store: Store,
  vectors: VectorSet,
  { id: model, dimensions }: Embedder,
  embedded: ReadonlyMap<string, Float32Array>,
): void {
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) throw busyError(store)
  try {
    writeVectorIndexes(store, vectors, { model, dimensions, desired: readDesiredVectors(store), embedded })
  } finally {
    lock.release()
  }
}

/** Replaces all vectors by those of the built-in embedder, for the snapshot on disk. Throws STORE_BUSY. */
export async function rebuildBuiltinVectors(store: Store): Promise<void> {
  await loadHnswLibrary()
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) throw busyError(store)
  const reader = acquireReader(store, upgradeMemory)
  try {
    rebuildVectors(store, reader.allMemories())
  } finally {
    releaseReader(reader)
    lock.release()
  }
}

function updateBuiltinVectors(
  store: Store,
  vectors: VectorSet,
  desired: readonly DesiredVector[],
  growthMax?: number,
): void {
  const { id: model, dimensions, embed } = createBuiltinEmbedder()
  const missing = listMissingVectors(vectors, desired, model)
  const embedded = new Map<string, Float32Array>()
  addVectors(embedded, missing, embed(missing.map(({ text }) => text)))
  writeVectorIndexes(store, vectors, { model, dimensions, desired, embedded, growthMax })
}

/** Adds the vectors of these texts, which are in the same order, by their keys. */
function addVectors(
  embedded: Map<string, Float32Array>,
  desired: readonly DesiredVector[],
  vectors: readonly Float32Array[],
): void {
  vectors.forEach((vector, i) => {
    const key = desired[i]?.key
    if (key !== undefined) embedded.set(key, vector)
  })
}

const busyError = (store: Store): MemoryError =>
  new MemoryError('STORE_BUSY', `${store.layout.folder} is being written by another process`, {
    hint: 'Try again in a minute; vectors that were not written are computed again.',
  })
