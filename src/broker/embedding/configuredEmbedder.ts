// The configured embedder: `embedder:` in config.yaml of memctl's home. For commands and the worker; hooks embed
// nothing.
//
// Unlike a policy, a project's own files cannot configure it: a cloned repository could send memories to its own
// address.

import { createBuiltinEmbedder, isBuiltinModel } from '../../embed/builtinEmbedder.ts'
import { TIERS, type Tier } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { findMemctlHome } from '../../store/project/project.ts'
import { openVectorSet, readVectorManifest } from '../../store/vectors/vectorIndex.ts'
import { readConfigSection, type SectionFields } from '../open/configFile.ts'
import type { Environment, Store } from '../open/openStore.ts'
import {
  type DesiredVector,
  type EmbedOptions,
  embedWith,
  hasModelVectors,
  readDesiredVectors,
  rebuildBuiltinVectors,
} from './maintainVectors.ts'

/** docs/embedders.md says which embedder uses which field. */
const SECTION = {
  name: 'embedder',
  choice: { name: 'kind', of: ['builtin', 'transformers', 'openai', 'azure'] },
  fields: {
    /** The name of a model of the service or the hub. */
    model: 'text',
    /** transformers: the folder with the model; nothing is downloaded then. */
    folder: 'text',
    /** transformers: the folder for models downloaded from the hub. */
    cacheFolder: 'text',
    endpoint: 'text',
    /** The name of the environment variable with the key, so that the key is in no file. */
    keyEnv: 'text',
    deployment: 'text',
    apiVersion: 'text',
    /** The length of the vectors: requested from a service, checked for a model. */
    dimensions: [1, 100_000],
    /** transformers: model_quantized.onnx rather than model.onnx. */
    quantized: 'flag',
  },
  without: 'use the built-in embedder',
} as const

type EmbedderConfig = SectionFields<typeof SECTION> & { readonly kind: (typeof SECTION)['choice']['of'][number] }

const BUILTIN: EmbedderConfig = { kind: 'builtin' }

/** The embedder of this store, by default the built-in one. Throws CONFIG_INVALID with file, line and values. */
export function readEmbedderConfig({ files, home }: Pick<Store, 'files' | 'home'>): EmbedderConfig {
  if (home === undefined) return BUILTIN // A store outside of any home has no user config.
  const section = readConfigSection(files, home, SECTION)
  return section ? { kind: section.chosen, ...section.fields } : BUILTIN
}

/** A caller waits for a query. The worker, which embeds memories, has time. */
type EmbedPurpose = 'query' | 'memories'

/** A search uses keywords only if the vector of its query takes longer than this, in milliseconds. */
const QUERY_TIMEOUT_MS = 5_000

/** Opens an embedder; undefined for the built-in one. Throws CONFIG_INVALID and EMBEDDER_UNAVAILABLE. */
async function openEmbedder(config: EmbedderConfig, env: Environment, purpose: EmbedPurpose = 'memories') {
  const { kind } = config
  if (kind === 'builtin') return undefined
  if (kind === 'transformers') return checkDimensions(await openTransformers(config, env), config)
  return openHttp({ ...config, kind }, env, purpose)
}

/** The store's embedder for queries; undefined for the built-in one, and if the configured one is unavailable. */
export async function openQueryEmbedder(store: Store, env: Environment): Promise<Embedder | undefined> {
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

async function openTransformers(config: EmbedderConfig, env: Environment): Promise<Embedder> {
  const { model, folder, cacheFolder, quantized } = config
  const { openTransformersEmbedder } = await import('../../embed/modelEmbedders.ts')
  const place = { local: folder !== undefined, cacheFolder, home: findMemctlHome(env) }
  return openTransformersEmbedder({ model: folder ?? model, quantized, ...place })
}

type HttpConfig = EmbedderConfig & { readonly kind: 'openai' | 'azure' }

async function openHttp(config: HttpConfig, env: Environment, purpose: EmbedPurpose): Promise<Embedder> {
  const { createHttpEmbedder, httpEmbedderConfigFromEnv } = await import('../../embed/modelEmbedders.ts')
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
    { hint: `Set embedder.dimensions to ${embedder.dimensions}, or remove it.` },
  )
}

// Replaces the store's vectors by those of the configured embedder. The worker does it after everything else is
// written, so that a missing model or an unavailable service does not affect the rest.

/** The first vectors of a model are written all at once. A worker has time for this many, at 20 ms each. */
const WORKER_EMBEDDINGS_MAX = 2_000

/** Embeds the memories that have no vector of the configured embedder. Returns the number of texts. */
export async function embedMissing(store: Store, env: Environment): Promise<number> {
  const config = readEmbedderConfig(store)
  // No search reads built-in vectors: only those of another model are left to replace.
  if (config.kind === 'builtin' && !hasModelVectors(store)) return 0
  const embedder = await openEmbedder(config, env)
  const { model } = readVectorManifest(store.files, store.layout)
  const missing = embedder && embedder.id !== model ? readDesiredVectors(store).length : 0
  if (missing > WORKER_EMBEDDINGS_MAX) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `${missing} memories have no vector of ${embedder?.id}`, {
      hint: 'Run `memctl rebuild --vectors`: it takes too long for the end of a session.',
    })
  }
  return embedBy(store, embedder, {})
}

/**
 * Replaces the store's vectors. Throws CONFIG_INVALID, EMBEDDER_UNAVAILABLE and STORE_BUSY, and changes nothing then.
 */
export async function embedWithConfig(store: Store, config: EmbedderConfig, env: Environment, options: EmbedOptions) {
  return embedBy(store, await openEmbedder(config, env), options)
}

async function embedBy(store: Store, embedder: Embedder | undefined, options: EmbedOptions): Promise<number> {
  try {
    return embedder ? await embedWith(store, embedder, options) : await rebuildBuiltinVectors(store)
  } finally {
    embedder?.close?.()
  }
}

export type EmbedderStatus = Readonly<Awaited<ReturnType<typeof readEmbedderStatus>>>

/** Reads the store and config.yaml. `isProbing` requests one vector, which a service may charge for. */
export async function readEmbedderStatus(store: Store, env: Environment, isProbing: boolean) {
  const configured = readEmbedderConfig(store)
  const { current, tiers } = openVectorSet(store.files, store.layout)
  const desired = readDesiredVectors(store).filter((vector) => !vector.isPrivate)
  const hasVector = ({ id, key }: DesiredVector) => [...tiers.values()].some((index) => index.getKey(id) === key)
  const sizes = TIERS.map((tier) => [tier, tiers.get(tier)?.size ?? 0])
  return {
    configured,
    /** The id of the model of the stored vectors; empty if there are none yet. */
    model: current.model,
    dimensions: current.dimensions,
    /** Active memories, and how many of them have a vector of their current text. */
    memories: desired.length,
    embedded: desired.filter(hasVector).length,
    tiers: Object.fromEntries(sizes) as Readonly<Record<Tier, number>>,
    /** Whether the vectors are of the configured embedder. Vectors of another one are never compared with its own. */
    matchesConfig: current.model === '' || kindOf(current.model) === configured.kind,
    /** The result of a test request; missing if none was requested. */
    ...(isProbing && { probe: await probe(configured, env) }),
  }
}

const kindOf = (model: string): string => (isBuiltinModel(model) ? 'builtin' : model.slice(0, model.indexOf(':')))

async function probe(config: EmbedderConfig, env: Environment) {
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
