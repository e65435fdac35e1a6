// The vectors brought to the embedder that is chosen. For the worker, after everything else is written: a model that is not there, a
// service that does not answer, cost a session's end nothing.
import { isBuiltin } from '../../embed/builtin.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Embedder } from '../../model/ports.ts'
import { openVectors } from '../../store/vectors.ts'
import type { Store } from '../store.ts'
import { type EmbedderChoice, embedderChosen } from './choice.ts'
import { openEmbedder } from './embedder.ts'
import { type Embedding, embedBuiltin, embedWith } from './vectors.ts'

/** A model's first vectors are there all at once or not at all; so many a worker can make in its time, were each 20 ms. */
const EMBEDDED_UNASKED_MAX = 2_000

type Env = Readonly<Record<string, string | undefined>>

/** Embeds with the embedder in config.yaml what has no vector of it yet, and says how many texts that were. */
export async function embedChosen(store: Store, env: Env): Promise<number> {
  const choice = embedderChosen(store)
  const { model } = openVectors(store.files, store.layout).current
  // The built-in's are kept with the view; only after another's there is something to do.
  if (choice.kind === 'builtin' && (model === '' || isBuiltin(model))) return 0
  const embedder = await openEmbedder(choice, env)
  if (embedder && embedder.id !== model && countOf(store) > EMBEDDED_UNASKED_MAX) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `${countOf(store)} memories have no vector of ${embedder.id}`, {
      mend: 'Run `memctl embed rebuild`: that takes longer than a session that ends should.',
    })
  }
  return embedBy(store, embedder, {})
}

/** Makes the vectors of this choice the store's. Throws CONFIG_INVALID, EMBEDDER_UNAVAILABLE and STORE_BUSY; all is then as it was. */
export async function embedAs(
  store: Store,
  choice: EmbedderChoice,
  env: Env,
  embedding: Embedding = {},
): Promise<number> {
  return embedBy(store, await openEmbedder(choice, env), embedding)
}

async function embedBy(store: Store, embedder: Embedder | undefined, embedding: Embedding): Promise<number> {
  try {
    if (embedder) return await embedWith(store, embedder, embedding)
    await embedBuiltin(store)
    return countOf(store)
  } finally {
    embedder?.close?.()
  }
}

const countOf = ({ files, layout }: Store): number =>
  [...openVectors(files, layout).tiers.values()].reduce((sum, index) => sum + index.size, 0)
