// The vectors brought to the embedder that is chosen. For the worker, after everything else is written: a model that is not there, a
// service that does not answer, cost a session's end nothing.
import { isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { openVectorSet } from '../../store/vectors/vectorSet.ts'
import type { Store } from '../open/openStore.ts'
import { type EmbedderConfig, readEmbedderConfig } from './embedderConfig.ts'
import { type EmbedOptions, embedWith, rebuildBuiltinVectors } from './maintainVectors.ts'
import { openEmbedder } from './openEmbedder.ts'

/** A model's first vectors are there all at once or not at all; so many a worker can make in its time, were each 20 ms. */
const EMBEDDED_UNASKED_MAX = 2_000

type Env = Readonly<Record<string, string | undefined>>

/** Embeds with the embedder in config.yaml what has no vector of it yet, and says how many texts that were. */
export async function embedMissing(store: Store, env: Env): Promise<number> {
  const choice = readEmbedderConfig(store)
  const { model } = openVectorSet(store.files, store.layout).current
  // The built-in's are kept with the view; only after another's there is something to do.
  if (choice.kind === 'builtin' && (model === '' || isBuiltinModel(model))) return 0
  const embedder = await openEmbedder(choice, env)
  if (embedder && embedder.id !== model && countOf(store) > EMBEDDED_UNASKED_MAX) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `${countOf(store)} memories have no vector of ${embedder.id}`, {
      hint: 'Run `memctl embed rebuild`: that takes longer than a session that ends should.',
    })
  }
  return embedBy(store, embedder, {})
}

/** Makes the vectors of this choice the store's. Throws CONFIG_INVALID, EMBEDDER_UNAVAILABLE and STORE_BUSY; all is then as it was. */
export async function embedWithConfig(
  store: Store,
  choice: EmbedderConfig,
  env: Env,
  embedding: EmbedOptions = {},
): Promise<number> {
  return embedBy(store, await openEmbedder(choice, env), embedding)
}

async function embedBy(store: Store, embedder: Embedder | undefined, embedding: EmbedOptions): Promise<number> {
  try {
    if (embedder) return await embedWith(store, embedder, embedding)
    await rebuildBuiltinVectors(store)
    return countOf(store)
  } finally {
    embedder?.close?.()
  }
}

const countOf = ({ files, layout }: Store): number =>
  [...openVectorSet(files, layout).tiers.values()].reduce((sum, index) => sum + index.size, 0)
