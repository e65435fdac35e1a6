// The embedder a person has chosen, opened. The built-in one is what learns with a store's vectors, so for it there is nothing to open.
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import type { Store } from '../open/openStore.ts'
import { type EmbedderConfig, readEmbedderConfig } from './embedderConfig.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Who waits: a person for an answer, or the worker, which has time. */
type EmbedPurpose = 'asking' | 'embedding'

/** A question is answered by its words when its meaning is not there within this, in milliseconds. */
const ASKING_TIMEOUT_MS = 5_000

/** Opens an embedder; undefined for the built-in. Throws CONFIG_INVALID and EMBEDDER_UNAVAILABLE. */
export async function openEmbedder(
  choice: EmbedderConfig,
  env: Env,
  patience: EmbedPurpose = 'embedding',
): Promise<Embedder | undefined> {
  switch (choice.kind) {
    case 'builtin':
      return undefined
    case 'transformers':
      return checked(await transformers(choice), choice)
    case 'openai':
    case 'azure':
      return overHttp(choice, env, patience)
  }
}

/** The opened embedder of a store's config for asking; undefined for the built-in, and where the one chosen is not to be had. */
export async function openQueryEmbedder(store: Store, env: Env): Promise<Embedder | undefined> {
  const before = opened.get(store)
  if (before) return before
  const opening = openEmbedder(readEmbedderConfig(store), env, 'asking').catch((error) => {
    // Searching goes on with what the built-in knows; `memctl embed status` and `memctl doctor` tell.
    if (error instanceof MemoryError) return undefined
    throw error
  })
  opened.set(store, opening)
  return opening
}

/** A process that stays loads a model once. */
const opened = new WeakMap<Store, Promise<Embedder | undefined>>()

async function transformers({ model, folder, cacheFolder, quantized }: EmbedderConfig): Promise<Embedder> {
  const { openTransformersEmbedder } = await import('../../embed/transformersEmbedder.ts')
  return openTransformersEmbedder({ model: folder ?? model, local: folder !== undefined, cacheFolder, quantized })
}

async function overHttp(choice: EmbedderConfig, env: Env, patience: EmbedPurpose): Promise<Embedder> {
  const { createHttpEmbedder, httpEmbedderConfigFromEnv } = await import('../../embed/httpEmbedder.ts')
  const { kind, keyEnv, endpoint, deployment, ...told } = choice
  const said = httpEmbedderConfigFromEnv(env, kind as 'openai' | 'azure')
  const key = keyEnv === undefined ? said?.key : env[keyEnv]
  if (keyEnv !== undefined && !key) {
    throw new MemoryError('CONFIG_INVALID', `the embedder's key is not there: ${keyEnv} is not set`, {
      hint: `Set ${keyEnv} in the environment, or name another as embedder.keyEnv in config.yaml.`,
    })
  }
  return createHttpEmbedder({
    ...told,
    kind: kind as 'openai' | 'azure',
    endpoint: endpoint ?? said?.endpoint,
    deployment: deployment ?? said?.deployment,
    key,
    shortened: choice.dimensions !== undefined && /^text-embedding-3/.test(choice.model ?? 'text-embedding-3-small'),
    ...(patience === 'asking' ? { timeoutMs: ASKING_TIMEOUT_MS, retriesMax: 0 } : {}),
  })
}

function checked(embedder: Embedder, { dimensions }: EmbedderConfig): Embedder {
  if (dimensions === undefined || dimensions === embedder.dimensions) return embedder
  embedder.close?.()
  throw new MemoryError('CONFIG_INVALID', `${embedder.id} gives ${embedder.dimensions} numbers, not ${dimensions}`, {
    hint: `Set embedder.dimensions to ${embedder.dimensions}, or remove it.`,
  })
}
