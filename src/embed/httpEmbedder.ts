// Embeddings over HTTP: OpenAI, Azure OpenAI, and servers that speak like them.
//
//   POST <base>/embeddings                                            Authorization: Bearer <key>     {"input":[…],"model":…}
//   POST <endpoint>/openai/deployments/<name>/embeddings?api-version  api-key: <key>                  {"input":[…]}
//
// A key goes into one header and nowhere else: into no error, no log, no address, and to no other host by a redirect.
import { MemoryError } from '../model/memoryError.ts'
import { type Embedder, toUnitVector } from '../model/ports.ts'
import { type JsonResponse, postJson } from './postJson.ts'

export interface HttpEmbedderConfig {
  readonly kind: 'openai' | 'azure'
  /** OpenAI: the base address, `https://api.openai.com/v1` where nothing is said. Azure: the resource's, or a deployment's whole one. */
  readonly endpoint?: string | undefined
  readonly key?: string | undefined
  /** Azure's name for the model as deployed. */
  readonly deployment?: string | undefined
  readonly model?: string | undefined
  /** What the model gives, or is asked for where it can give fewer (`shortened`). */
  readonly dimensions?: number | undefined
  /** Ask the model for `dimensions` rather than only check for them. */
  readonly shortened?: boolean | undefined
  readonly apiVersion?: string | undefined
  /** One request at most, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Further tries after a refusal that may pass (429, 5xx, no connection). */
  readonly retriesMax?: number | undefined
  /** Wait before the first further try, in milliseconds; twice as long before each next. */
  readonly backoffMs?: number | undefined
}

const MODEL = 'text-embedding-3-small'
const DIMENSIONS = 1536
const API_VERSION = '2024-02-01'

/** Texts in one request: well under the services' 2,048, so that a refused request costs little. */
const BATCH_MAX = 96

/** Characters of a text: the models take 8,191 tokens, and a Japanese character may be more than one. */
const TEXT_CHARS_MAX = 6_000

const TIMEOUT_MS = 30_000
const RETRIES_MAX = 4
const BACKOFF_MS = 500

/**
 * What a person's environment says, of one kind where one is named: AZURE_OPENAI_ENDPOINT or OpenAIEmbeddingURI, AZURE_OPENAI_API_KEY or OpenAIEmbeddingKey and
 * AZURE_OPENAI_EMBEDDING_DEPLOYMENT for Azure; else OPENAI_API_KEY and OPENAI_BASE_URL. Undefined where it says neither.
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

/** An embedder over HTTP. Throws CONFIG_INVALID where endpoint, key or deployment is missing; asks nothing before `embed`. */
export function createHttpEmbedder(config: HttpEmbedderConfig): Embedder {
  const { url, headers } = config.kind === 'azure' ? azure(config) : openai(config)
  const model = config.model ?? MODEL
  const dimensions = config.dimensions ?? DIMENSIONS
  const patience = {
    timeoutMs: config.timeoutMs ?? TIMEOUT_MS,
    retriesMax: config.retriesMax ?? RETRIES_MAX,
    backoffMs: config.backoffMs ?? BACKOFF_MS,
  }
  const embedBatch = async (input: readonly string[]): Promise<Float32Array[]> => {
    const shortened = config.shortened ? { dimensions } : {}
    const body = { input, ...(config.kind === 'openai' ? { model } : {}), encoding_format: 'float', ...shortened }
    return vectorsIn(await postJson(url, headers, body, patience), input.length, dimensions)
  }
  return {
    id:
      config.kind === 'azure'
        ? `azure:${encodeURIComponent(config.deployment ?? model)}:${dimensions}`
        : `openai:${model}:${dimensions}`,
    dimensions,
    async embed(texts) {
      // A blank text is refused by the services, and is like nothing.
      const told = texts.map((text) => text.slice(0, TEXT_CHARS_MAX)).filter((text) => text.trim() !== '')
      const vectors: Float32Array[] = []
      for (let from = 0; from < told.length; from += BATCH_MAX) {
        vectors.push(...(await embedBatch(told.slice(from, from + BATCH_MAX))))
      }
      let next = 0
      return texts.map((text) =>
        text.slice(0, TEXT_CHARS_MAX).trim() === '' ? new Float32Array(dimensions) : vectors[next++]!,
      )
    },
  }
}

interface Door {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

function openai({ endpoint = 'https://api.openai.com/v1', key }: HttpEmbedderConfig): Door {
  const url = addressOf(endpoint)
  if (!url.pathname.endsWith('/embeddings')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`
  // A server of one's own may want no key; OpenAI's does.
  if (!key && url.hostname === 'api.openai.com') throw missing('a key', 'OPENAI_API_KEY')
  return { url, headers: key ? { authorization: `Bearer ${key}` } : {} }
}

function azure({ endpoint, key, deployment, apiVersion }: HttpEmbedderConfig): Door {
  if (!endpoint) throw missing('an endpoint', 'AZURE_OPENAI_ENDPOINT')
  if (!key) throw missing('a key', 'AZURE_OPENAI_API_KEY')
  const url = addressOf(endpoint)
  if (!url.pathname.endsWith('/embeddings')) {
    if (!deployment) throw missing('the name of a deployment', 'AZURE_OPENAI_EMBEDDING_DEPLOYMENT')
    const base = url.pathname.replace(/\/+$/, '')
    url.pathname = `${base}/openai/deployments/${encodeURIComponent(deployment)}/embeddings`
  }
  if (apiVersion || !url.searchParams.has('api-version')) url.searchParams.set('api-version', apiVersion ?? API_VERSION)
  return { url, headers: { 'api-key': key } }
}

function addressOf(text: string): URL {
  try {
    const url = new URL(text)
    if (url.protocol === 'https:' || url.protocol === 'http:') return url
  } catch {
    // Said below, as for any other scheme.
  }
  throw new MemoryError('CONFIG_INVALID', "the embedder's endpoint is no http address", {
    hint: 'Give it as https://host, for Azure https://<resource>.openai.azure.com.',
  })
}

/** The vectors of an answer in the order of the texts, which is its `index`, not the order they come in. */
function vectorsIn({ body, host }: JsonResponse, count: number, dimensions: number): Float32Array[] {
  const data = (body as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) throw unusable(host, 'no list of vectors')
  const vectors: Float32Array[] = []
  for (const one of data as readonly { index?: unknown; embedding?: unknown }[]) {
    const { index, embedding } = one ?? {}
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
  Array.isArray(value) && value.every((one) => typeof one === 'number' && Number.isFinite(one))

const unusable = (host: string, what: string, dimensions?: number): MemoryError =>
  new MemoryError('EMBEDDER_UNAVAILABLE', `${host} answered with ${what}`, {
    hint: dimensions
      ? `Set the embedder's dimensions to ${dimensions}, or choose the model that has as many as are set.`
      : 'Check that the endpoint is one for embeddings.',
  })

const missing = (what: string, name: string): MemoryError =>
  new MemoryError('CONFIG_INVALID', `the embedder has no ${what.replace(/^an? /, '')}`, {
    hint: `Set ${name} in the environment, or ${what} in config.yaml.`,
  })
