// Keeps a vector of every active memory beside the snapshot, for semantic search. A model or service embeds in
// `embedWith`, outside of sessions. No search reads vectors of the built-in embedder, because it compares words:
// `memctl rebuild` makes them, and a session's end leaves them as they are.

import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import type { MemoryId } from '../../model/id.ts'
import { type Memory, TIERS, type Tier } from '../../model/memory.ts'
import type { Embedder, VectorIndex } from '../../model/ports.ts'
import { isPrivate } from '../../model/privacy.ts'
import { withLockOrThrow } from '../../store/disk/lock.ts'
import {
  commitVectorManifest,
  createVectorIndex,
  getLoadedHnsw,
  loadHnswLibrary,
  openVectorSet,
  readVectorManifest,
  type VectorSet,
  writeTierVectors,
} from '../../store/vectors/vectorIndex.ts'
import { areVectorsDamaged } from '../../store/vectors/vectorMatrix.ts'
import { hash64 } from '../../text/hash.ts'
import type { Store } from '../open/openStore.ts'
import { listCoveredMemories } from '../projection/projectionFiles.ts'

/** Texts per request to an embedder, small enough for a progress bar to move. */
const BATCH_TEXTS = 96

/** New vectors per write, if the store has vectors of this model already. A killed worker loses fewer. */
const CHECKPOINT_VECTORS = 960

/** Whether a model made the store's vectors, so that a search reads them. */
export function hasModelVectors({ files, layout }: Store): boolean {
  const { model } = readVectorManifest(files, layout)
  return model !== '' && !isBuiltinModel(model)
}

/**
 * Moves and removes a model's vectors as these memories have changed; `embedWith` computes those of new texts. The
 * caller holds the store's lock.
 */
export function updateVectors(store: Store, memories: Iterable<Memory>): void {
  if (!hasModelVectors(store)) return
  const vectors = openVectorSet(store.files, store.layout, getLoadedHnsw())
  const { model, dimensions } = vectors.current
  const desired = listDesiredVectors(memories)
  writeVectorIndexes(store, vectors, { model, dimensions, desired, embedded: new Map() })
}

/**
 * Makes all vectors of the built-in embedder again, with complete graphs if their library is loaded. Of another model
 * those stay that are not damaged: they may have cost money. The caller holds the store's lock.
 */
export function rebuildVectors(store: Store, memories: Iterable<Memory>): void {
  if (!hasModelVectors(store)) {
    replaceVectors(store, listDesiredVectors(memories))
    return
  }
  const { files, layout } = store
  const { current, tiers } = openVectorSet(files, layout)
  for (const tier of tiers.keys()) {
    const base = `${layout.vectors}/${current.tiers[tier]}`
    // The index is then one that cannot be read.
    if (areVectorsDamaged(files, base)) files.remove(`${base}.json`)
  }
  updateVectors(store, memories)
}

