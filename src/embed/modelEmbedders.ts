// Embeddings over HTTP: OpenAI, Azure OpenAI, and compatible servers.
//
//   POST <base>/embeddings                                            Authorization: Bearer <key>  {input, model}
//   POST <endpoint>/openai/deployments/<name>/embeddings?api-version  api-key: <key>               {input}
//
// A key is only in that header: never in an error, a log or a URL, and never sent to another host by a redirect.

import path from 'node:path'
import { type FailureTexts, type JsonResponse, parseHttpUrl, postJson } from '../http/postJson.ts'
import { MemoryError } from '../model/memoryError.ts'
import { type Embedder, type EmbedRole, toUnitVector } from '../model/ports.ts'
import { loadOptional } from '../packages/optionalPackage.ts'

/** A service that computes vectors. */
export interface EmbeddingService {
  /** OpenAI: the base URL, by default `https://api.openai.com/v1`. Azure: the URL of the resource or a deployment. */
  readonly endpoint?: string | undefined
  /** Azure's name of the deployed model; default: the model. */
  readonly deployment?: string | undefined
  /** The model; default: text-embedding-3-small. */
  readonly model?: string | undefined
  /** Numbers in a vector of the model; default: 1536. */
  readonly dimensions?: number | undefined
  /** The version of Azure's interface; default: 2024-02-01. */
  readonly apiVersion?: string | undefined
  /** The time limit of one request, in milliseconds; default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** Retries after a temporary failure (429, 5xx, no connection), from 0; default: 4. */
  readonly retriesMax?: number | undefined
  /** The wait before the first retry, in milliseconds; doubled each time. Default: 500. */
  readonly backoffMs?: number | undefined
}

export interface HttpEmbedderConfig extends EmbeddingService {
  readonly kind: 'openai' | 'azure'
  readonly key?: string | undefined
  /** Request `dimensions` of a model that can return fewer, instead of only checking them. */
  readonly shortened?: boolean | undefined
}

const HTTP_MODEL = 'text-embedding-3-small'
const HTTP_DIMENSIONS = 1536
const API_VERSION = '2024-02-01'

/** Texts in one request: well under the services' limit of 2,048, so that a failed request costs little. */
const HTTP_BATCH_MAX = 96

/** Of an answer: one number of a vector as JSON with all its digits, and everything around the vectors. */
const NUMBER_BYTES = 26
const REST_BYTES = 65_536

/** Characters of a text: the models accept 8,191 tokens, and a Japanese character may be more than one. */
const TEXT_CHARS_MAX = 6_000

const TIMEOUT_MS = 30_000
const RETRIES_MAX = 4
const BACKOFF_MS = 500

/**
 * The configuration in the environment, of `kind` if given. Azure: AZURE_OPENAI_ENDPOINT or OpenAIEmbeddingURI,
 * AZURE_OPENAI_API_KEY or OpenAIEmbeddingKey, AZURE_OPENAI_EMBEDDING_DEPLOYMENT. Otherwise OPENAI_API_KEY and
 * OPENAI_BASE_URL. Undefined if none is set.
 */
export function httpEmbedderConfigFromEnv(
  env: Readonly<Record<string, string | undefined>>,
  kind?: HttpEmbedderConfig['kind'],
): HttpEmbedderConfig | undefined {
  const endpoint = env['AZURE_OPENAI_ENDPOINT'] || env['OpenAIEmbeddingURI']
  if (kind === 'azure' || (endpoint && kind === undefined)) {
    return {
      kind: 'azure',
      endpoint: endpoint || undefined,
      key: env['AZURE_OPENAI_API_KEY'] || env['OpenAIEmbeddingKey'],
      deployment: env['AZURE_OPENAI_EMBEDDING_DEPLOYMENT'] || undefined,
    }
  }
  if (!env['OPENAI_API_KEY'] && !env['OPENAI_BASE_URL']) return undefined
  return { kind: 'openai', endpoint: env['OPENAI_BASE_URL'] || undefined, key: env['OPENAI_API_KEY'] || undefined }
}

const FAILURE: FailureTexts = {
  code: 'EMBEDDER_UNAVAILABLE',
  deniedHint: 'Check the key, and that it is allowed to use embeddings.',
  laterHint: 'Try again later; until then memories are found by keywords.',
}

