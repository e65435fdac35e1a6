// The status of a store's vectors: the configured embedder, the model of the stored vectors, and how many memories have
// one.
import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import { TIERS, type Tier } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { openVectorSet } from '../../store/vectors/vectorSet.ts'
import type { Store } from '../open/openStore.ts'
import { type EmbedderConfig, readEmbedderConfig } from './embedderConfig.ts'
import { openEmbedder } from './openEmbedder.ts'
import { type DesiredVector, readDesiredVectors } from './vectorSync.ts'

export interface EmbedderStatus {
  readonly configured: EmbedderConfig
  /** The id of the model of the stored vectors; empty if there are none yet. */
  readonly model: string
  readonly dimensions: number
  /** Active memories, and how many of them have a vector of their current text. */
  readonly memories: number
  readonly embedded: number
  readonly tiers: Readonly<Record<Tier, number>>
  /** Whether the vectors are of the configured embedder. Vectors of another one are never compared with its own. */
  readonly matchesConfig: boolean
  /** The result of a test request; missing if none was requested. */
  readonly probe?:
    | { readonly id: string; readonly dimensions: number }
    | { readonly fault: string; readonly hint: string }
}

/** Reads the store and config.yaml. `isProbing` requests one vector, which a service may charge for. */
export async function readEmbedderStatus(
  store: Store,
  env: Readonly<Record<string, string | undefined>>,
  isProbing: boolean,
): Promise<EmbedderStatus> {
  const configured = readEmbedderConfig(store)
  const { current, tiers } = openVectorSet(store.files, store.layout)
  const desired = readDesiredVectors(store).filter((vector) => !vector.isPrivate)
  const hasVector = ({ id, key }: DesiredVector) => [...tiers.values()].some((index) => index.getKey(id) === key)
  return {
    configured,
    model: current.model,
    dimensions: current.dimensions,
    memories: desired.length,
    embedded: desired.filter(hasVector).length,
    tiers: Object.fromEntries(TIERS.map((tier) => [tier, tiers.get(tier)?.size ?? 0])) as EmbedderStatus['tiers'],
    matchesConfig: current.model === '' || kindOf(current.model) === configured.kind,
    ...(isProbing && { probe: await probe(configured, env) }),
  }
}

const kindOf = (model: string): string => (isBuiltinModel(model) ? 'builtin' : model.slice(0, model.indexOf(':')))

async function probe(
  config: EmbedderConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<NonNullable<EmbedderStatus['probe']>> {
  try {
    const embedder = await openEmbedder(config, env, 'query')
    if (!embedder) return { id: 'builtin', dimensions: createBuiltinEmbedder().dimensions }
    await embedder.embed(['memctl'], 'query')
    embedder.close?.()
    return { id: embedder.id, dimensions: embedder.dimensions }
  } catch (error) {
    if (error instanceof MemoryError) return { fault: error.message, hint: error.hint }
    throw error
  }
}