/** The same for the built-in embedder, whatever was there. */
function replaceVectors(store: Store, desired: readonly DesiredVector[]): void {
  const { id: model, dimensions, embed } = createBuiltinEmbedder()
  const current = { ...readVectorManifest(store.files, store.layout), tiers: {} }
  const vectors = { current, tiers: new Map() }
  const missing = listMissingVectors(vectors, desired, model)
  const embedded = new Map<string, Float32Array>()
  addVectors(embedded, missing, embed(missing.map(({ text }) => text)))
  writeVectorIndexes(store, vectors, { model, dimensions, desired, embedded, growthMax: Number.POSITIVE_INFINITY })
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
export async function embedWith(store: Store, embedder: Embedder, { all, progress }: EmbedOptions = {}) {
  const hnsw = await loadHnswLibrary(store.home)
  const readVectors = (): VectorSet => {
    const vectors = openVectorSet(store.files, store.layout, hnsw)
    return all ? { current: { ...vectors.current, tiers: {} }, tiers: new Map() } : vectors
  }
  const known = readVectors()
  const { id: model, dimensions } = embedder
  const missing = listMissingVectors(known, readDesiredVectors(store), model)
  const embedded = new Map<string, Float32Array>()
  // Locks for the write only: a service may take minutes, and the end of a session must not wait for it.
  const write = (): void =>
    withLockOrThrow(store.files, store.layout.lock, () =>
      writeVectorIndexes(store, readVectors(), { model, dimensions, desired: readDesiredVectors(store), embedded }),
    )
  for (let start = 0; start < missing.length; start += BATCH_TEXTS) {
    const batch = missing.slice(start, start + BATCH_TEXTS)
    const texts = batch.map(({ text }) => text)
    addVectors(embedded, batch, await embedder.embed(texts, 'passage'))
    const done = start + batch.length
    progress?.(done, missing.length)
    const canCheckpoint = !all && known.current.model === model && done < missing.length
    if (canCheckpoint && embedded.size >= CHECKPOINT_VECTORS) {
      write()
      embedded.clear()
    }
  }
  write()
  return missing.length
}

/**
 * Replaces all vectors by those of the built-in embedder, for the snapshot on disk, and returns how many memories have
 * one. Throws STORE_BUSY.
 */
export async function rebuildBuiltinVectors(store: Store): Promise<number> {
  await loadHnswLibrary(store.home)
  return withLockOrThrow(store.files, store.layout.lock, () => {
    const desired = readDesiredVectors(store)
    replaceVectors(store, desired)
    return desired.length
  })
}

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

// Brings the vector indexes in line with the memories. Only the indexes that changed are written.

export interface DesiredVector {
  readonly id: MemoryId
  readonly tier: Tier
  readonly text: string
  /** A hash of the text. A stored vector is valid as long as its key is the same. */
  readonly key: string
  /** Not counted in reports. */
  readonly isPrivate: boolean
}

interface VectorUpdate {
  /** The embedder's id. */
  readonly model: string
  readonly dimensions: number
  readonly desired: readonly DesiredVector[]
  /** New vectors by their keys. */
  readonly embedded: ReadonlyMap<string, Float32Array>
  /** How many vectors may get into a graph; as many as a session's end has time for by default. */
  readonly growthMax?: number | undefined
}

function listDesiredVectors(memories: Iterable<Memory>): DesiredVector[] {
  const desired: DesiredVector[] = []
  for (const memory of memories) {
    if (memory.status !== 'active') continue
    const text = embeddedText(memory)
    desired.push({ id: memory.id, tier: memory.tier, text, key: textKey(text), isPrivate: isPrivate(memory) })
  }
  return desired
}

export const readDesiredVectors = (store: Store): DesiredVector[] => listDesiredVectors(listCoveredMemories(store))

/** The key that is stored with the vector of a text. */
export const textKey = (text: string): string =>
  hash64(text)
    .map((word) => word.toString(36))
    .join('.')

/** The text of a memory that is embedded: the same words as in its keyword index. */
export const embeddedText = (memory: Memory): string => [memory.content, ...memory.lessons, ...memory.tags].join('\n')

/** The desired vectors that this model has not computed yet. Memories with the same text need one vector. */
function listMissingVectors(vectors: VectorSet, desired: readonly DesiredVector[], model: string): DesiredVector[] {
  const missing = new Map<string, DesiredVector>()
  for (const vector of desired) if (!findIndex(vectors, vector, model)) missing.set(vector.key, vector)
  return [...missing.values()]
}

function findIndex(vectors: VectorSet, { id, key }: DesiredVector, model: string): VectorIndex | undefined {
  if (vectors.current.model !== model) return undefined
  for (const index of vectors.tiers.values()) if (index.getKey(id) === key) return index
  return undefined
}

function writeVectorIndexes(store: Store, vectors: VectorSet, update: VectorUpdate): void {
  const { model, dimensions, desired, embedded, growthMax } = update
  const { files, layout } = store
  const generation = vectors.current.generation + 1
  const isSameModel = vectors.current.model === model
  // Vectors of memories with another tier than before are moved: read all of them before the first is removed.
  const placed = desired.flatMap((entry): PlacedVector[] => {
    const index = findIndex(vectors, entry, model)
    if (index && index === vectors.tiers.get(entry.tier)) return [{ ...entry, vector: undefined }]
    const vector = embedded.get(entry.key) ?? index?.getVector(entry.id)
    return vector ? [{ ...entry, vector }] : []
  })
  const tiers: Partial<Record<Tier, string>> = {}
  let isChanged = !isSameModel
  for (const tier of TIERS) {
    const index =
      (isSameModel && vectors.tiers.get(tier)) || createVectorIndex(files, dimensions, { hnsw: getLoadedHnsw() })
    const ownVectors = placed.filter((entry) => entry.tier === tier)
    const isTierChanged = updateIndex(index, ownVectors)
    const known = isSameModel ? vectors.current.tiers[tier] : undefined
    // Files that cannot be read any more are left out, too.
    isChanged ||= isTierChanged || (known !== undefined && index.size === 0)
    if (index.size === 0) continue
    tiers[tier] =
      known !== undefined && !isTierChanged
        ? known
        : writeTierVectors(layout, { tier, generation, index, model, known, growthMax })
  }
  if (!isChanged) return
  const { version } = vectors.current
  commitVectorManifest(files, layout, { version, generation, model, dimensions, tiers })
}

/** A vector to be in an index; undefined if the index has it already. */
type PlacedVector = DesiredVector & { readonly vector: Float32Array | undefined }

/** Makes an index contain exactly these vectors. Returns whether it changed. */
function updateIndex(index: VectorIndex, placed: readonly PlacedVector[]): boolean {
  const ids = new Set<string>(placed.map(({ id }) => id))
  const removed = index.ids().filter((id) => !ids.has(id))
  for (const id of removed) index.remove(id)
  let isChanged = removed.length > 0
  for (const { id, key, vector } of placed) {
    if (!vector) continue
    index.add(id, vector, key)
    isChanged = true
  }
  return isChanged
}
