// AzureEmbeddingClient: the agent-memory spec's client for Azure OpenAI embeddings, over memctl's own HTTP embedder.
// And the two error classes of the spec, each with a code and a hint.
import { createHttpEmbedder, type EmbeddingService, httpEmbedderConfigFromEnv } from '../../embed/modelEmbedders.ts'
import type { CallOptions } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { type Env, processEnv } from '../processDefaults.ts'
import { config } from './phase1Config.ts'

/** The query could not be embedded, or the memories could not be searched. */
export class VectorSearchError extends MemoryError {
  /** The name of the specification. */
  override readonly name = 'VectorSearchError'
}

/** The embedding service has no endpoint or key, got nothing to embed, or gave no valid answer. */
export class AzureEmbeddingError extends MemoryError {
  /** The name of the specification. */
  override readonly name = 'AzureEmbeddingError'
}

/** Embeds texts for a VectorSearch. Vectors have one length and come in the order of the texts. */
export interface EmbeddingClient {
  /** The vector of one text that is not blank. */
  getEmbedding(text: string, options?: CallOptions): Promise<readonly number[]>
  /** A vector for each text. */
  getEmbeddings(texts: readonly string[], options?: CallOptions): Promise<readonly (readonly number[])[]>
  /** Whether the service answers. */
  isAvailable(): Promise<boolean>
  /** The model's id as `memctl doctor --embedder` shows it; stored vectors with this id are reused. */
  readonly id?: string
}

/** A service of Azure OpenAI. Without endpoint and deployment those of its environment variables are used. */
export interface AzureOptions extends EmbeddingService {
  /** The key; default: AZURE_OPENAI_API_KEY. */
  readonly apiKey?: string | undefined
  /** Environment variables with the spec's names, for options that are left out; default: those of the process. */
  readonly env?: Env | undefined
}

/** Embeds texts by Azure OpenAI. */
export class AzureEmbeddingClient implements EmbeddingClient {
  readonly #embedder: Embedder

  /** Sends no request. The deployment's default is the model's name. Throws AzureEmbeddingError (CONFIG_INVALID). */
  constructor({ apiKey, env = processEnv(), ...options }: AzureOptions = {}) {
    const defaults = httpEmbedderConfigFromEnv(env, 'azure')
    try {
      this.#embedder = createHttpEmbedder({
        ...options,
        kind: 'azure',
        endpoint: options.endpoint ?? defaults?.endpoint,
        key: apiKey ?? defaults?.key,
        deployment: options.deployment ?? defaults?.deployment ?? config.embeddingModel,
      })
    } catch (error) {
      throw toAzureError(error)
    }
  }

  /** The id of model and dimensions, stored with each vector. */
  get id(): string {
    return this.#embedder.id
  }

  /** The vector of one text; by default 1536 numbers. Throws AzureEmbeddingError, also for a blank text. */
  async getEmbedding(text: string, options?: CallOptions): Promise<readonly number[]> {
    const [vector = []] = await this.getEmbeddings([text], options)
    return vector
  }

  /** A vector for each text. Throws AzureEmbeddingError, also for no text and for a blank one. */
  async getEmbeddings(texts: readonly string[], { signal }: CallOptions = {}): Promise<readonly (readonly number[])[]> {
    if (texts.length === 0 || texts.some((text) => text.trim() === '')) {
      throw new AzureEmbeddingError('INPUT_INVALID', texts.length === 0 ? 'there is no text' : 'a text is blank', {
        hint: 'Give at least one text, and none that is empty.',
      })
    }
    try {
      const vectors = await this.#embedder.embed(texts, 'passage', signal)
      return vectors.map((vector) => Array.from(vector))
    } catch (error) {
      throw toAzureError(error)
    }
  }

  /** Whether the service answers. */
  async isAvailable(): Promise<boolean> {
    try {
      await this.getEmbedding('test')
      return true
    } catch {
      return false // getEmbedding throws the reason.
    }
  }
}

let shared: AzureEmbeddingClient | undefined

/** The client shared by the process, configured by its environment variables. */
export function getEmbeddingClient(): AzureEmbeddingClient {
  shared ??= new AzureEmbeddingClient()
  return shared
}

/** Drops the shared client; the next `getEmbeddingClient` reads the environment again. */
export function resetClient(): void {
  shared = undefined
}

/** A MemoryError as an AzureEmbeddingError; any other error as it is. */
function toAzureError(error: unknown): unknown {
  if (!(error instanceof MemoryError)) return error
  return new AzureEmbeddingError(error.code, error.message, { hint: error.hint, cause: error })
}
