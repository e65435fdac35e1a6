// How a store stands with its embedder: which is chosen, whose vectors there are, and what is still without one.

import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { openVectorSet } from '../../store/vectors/vectorSet.ts'
import { acquireReader, releaseReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { type EmbedderConfig, readEmbedderConfig } from './embedderConfig.ts'
import { openEmbedder } from './openEmbedder.ts'
import { listDesiredVectors } from './vectorSync.ts'

export interface EmbedderStatus {
  readonly configured: EmbedderConfig
  /** Whose vectors there are: a model's id; empty where there are none yet. */
  readonly model: string
  readonly dimensions: number
  /** Active memories, and those of them whose vector is of their present text. */
  readonly memories: number
  readonly embedded: number
  readonly tiers: Readonly<Record<Tier, number>>
  /** Whether the vectors are the chosen embedder's kind; other vectors are never compared with its own. */
  readonly matchesConfig: boolean
  /** What it answered when it was tried; absent where nobody asked for that. */
  readonly probe?:
    | { readonly id: string; readonly dimensions: number }
    | { readonly fault: string; readonly hint: string }
}

/** Reads the store and config.yaml. `trying` asks the embedder for one vector, which a service may charge for. */
export async function readEmbedderStatus(
  store: Store,
  env: Readonly<Record<string, string | undefined>>,
  trying: boolean,
): Promise<EmbedderStatus> {
  const chosen = readEmbedderConfig(store)
  const { current, tiers } = openVectorSet(store.files, store.layout)
  const reader = acquireReader(store, upgradeMemory)
  let memories = 0
  let embedded = 0
  try {
    for (const { id, key } of listDesiredVectors(reader.allMemories())) {
      memories++
      for (const index of tiers.values()) if (index.getKey(id) === key) embedded++
    }
  } finally {
    releaseReader(reader)
  }
  return {
    configured: chosen,
    model: current.model,
    dimensions: current.dimensions,
    memories,
    embedded,
    tiers: Object.fromEntries(TIERS.map((tier) => [tier, tiers.get(tier)?.size ?? 0])) as EmbedderStatus['tiers'],
    matchesConfig: current.model === '' || kindOf(current.model) === chosen.kind,
    ...(trying ? { tried: await tried(chosen, env) } : {}),
  }
}

const kindOf = (model: string): string => (isBuiltinModel(model) ? 'builtin' : model.slice(0, model.indexOf(':')))

async function tried(
  chosen: EmbedderConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<EmbedderStatus['probe'] & object> {
  try {
    const embedder = await openEmbedder(chosen, env, 'asking')
    if (!embedder) return { id: 'builtin', dimensions: createBuiltinEmbedder().dimensions }
    await embedder.embed(['memctl'], 'query')
    embedder.close?.()
    return { id: embedder.id, dimensions: embedder.dimensions }
  } catch (error) {
    if (error instanceof MemoryError) return { fault: error.message, hint: error.hint }
    throw error
  }
}
