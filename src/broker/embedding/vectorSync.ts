// Brings the vector indexes in line with the memories. Only the indexes that changed are written.
import type { MemoryId } from '../../model/id.ts'
import { type Memory, TIERS, type Tier } from '../../model/memory.ts'
import type { VectorIndex } from '../../model/ports.ts'
import { isPrivate } from '../../model/privacy.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { getLoadedHnsw } from '../../store/vectors/hnswLibrary.ts'
import { createVectorIndex } from '../../store/vectors/vectorIndex.ts'
import { commitVectorManifest, type VectorSet, writeTierVectors } from '../../store/vectors/vectorSet.ts'
import { hash64 } from '../../text/hash.ts'
import { acquireReader, releaseReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'

/** The vector that a memory should have. */
export interface DesiredVector {
  readonly id: MemoryId
  readonly tier: Tier
  readonly text: string
  /** A hash of the text. A stored vector is valid as long as its key is the same. */
  readonly key: string
  /** Not counted in reports. */
  readonly isPrivate: boolean
}

/** The vectors that the indexes should have after an update. */
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

/** The vectors of all active memories. */
export function listDesiredVectors(memories: Iterable<Memory>): DesiredVector[] {
  const desired: DesiredVector[] = []
  for (const memory of memories) {
    if (memory.status !== 'active') continue
    const text = embeddedText(memory)
    desired.push({ id: memory.id, tier: memory.tier, text, key: textKey(text), isPrivate: isPrivate(memory) })
  }
  return desired
}

/** The desired vectors of the snapshot on disk. */
export function readDesiredVectors(store: Store): DesiredVector[] {
  const reader = acquireReader(store, upgradeMemory)
  try {
    return listDesiredVectors(reader.allMemories())
  } finally {
    releaseReader(reader)
  }
}

/** The key that is stored with the vector of a text. */
export const textKey = (text: string): string =>
  hash64(text)
    .map((word) => word.toString(36))
    .join('.')

/** The text of a memory that is embedded: the same words as in its keyword index. */
export const embeddedText = (memory: Memory): string => [memory.content, ...memory.lessons, ...memory.tags].join('\n')

/** The desired vectors that this model has not computed yet. Memories with the same text need one vector. */
export function listMissingVectors(
  vectors: VectorSet,
  desired: readonly DesiredVector[],
  model: string,
): DesiredVector[] {
  const missing = new Map<string, DesiredVector>()
  for (const vector of desired) if (!findIndex(vectors, vector, model)) missing.set(vector.key, vector)
  return [...missing.values()]
}

/** The index that has this vector, of any tier. */
function findIndex(vectors: VectorSet, { id, key }: DesiredVector, model: string): VectorIndex | undefined {
  if (vectors.current.model !== model) return undefined
  for (const index of vectors.tiers.values()) if (index.getKey(id) === key) return index
  return undefined
}

/** Puts every available vector into the index of its tier, removes all others, and writes the tiers that changed. */
export function writeVectorIndexes(store: Store, vectors: VectorSet, update: VectorUpdate): void {
  const { model, dimensions, desired, embedded, growthMax } = update
  const { files, layout } = store
  const generation = vectors.current.generation + 1
  const isSameModel = vectors.current.model === model
  // Vectors of memories whose tier changed are moved: read all of them before the first is removed.
  const placed = desired.flatMap((entry): PlacedVector[] => {
    const index = findIndex(vectors, entry, model)
    if (index && index === vectors.tiers.get(entry.tier)) return [{ ...entry, vector: undefined }]
    const vector = embedded.get(entry.key) ?? index?.getVector(entry.id)
    return vector ? [{ ...entry, vector }] : []
  })
  const tiers: Partial<Record<Tier, string>> = {}
  let isChanged = !isSameModel
  for (const tier of TIERS) {
    const index = (isSameModel && vectors.tiers.get(tier)) || createEmptyIndex(store, dimensions)
    const ownVectors = placed.filter((entry) => entry.tier === tier)
    const isTierChanged = updateIndex(index, ownVectors)
    isChanged ||= isTierChanged
    if (index.size === 0) continue
    const unchangedFile = isSameModel && !isTierChanged ? vectors.current.tiers[tier] : undefined
    tiers[tier] = unchangedFile ?? writeTierVectors(layout, { tier, generation, index, model, growthMax })
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

function createEmptyIndex({ files }: Store, dimensions: number): VectorIndex {
  const hnsw = getLoadedHnsw()
  return createVectorIndex(files, dimensions, { hnsw })
}
