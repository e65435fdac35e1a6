// The semantic similarity of an agent's memories to a query. Vectors of different models are never compared.
import { openQueryEmbedder } from '../../broker/embedding/openEmbedder.ts'
import { embeddedText, textKey } from '../../broker/embedding/vectorSync.ts'
import type { LiveStore } from '../../broker/live/liveStore.ts'
import { DocCache } from '../../broker/search/docCache.ts'
import { createSemanticScorer, type SemanticScorer } from '../../broker/search/semanticScorer.ts'
import { type CallOptions, runWithPauses } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { toUnitVector } from '../../model/ports.ts'
import { openVectorSet } from '../../store/vectors/vectorSet.ts'
import { mapWithPauses, pauseIfLong } from '../processDefaults.ts'
import { decodeVector } from './agentMemoryAdapter.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { ProjectMemories } from './projectMemories.ts'

/** A query, and the model of the vectors that memories contain. */
interface VectorQuery<Query> extends CallOptions {
  readonly query: Query
  readonly model: string
}

/** The similarity of each memory, 0 to 1; memories without a comparable vector are left out. */
export type SimilarityByMemory = ReadonlyMap<Memory, number>

export class MemoryVectors {
  readonly #project: ProjectMemories
  readonly #client: EmbeddingClient | undefined
  readonly #embedded = new Map<string, Float32Array>()
  #scorers: readonly { readonly liveStore: LiveStore; readonly cache: DocCache; readonly scorer: SemanticScorer }[] = []

  constructor(project: ProjectMemories, client: EmbeddingClient | undefined) {
    this.#project = project
    this.#client = client
  }

  /** The similarity of the memories to a query, by the client, else by the embedder in memctl's config. */
  async compareWithText(
    { query, model, signal }: VectorQuery<string>,
    memories: readonly Memory[],
  ): Promise<SimilarityByMemory> {
    if (this.#client) {
      const vector = await this.#client.getEmbedding(query, { signal })
      return this.compareWithVector({ query: vector, model, signal }, memories)
    }
    const { liveStores, env } = this.#project
    if (liveStores.some((liveStore, i) => this.#scorers[i]?.liveStore !== liveStore)) {
      this.#scorers = await Promise.all(
        liveStores.map(async (liveStore) => {
          const embedder = await openQueryEmbedder(this.#project.store, env)
          return {
            liveStore,
            cache: new DocCache(liveStore),
            scorer: createSemanticScorer(liveStore, embedder, pauseIfLong),
          }
        }),
      )
    }
    const wanted = new Set<Memory>()
    await mapWithPauses(memories, (memory) => void wanted.add(memory))
    const similarities = new Map<Memory, number>()
    for (const { cache, scorer } of this.#scorers) {
      const all = await runWithPauses(cache.allInSteps(), pauseIfLong)
      const docs = await mapWithPauses(all, (doc) => (wanted.has(doc.memory) ? doc : undefined))
      if (docs.length === 0) continue
      const scores = await scorer.score(query, docs, signal)
      await mapWithPauses(docs.entries(), ([i, doc]) => void similarities.set(doc.memory, scores[i] ?? 0))
    }
    return similarities
  }

  /** Their similarity to a vector: by the vectors that they contain, else by the client's vectors of their texts. */
  async compareWithVector(
    { query, model, signal }: VectorQuery<readonly number[]>,
    memories: readonly Memory[],
  ): Promise<SimilarityByMemory> {
    const queryVector = toUnitVector(query)
    const similarities = new Map<Memory, number>()
    const compare = (memory: Memory, own: Float32Array | undefined): boolean => {
      if (own?.length !== queryVector.length) return false
      similarities.set(memory, Math.min(1, Math.max(0, dotProduct(queryVector, own))))
      return true
    }
    const missing = await mapWithPauses(memories, (memory) => {
      const own = memory.embedding?.model === model ? toUnitVector(decodeVector(memory.embedding.vector)) : undefined
      return compare(memory, own) ? undefined : memory
    })
    if (!this.#client) return similarities
    await this.#embed(this.#client, missing, signal)
    await mapWithPauses(missing, (memory) => void compare(memory, this.#embedded.get(textKey(embeddedText(memory)))))
    return similarities
  }

  async #embed(client: EmbeddingClient, memories: readonly Memory[], signal: AbortSignal | undefined): Promise<void> {
    const { files, layout } = this.#project.store
    const onDisk = openVectorSet(files, layout)
    const texts = new Map<string, string>()
    for (const memory of memories) {
      const key = textKey(embeddedText(memory))
      if (this.#embedded.has(key)) continue
      const index = client.id === undefined || onDisk.current.model !== client.id ? [] : onDisk.tiers.values()
      const stored = [...index].find((tier) => tier.getKey(memory.id) === key)?.getVector(memory.id)
      if (stored) this.#embedded.set(key, stored)
      else texts.set(key, embeddedText(memory))
    }
    if (texts.size === 0) return
    const vectors = await client.getEmbeddings([...texts.values()], { signal })
    for (const [i, key] of [...texts.keys()].entries()) {
      const vector = vectors[i]
      if (vector) this.#embedded.set(key, toUnitVector(vector))
    }
  }
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
