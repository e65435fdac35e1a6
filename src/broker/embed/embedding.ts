// Which memories should have a vector, which have one, and how the indexes are brought in line: only what changed is written.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { VectorIndex } from '../../model/ports.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { exactIndex } from '../../store/exactIndex.ts'
import { loadedHnsw } from '../../store/hnsw.ts'
import { hnswIndex } from '../../store/hnswIndex.ts'
import { commitVectors, type Vectors, type VectorsFile, writeVectors, writeWords } from '../../store/vectors.ts'
import { hashPair } from '../../text/hash.ts'
import type { Store } from '../store.ts'
import type { Learnt } from './learnt.ts'

/** A memory as it should stand among the vectors. */
export interface Wanted {
  readonly id: MemoryId
  readonly tier: Tier
  readonly text: string
  /** A hash of the text: the vector serves as long as it is the same. */
  readonly key: string
}

/** The active memories, with what of each is embedded. */
export function wantedOf(memories: Iterable<Memory>): Wanted[] {
  const wanted: Wanted[] = []
  for (const memory of memories) {
    if (memory.status !== 'active') continue
    const text = textOf(memory)
    wanted.push({ id: memory.id, tier: memory.tier, text, key: keyOf(text) })
  }
  return wanted
}

/** What stands for a text beside its vector. */
export const keyOf = (text: string): string =>
  hashPair(text)
    .map((word) => word.toString(36))
    .join('.')

/** What of a memory is embedded: the words its keyword index has too. */
export const textOf = (memory: Memory): string => [memory.content, ...memory.lessons, ...memory.tags].join('\n')

/** Those without a vector of this model and their present text; two of one text once. */
export function missingOf(vectors: Vectors, wanted: readonly Wanted[], model: string): Wanted[] {
  const missing = new Map<string, Wanted>()
  for (const one of wanted) if (!indexWith(vectors, one, model)) missing.set(one.key, one)
  return [...missing.values()]
}

/** The index that has its vector, in whichever tier. */
function indexWith(vectors: Vectors, { id, key }: Wanted, model: string): VectorIndex | undefined {
  if (vectors.current.model !== model) return undefined
  for (const index of vectors.tiers.values()) if (index.keyOf(id) === key) return index
  return undefined
}

/** Puts every wanted memory that has a vector into its tier's index, takes all others out, and writes the tiers that changed. */
export function write(
  store: Store,
  vectors: Vectors,
  wanted: readonly Wanted[],
  { model, dimensions }: Pick<VectorsFile, 'model' | 'dimensions'>,
  embedded: ReadonlyMap<string, Float32Array>,
  learnt?: Learnt,
): void {
  const { files, layout } = store
  const generation = vectors.current.generation + 1
  const same = vectors.current.model === model
  // Moved ones take their vector along: all are looked up before any is taken out.
  const found = wanted.flatMap((one) => {
    const index = indexWith(vectors, one, model)
    if (index && index === vectors.tiers.get(one.tier)) return [one]
    const vector = embedded.get(one.key) ?? index?.vectorOf(one.id)
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
    tiers[tier] = unchanged ?? writeVectors(layout, tier, generation, index, model)
  }
  if (!changed) return
  const words = learnt && {
    file: learnt.file ?? writeWords(files, layout, generation, learnt.words.bytes),
    memories: learnt.memories,
  }
  commitVectors(files, layout, { ...vectors.current, generation, model, dimensions, tiers, words })
}

/** Makes an index hold just these; those without a vector stand in it already. Says whether it had to be changed. */
function brought(index: VectorIndex, found: readonly (Wanted & { readonly vector?: Float32Array })[]): boolean {
  const kept = new Set<string>(found.map((one) => one.id))
  const gone = index.ids().filter((id) => !kept.has(id))
  const news = found.filter((one) => one.vector !== undefined)
  for (const id of gone) index.remove(id)
  for (const { id, key, vector } of news) index.add(id, vector!, key)
  return gone.length + news.length > 0
}

function emptyIndex({ files }: Store, dimensions: number): VectorIndex {
  const hnsw = loadedHnsw()
  return hnsw ? hnswIndex(files, hnsw, dimensions) : exactIndex(files, dimensions)
}
