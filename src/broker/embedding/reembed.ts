// Replaces the store's vectors by those of the configured embedder. The worker does it after everything else is
// written, so that a missing model or an unavailable service does not affect the rest.
import { isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { openVectorSet } from '../../store/vectors/vectorSet.ts'
import type { Store } from '../open/openStore.ts'
import { type EmbedderConfig, readEmbedderConfig } from './embedderConfig.ts'
import { type EmbedOptions, embedWith, rebuildBuiltinVectors } from './maintainVectors.ts'
import { openEmbedder } from './openEmbedder.ts'

/** The first vectors of a model are written all at once. A worker has time for this many, at 20 ms each. */
const WORKER_EMBEDDINGS_MAX = 2_000

type Env = Readonly<Record<string, string | undefined>>

/** Embeds the memories that have no vector of the configured embedder. Returns the number of texts. */
export async function embedMissing(store: Store, env: Env): Promise<number> {
  const config = readEmbedderConfig(store)
  const { model } = openVectorSet(store.files, store.layout).current
  // Maintenance updates built-in vectors. Only a change from another model is left to do.
  if (config.kind === 'builtin' && (model === '' || isBuiltinModel(model))) return 0
  const embedder = await openEmbedder(config, env)
  if (embedder && embedder.id !== model && countVectors(store) > WORKER_EMBEDDINGS_MAX) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `${countVectors(store)} memories have no vector of ${embedder.id}`, {
      hint: 'Run `memctl rebuild --vectors`: it takes too long for the end of a session.',
    })
  }
  return embedBy(store, embedder, {})
}

/**
 * Replaces the store's vectors. Throws CONFIG_INVALID, EMBEDDER_UNAVAILABLE and STORE_BUSY, and changes nothing then.
 */
export async function embedWithConfig(
  store: Store,
  config: EmbedderConfig,
  env: Env,
  options: EmbedOptions = {},
): Promise<number> {
  return embedBy(store, await openEmbedder(config, env), options)
}

async function embedBy(store: Store, embedder: Embedder | undefined, options: EmbedOptions): Promise<number> {
  try {
    if (embedder) return await embedWith(store, embedder, options)
    await rebuildBuiltinVectors(store)
    return countVectors(store)
  } finally {
    embedder?.close?.()
  }
}

const countVectors = ({ files, layout }: Store): number =>
  [...openVectorSet(files, layout).tiers.values()].reduce((sum, index) => sum + index.size, 0)
