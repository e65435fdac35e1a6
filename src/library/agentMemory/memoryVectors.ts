// What an agent's memories mean, as numbers to compare a question with. Vectors of two models are never compared.

import { openQueryEmbedder } from '../../broker/embedding/openEmbedder.ts'
import { embeddedText, textKey } from '../../broker/embedding/vectorSync.ts'
import type { LiveStore } from '../../broker/live/liveStore.ts'
import { DocCache } from '../../broker/search/docCache.ts'
import { createSemanticScorer, type SemanticScorer } from '../../broker/search/semanticScorer.ts'
import type { Memory } from '../../model/memory.ts'
import { toUnitVector } from '../../model/ports.ts'
import { openVectorSet } from '../../store/vectors/vectorSet.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'

/** How near each memory is, 0 to 1; a memory whose vector cannot be compared is left out. */
export type SimilarityByMemory = ReadonlyMap<Memory, number>

export class MemoryVectors {
  readonly #db: DatabaseConnection
  readonly #client: EmbeddingClient | undefined
  /** Whose vectors are those that memories bring along. */
  readonly #model: string
  readonly #embedded = new Map<string, Float32Array>()
  #scorers: readonly { readonly liveStore: LiveStore; readonly cache: DocCache; readonly scorer: SemanticScorer }[] = []

  constructor(db: DatabaseConnection, client: EmbeddingClient | undefined, model: string) {
    this.#db = db
    this.#client = client
    this.#model = model
  }

  /** How near the memories are to a question, by the client, or without one by the embedder in memctl's config. */
  async compareWithText(question: string, memories: readonly Memory[]): Promise<SimilarityByMemory> {
    if (this.#client) return this.compareWithVector(await this.#client.getEmbedding(question), memories)
    const { liveStores, env } = this.#db
    if (liveStores.some((liveStore, i) => this.#scorers[i]?.liveStore !== liveStore)) {
      this.#scorers = await Promise.all(
        liveStores.map(async (liveStore) => {
          const embedder = await openQueryEmbedder(this.#db.store, env)
          return { liveStore, cache: new DocCache(liveStore), scorer: createSemanticScorer(liveStore, embedder) }
        }),
      )
    }
    const wanted = new Set(memories)
    const nearness = new Map<Memory, number>()
    for (const { cache, scorer } of this.#scorers) {
      const asked = cache.all().filter((doc) => wanted.has(doc.memory))
      if (asked.length === 0) continue
      const near = await scorer.score(question, asked)
      asked.forEach((doc, i) => void nearness.set(doc.memory, near[i]!))
    }
    return nearness
  }

  /** How near they are to a vector: by what they brought along, else by what the client makes of their text. */
  async compareWithVector(vector: readonly number[], memories: readonly Memory[]): Promise<SimilarityByMemory> {
    const asked = toUnitVector(vector)
    const vectors = new Map<Memory, Float32Array>()
    const missing: Memory[] = []
    for (const memory of memories) {
      const given = memory.embedding?.model === this.#model ? unpacked(memory.embedding.vector) : undefined
      if (given?.length === asked.length) vectors.set(memory, given)
      else missing.push(memory)
    }
    if (this.#client) await this.#embed(this.#client, missing)
    const near = new Map<Memory, number>()
    for (const memory of memories) {
      const made = vectors.get(memory) ?? this.#embedded.get(textKey(embeddedText(memory)))
      if (made?.length === asked.length) near.set(memory, Math.min(1, Math.max(0, product(asked, made))))
    }
    return near
  }

  async #embed(client: EmbeddingClient, memories: readonly Memory[]): Promise<void> {
    const { files, layout } = this.#db.store
    const onDisk = openVectorSet(files, layout)
    const texts = new Map<string, string>()
    for (const memory of memories) {
      const key = textKey(embeddedText(memory))
      if (this.#embedded.has(key)) continue
      const index = client.id === undefined || onDisk.current.model !== client.id ? [] : onDisk.tiers.values()
      const kept = [...index].find((tier) => tier.getKey(memory.id) === key)?.getVector(memory.id)
      if (kept) this.#embedded.set(key, kept)
      else texts.set(key, embeddedText(memory))
    }
    if (texts.size === 0) return
    const made = await client.getEmbeddings([...texts.values()])
    ;[...texts.keys()].forEach((key, i) => {
      this.#embedded.set(key, toUnitVector(made[i]!))
    })
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function unpacked(vector: string): Float32Array {
  const bytes = Buffer.from(vector, 'base64')
  const numbers = new Float32Array(bytes.length / 4)
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readFloatLE(4 * i)
  return toUnitVector(numbers)
}
