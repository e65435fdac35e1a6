// Opens the configured embedder. The built-in one is part of a store's vectors, so there is nothing to open for it.
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import type { Store } from '../open/openStore.ts'
import { type EmbedderConfig, readEmbedderConfig } from './embedderConfig.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A caller waits for a query. The worker, which embeds memories, has time. */
type EmbedPurpose = 'query' | 'memories'

/** A search uses keywords only if the vector of its query takes longer than this, in milliseconds. */
const QUERY_TIMEOUT_MS = 5_000

/** Opens an embedder; undefined for the built-in one. Throws CONFIG_INVALID and EMBEDDER_UNAVAILABLE. */
export async function openEmbedder(
  config: EmbedderConfig,
  env: Env,
  purpose: EmbedPurpose = 'memories',
): Promise<Embedder | undefined> {
  switch (config.kind) {
    case 'builtin':
      return undefined
    case 'transformers':
      return checkDimensions(await openTransformers(config), config)
    case 'openai':
    case 'azure':
      return openHttp({ ...config, kind: config.kind }, env, purpose)
  }
}

/** The store's embedder for queries; undefined for the built-in one, and if the configured one is unavailable. */
export async function openQueryEmbedder(store: Store, env: Env): Promise<Embedder | undefined> {
  const cached = queryEmbedders.get(store)
  if (cached) return cached
  const opening = openEmbedder(readEmbedderConfig(store), env, 'query').catch((error) => {
    // The search continues without it. `memctl doctor --embedder` and `memctl doctor` report the error.
    if (error instanceof MemoryError) return undefined
    throw error
  })
  queryEmbedders.set(store, opening)
  return opening
}

/** A long-running process loads a model once. */
const queryEmbedders = new WeakMap<Store, Promise<Embedder | undefined>>()

async function openTransformers({ model, folder, cacheFolder, quantized }: EmbedderConfig): Promise<Embedder> {
  const { openTransformersEmbedder } = await import('../../embed/transformersEmbedder.ts')
  return openTransformersEmbedder({ model: folder ?? model, local: folder !== undefined, cacheFolder, quantized })
}

type HttpConfig = EmbedderConfig & { readonly kind: 'openai' | 'azure' }

async function openHttp(config: HttpConfig, env: Env, purpose: EmbedPurpose): Promise<Embedder> {
  const { createHttpEmbedder, httpEmbedderConfigFromEnv } = await import('../../embed/httpEmbedder.ts')
  const { keyEnv, endpoint, deployment, ...rest } = config
  const fromEnv = httpEmbedderConfigFromEnv(env, config.kind)
  const key = keyEnv === undefined ? fromEnv?.key : env[keyEnv]
  if (keyEnv !== undefined && !key) {
    throw new MemoryError('CONFIG_INVALID', `the key of the embedder is missing: ${keyEnv} is not set`, {
      hint: `Set ${keyEnv} in the environment, or use another variable as embedder.keyEnv in config.yaml.`,
    })
  }
  return createHttpEmbedder({
    ...rest,
    endpoint: endpoint ?? fromEnv?.endpoint,
    deployment: deployment ?? fromEnv?.deployment,
    key,
    shortened: config.dimensions !== undefined && /^text-embedding-3/.test(config.model ?? 'text-embedding-3-small'),
    ...(purpose === 'query' ? { timeoutMs: QUERY_TIMEOUT_MS, retriesMax: 0 } : {}),
  })
}

function checkDimensions(embedder: Embedder, { dimensions }: EmbedderConfig): Embedder {
  if (dimensions === undefined || dimensions === embedder.dimensions) return embedder
  embedder.close?.()
  throw new MemoryError(
    'CONFIG_INVALID',
    `${embedder.id} gives vectors of ${embedder.dimensions} dimensions, not ${dimensions}`,
    {
      hint: `Set embedder.dimensions to ${embedder.dimensions}, or remove it.`,
    },
  )
}