/** An embedder over HTTP. Throws CONFIG_INVALID without endpoint, key or deployment. Sends nothing before `embed`. */
export function createHttpEmbedder(config: HttpEmbedderConfig): Embedder {
  const { url, headers } = config.kind === 'azure' ? azureRequest(config) : openaiRequest(config)
  const model = config.model ?? HTTP_MODEL
  const dimensions = config.dimensions ?? HTTP_DIMENSIONS
  const retryPolicy = {
    timeoutMs: config.timeoutMs ?? TIMEOUT_MS,
    retriesMax: config.retriesMax ?? RETRIES_MAX,
    backoffMs: config.backoffMs ?? BACKOFF_MS,
  }
  const embedBatch = async (input: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    const shortened = config.shortened ? { dimensions } : {}
    const body = { input, ...(config.kind === 'openai' ? { model } : {}), encoding_format: 'float', ...shortened }
    const limits = { retryPolicy, answerBytesMax: REST_BYTES + input.length * dimensions * NUMBER_BYTES }
    const response = await postJson({ url, headers, body, ...limits, failure: FAILURE, signal })
    return parseVectors(response, input.length, dimensions)
  }
  return {
    id:
      config.kind === 'azure'
        ? `azure:${encodeURIComponent(config.deployment ?? model)}:${dimensions}`
        : `openai:${model}:${dimensions}`,
    dimensions,
    embed(texts, _as, signal) {
      const truncated = texts.map((text) => text.slice(0, TEXT_CHARS_MAX))
      const embed = (batch: readonly string[]) => embedBatch(batch, signal)
      return embedInBatches(truncated, { batchMax: HTTP_BATCH_MAX, dimensions, embedBatch: embed })
    },
  }
}

interface RequestTarget {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

function openaiRequest({ endpoint = 'https://api.openai.com/v1', key }: HttpEmbedderConfig): RequestTarget {
  const url = parseUrl(endpoint)
  if (!url.pathname.endsWith('/embeddings')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`
  // Compatible servers may need no key.
  if (!key && url.hostname === 'api.openai.com') throw missing('a key', 'OPENAI_API_KEY')
  return { url, headers: key ? { authorization: `Bearer ${key}` } : {} }
}

function azureRequest({ endpoint, key, deployment, apiVersion }: HttpEmbedderConfig): RequestTarget {
  if (!endpoint) throw missing('an endpoint', 'AZURE_OPENAI_ENDPOINT')
  if (!key) throw missing('a key', 'AZURE_OPENAI_API_KEY')
  const url = parseUrl(endpoint)
  if (!url.pathname.endsWith('/embeddings')) {
    if (!deployment) throw missing('the name of a deployment', 'AZURE_OPENAI_EMBEDDING_DEPLOYMENT')
    const base = url.pathname.replace(/\/+$/, '')
    url.pathname = `${base}/openai/deployments/${encodeURIComponent(deployment)}/embeddings`
  }
  if (apiVersion || !url.searchParams.has('api-version')) url.searchParams.set('api-version', apiVersion ?? API_VERSION)
  return { url, headers: { 'api-key': key } }
}

const parseUrl = (text: string): URL =>
  parseHttpUrl(text, "the embedder's endpoint", 'Use https://host, for Azure https://<resource>.openai.azure.com.')

/** The vectors of a response in the order of the texts, which is that of `index`. */
function parseVectors({ body, host }: JsonResponse, count: number, dimensions: number): Float32Array[] {
  const data = (body as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) throw unusable(host, 'no list of vectors')
  const vectors: Float32Array[] = []
  for (const item of data as readonly ({ index?: unknown; embedding?: unknown } | null)[]) {
    const { index, embedding } = item ?? {}
    if (typeof index !== 'number' || !isNumbers(embedding)) throw unusable(host, 'a vector without index or numbers')
    if (embedding.length !== dimensions) {
      throw unusable(host, `vectors of ${embedding.length} numbers instead of ${dimensions}`, embedding.length)
    }
    vectors[index] = toUnitVector(embedding)
  }
  for (let i = 0; i < count; i++) if (!vectors[i]) throw unusable(host, `no vector for text ${i + 1} of ${count}`)
  return vectors
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((number) => typeof number === 'number' && Number.isFinite(number))

const unusable = (host: string, what: string, dimensions?: number): MemoryError =>
  new MemoryError('EMBEDDER_UNAVAILABLE', `${host} answered with ${what}`, {
    hint: dimensions
      ? `Set the embedder's dimensions to ${dimensions}, or use a model with the configured dimensions.`
      : 'Check that the endpoint is one for embeddings.',
  })

const missing = (what: string, name: string): MemoryError =>
  new MemoryError('CONFIG_INVALID', `the embedder has no ${what.replace(/^an? /, '')}`, {
    hint: `Set ${name} in the environment, or ${what} in config.yaml.`,
  })

// The embedder of @xenova/transformers, with a model from a local folder or the hub. The package is an optional peer
// dependency; hooks never load it, because loading takes longer than their time budget.

interface TransformersConfig {
  /** A model's name on the hub, or a folder with config.json, tokenizer.json and onnx/. */
  readonly model?: string | undefined
  /** The model is a folder; nothing is downloaded. */
  readonly local?: boolean | undefined
  /** Where a model from the hub is stored. */
  readonly cacheFolder?: string | undefined
  /** model_quantized.onnx (the hub's default, a quarter of the size) instead of model.onnx. */
  readonly quantized?: boolean | undefined
  /** memctl's home, where the package may be; by default it is beside memctl only. */
  readonly home?: string | undefined
}

/** Small and multilingual (a hundred languages, also Japanese). 118 MB quantized, 384 dimensions. */
const TRANSFORMERS_MODEL = 'Xenova/multilingual-e5-small'

/** Texts in one batch: more need more memory and are not faster. */
const BATCH_MAX = 32

/** The prefixes that e5 models were trained with (Wang and others 2022). */
const E5_PREFIXES: Readonly<Record<EmbedRole, string>> = { query: 'query: ', passage: 'passage: ' }
const NO_PREFIXES: typeof E5_PREFIXES = { query: '', passage: '' }

/** The part of the package that is used. */
type Package = Pick<typeof import('@xenova/transformers'), 'env' | 'pipeline'>
interface FeatureExtractor {
  (
    texts: string[],
    options: { pooling: 'mean'; normalize: false },
  ): Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>
  dispose(): Promise<unknown>
}

/** Loads the model. Throws EMBEDDER_UNAVAILABLE without package, model or network. */
export async function openTransformersEmbedder(config: TransformersConfig = {}): Promise<Embedder> {
  const model = config.model ?? TRANSFORMERS_MODEL
  const extract = await loadModel(await importPackage(config.home), model, config)
  const prefixes = /(^|[/\\_-])(multilingual-)?e5[-_]/i.test(model) ? E5_PREFIXES : NO_PREFIXES
  const embedBatch = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const { dims, data } = await extract([...texts], { pooling: 'mean', normalize: false })
    const [, dimensions = 0] = dims
    return texts.map((_, i) => toUnitVector(data.subarray(i * dimensions, (i + 1) * dimensions)))
  }
  const [sample] = await embedBatch([`${prefixes.passage}a`])
  const dimensions = sample?.length ?? 0
  return {
    id: `transformers:${config.local ? path.basename(model) : model}${config.quantized === false ? '' : ':q8'}`,
    dimensions,
    embed(texts, role = 'passage') {
      const addPrefix = (text: string): string => prefixes[role] + text
      return embedInBatches(texts, {
        batchMax: BATCH_MAX,
        dimensions,
        embedBatch: (batch) => embedBatch(batch.map(addPrefix)),
      })
    },
    close: () => void extract.dispose(),
  }
}

