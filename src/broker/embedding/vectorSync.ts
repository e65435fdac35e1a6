// Which memories should have a vector, which have one, and how the indexes are brought in line: only what changed is written.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { VectorIndex } from '../../model/ports.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { createExactIndex } from '../../store/vectors/exactIndex.ts'
import { createHnswIndex } from '../../store/vectors/hnswIndex.ts'
import { getLoadedHnsw } from '../../store/vectors/hnswLibrary.ts'
import {
  commitVectorManifest,
  type VectorManifest,
  type VectorSet,
  writeTierVectors,
  writeWordVectorBytes,
} from '../../store/vectors/vectorSet.ts'
import { hash64 } from '../../text/hash.ts'
import type { Store } from '../open/openStore.ts'
import type { Vocabulary } from './builtinVocabulary.ts'

/** A memory as it should stand among the vectors. */
export interface DesiredVector {
  readonly id: MemoryId
  readonly tier: Tier
  readonly text: string
  /** A hash of the text: the vector serves as long as it is the same. */
  readonly key: string
}

/** The active memories, with what of each is embedded. */
export function listDesiredVectors(memories: Iterable<Memory>): DesiredVector[] {
  const wanted: DesiredVector[] = []
  for (const memory of memories) {
    if (memory.status !== 'active') continue
    const text = embeddedText(memory)
    wanted.push({ id: memory.id, tier: memory.tier, text, key: textKey(text) })
  }
  return wanted
}

/** What stands for a text beside its vector. */
export const textKey = (text: string): string =>
  hash64(text)
    .map((word) => word.toString(36))
    .join('.')

/** What of a memory is embedded: the words its keyword index has too. */
export const embeddedText = (memory: Memory): string => [memory.content, ...memory.lessons, ...memory.tags].join('\n')

/** Those without a vector of this model and their present text; two of one text once. */
export function listMissingVectors(
  vectors: VectorSet,
  wanted: readonly DesiredVector[],
  model: string,
): DesiredVector[] {
  const missing = new Map<string, DesiredVector>()
  for (const one of wanted) if (!indexWith(vectors, one, model)) missing.set(one.key, one)
  return [...missing.values()]
}

/** The index that has its vector, in whichever tier. */
function indexWith(vectors: VectorSet, { id, key }: DesiredVector, model: string): VectorIndex | undefined {
  if (vectors.current.model !== model) return undefined
  for (const index of vectors.tiers.values()) if (index.getKey(id) === key) return index
  return undefined
}

/** Puts every wanted memory that has a vector into its tier's index, takes all others out, and writes the tiers that changed. */
export function writeVectorIndexes(
  store: Store,
  vectors: VectorSet,
  wanted: readonly DesiredVector[],
  { model, dimensions }: Pick<VectorManifest, 'model' | 'dimensions'>,
  embedded: ReadonlyMap<string, Float32Array>,
  learnt?: Vocabulary,
): void {
  const { files, layout } = store
  const generation = vectors.current.generation + 1
  const same = vectors.current.model === model
  // Moved ones take their vector along: all are looked up before any is taken out.
  const found = wanted.flatMap((one) => {
    const index = indexWith(vectors, one, model)
    if (index && index === vectors.tiers.get(one.tier)) return [one]
    const vector = embedded.get(one.key) ?? index?.getVector(one.id)
    return vector ? [{ ...one, vector }] : []
  })
  const tiers: Partial<Record<Tier, string>> = {}
  // Words just learnt are written even if they come out as they were: their file was damaged.
  let changed = !same || (learnt !== undefined && learnt.file === undefined)
  for (const tier of TIERS) {
    const index = (same && vectors.tiers.get(tier)) || emptyIndex(store, dimensions)
    const differs = brought(
      index,
      found.filter((one) => one.tier === tier),
    )
    changed ||= differs
    if (index.size === 0) continue
    const unchanged = same && !differs ? vectors.current.tiers[tier] : undefined
    tiers[tier] = unchanged ?? writeTierVectors(layout, { tier, generation, index, model })
  }
  if (!changed) return
  const words = learnt && {
    file: learnt.file ?? writeWordVectorBytes(files, layout, generation, learnt.words.bytes),
    memories: learnt.memories,
  }
  commitVectorManifest(files, layout, { ...vectors.current, generation, model, dimensions, tiers, words })
}

/** Makes an index hold just these; those without a vector stand in it already. Says whether it had to be changed. */
function brought(index: VectorIndex, found: readonly (DesiredVector & { readonly vector?: Float32Array })[]): boolean {
  const kept = new Set<string>(found.map((one) => one.id))
  const gone = index.ids().filter((id) => !kept.has(id))
  const news = found.filter((one) => one.vector !== undefined)
  for (const id of gone) index.remove(id)
  for (const { id, key, vector } of news) index.add(id, vector!, key)
  return gone.length + news.length > 0
}

function emptyIndex({ files }: Store, dimensions: number): VectorIndex {
  const hnsw = getLoadedHnsw()
  return hnsw ? createHnswIndex(files, hnsw, dimensions) : createExactIndex(files, dimensions)
}
