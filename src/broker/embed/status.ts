// How a store stands with its embedder: which is chosen, whose vectors there are, and what is still without one.

import { builtinEmbedder, isBuiltin } from '../../embed/builtin.ts'
import { MemoryError } from '../../model/errors.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { upgradeMemory } from '../../store/legacyMemory.ts'
import { openVectors } from '../../store/vectors.ts'
import { closeReader, readerFor } from '../search/indexReaderCache.ts'
import type { Store } from '../store.ts'
import { type EmbedderChoice, embedderChosen } from './choice.ts'
import { openEmbedder } from './embedder.ts'
import { wantedOf } from './embedding.ts'

export interface EmbedStatus {
  readonly chosen: EmbedderChoice
  /** Whose vectors there are: a model's id; empty where there are none yet. */
  readonly model: string
  readonly dimensions: number
  /** Active memories, and those of them whose vector is of their present text. */
  readonly memories: number
  readonly embedded: number
  readonly tiers: Readonly<Record<Tier, number>>
  /** Whether the vectors are the chosen embedder's kind; other vectors are never compared with its own. */
  readonly fits: boolean
  /** What it answered when it was tried; absent where nobody asked for that. */
  readonly tried?:
    | { readonly id: string; readonly dimensions: number }
    | { readonly fault: string; readonly mend: string }
}

/** Reads the store and config.yaml. `trying` asks the embedder for one vector, which a service may charge for. */
export async function embedStatus(
  store: Store,
  env: Readonly<Record<string, string | undefined>>,
  trying: boolean,
): Promise<EmbedStatus> {
  const chosen = embedderChosen(store)
  const { current, tiers } = openVectors(store.files, store.layout)
  const shelf = readerFor(store, upgradeMemory)
  let memories = 0
  let embedded = 0
  try {
    for (const { id, key } of wantedOf(shelf.all())) {
      memories++
      for (const index of tiers.values()) if (index.keyOf(id) === key) embedded++
    }
  } finally {
    closeReader(shelf)
  }
  return {
    chosen,
    model: current.model,
    dimensions: current.dimensions,
    memories,
    embedded,
    tiers: Object.fromEntries(TIERS.map((tier) => [tier, tiers.get(tier)?.size ?? 0])) as EmbedStatus['tiers'],
    fits: current.model === '' || kindOf(current.model) === chosen.kind,
    ...(trying ? { tried: await tried(chosen, env) } : {}),
  }
}

const kindOf = (model: string): string => (isBuiltin(model) ? 'builtin' : model.slice(0, model.indexOf(':')))

async function tried(
  chosen: EmbedderChoice,
  env: Readonly<Record<string, string | undefined>>,
): Promise<EmbedStatus['tried'] & object> {
  try {
    const embedder = await openEmbedder(chosen, env, 'asking')
    if (!embedder) return { id: 'builtin', dimensions: builtinEmbedder().dimensions }
    await embedder.embed(['memctl'], 'query')
    embedder.close?.()
    return { id: embedder.id, dimensions: embedder.dimensions }
  } catch (error) {
    if (error instanceof MemoryError) return { fault: error.message, mend: error.mend }
    throw error
  }
}