async function importPackage(home: string | undefined): Promise<Package> {
  try {
    return await loadOptional('@xenova/transformers', home, () => import('@xenova/transformers'))
  } catch (cause) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', '@xenova/transformers cannot be loaded', {
      hint:
        'Install it beside memctl (`npm install @xenova/transformers`, with -g if memctl is installed so), ' +
        'or remove `embedder` from config.yaml.',
      cause,
    })
  }
}

async function loadModel(
  { env, pipeline }: Package,
  model: string,
  config: TransformersConfig,
): Promise<FeatureExtractor> {
  // The package has one settings object per process: the values of the host program are restored.
  const before = { ...env }
  try {
    env.allowLocalModels = config.local === true
    env.allowRemoteModels = config.local !== true
    if (config.local) env.localModelPath = path.dirname(path.resolve(model))
    if (config.cacheFolder) env.cacheDir = config.cacheFolder
    const name = config.local ? path.basename(model) : model
    const extract = await pipeline('feature-extraction', name, { quantized: config.quantized !== false })
    return extract as unknown as FeatureExtractor
  } catch (cause) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `the model ${model} cannot be loaded`, {
      hint: config.local
        ? 'The folder needs config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx.'
        : "Check the network and the model's name, or use a local folder.",
      cause,
    })
  } finally {
    Object.assign(env, before)
  }
}

// Embeds texts in batches. Blank texts are not sent to the model: services refuse them.

interface BatchEmbedder {
  /** Texts in one batch at most. */
  readonly batchMax: number
  readonly dimensions: number
  embedBatch(texts: readonly string[]): Promise<readonly Float32Array[]>
}

/** One vector per text, in their order. A blank text gets the zero vector. */
async function embedInBatches(
  texts: readonly string[],
  { batchMax, dimensions, embedBatch }: BatchEmbedder,
): Promise<readonly Float32Array[]> {
  const isBlank = (text: string): boolean => text.trim() === ''
  const rest = texts.filter((text) => !isBlank(text))
  const vectors: Float32Array[] = []
  for (let from = 0; from < rest.length; from += batchMax) {
    vectors.push(...(await embedBatch(rest.slice(from, from + batchMax))))
  }
  let next = 0
  return texts.map((text) => (isBlank(text) ? undefined : vectors[next++]) ?? new Float32Array(dimensions))
}
