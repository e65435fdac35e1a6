// AzureEmbeddingClient: seed 000's client for vectors by Azure OpenAI, over the embedder that memctl itself uses.
import { createHttpEmbedder, type HttpEmbedderConfig, httpEmbedderConfigFromEnv } from '../../embed/httpEmbedder.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Embedder } from '../../model/ports.ts'
import { type Env, processEnv } from '../processDefaults.ts'
import { config } from './phase1Config.ts'
import { AzureEmbeddingError } from './vectorErrors.ts'

/** Whoever makes vectors of texts for a VectorSearch. Of one length, in the order of the texts. */
export interface EmbeddingClient {
  getEmbedding(text: string): Promise<readonly number[]>
  getEmbeddings(texts: readonly string[]): Promise<readonly (readonly number[])[]>
  isAvailable(): Promise<boolean>
  /** The model's id as `memctl embed status` shows it; vectors kept under it are used as they are. */
  readonly id?: string
}

export interface AzureOptions
  extends Pick<
    HttpEmbedderConfig,
    'endpoint' | 'deployment' | 'model' | 'dimensions' | 'apiVersion' | 'timeoutMs' | 'retriesMax' | 'backoffMs'
  > {
  readonly apiKey?: string | undefined
  /** Where what is left out is looked up, by the document's names; the process's own where left out. */
  readonly env?: Env | undefined
}

export class AzureEmbeddingClient implements EmbeddingClient {
  readonly #embedder: Embedder

  /** Throws AzureEmbeddingError (CONFIG_INVALID) without endpoint or key. The deployment is called like the model where nothing names it. Asks nothing yet. */
  constructor({ apiKey, env = processEnv(), ...given }: AzureOptions = {}) {
    const said = httpEmbedderConfigFromEnv(env, 'azure')
    this.#embedder = asAzure(() =>
      createHttpEmbedder({
        ...given,
        kind: 'azure',
        endpoint: given.endpoint ?? said?.endpoint,
        key: apiKey ?? said?.key,
        deployment: given.deployment ?? said?.deployment ?? config.embeddingModel,
      }),
    )
  }

  get id(): string {
    return this.#embedder.id
  }

  /** One text's vector: 1536 numbers unless configured otherwise. Throws AzureEmbeddingError, for a blank text too. */
  async getEmbedding(text: string): Promise<readonly number[]> {
    const [vector] = await this.getEmbeddings([text])
    return vector!
  }

  /** A vector for each text. Throws AzureEmbeddingError, for no text and for a blank one too. */
  async getEmbeddings(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
    if (texts.length === 0 || texts.some((text) => text.trim() === '')) {
      throw new AzureEmbeddingError('INPUT_INVALID', texts.length === 0 ? 'there is no text' : 'a text is blank', {
        hint: 'Give at least one text, and none that is empty.',
      })
    }
    const vectors = await asAzure(async () => this.#embedder.embed(texts))
    return vectors.map((vector) => Array.from(vector))
  }

  /** Whether the service answers now. */
  async isAvailable(): Promise<boolean> {
    try {
      await this.getEmbedding('test')
      return true
    } catch {
      return false // Whoever wants to know why asks for a vector.
    }
  }
}

let shared: AzureEmbeddingClient | undefined

/** The one client of this process, as its environment says. */
export function getEmbeddingClient(): AzureEmbeddingClient {
  shared ??= new AzureEmbeddingClient()
  return shared
}

/** Forgets it; the next `getEmbeddingClient` reads the environment again. */
export function resetClient(): void {
  shared = undefined
}

function asAzure<T>(ask: () => T): T {
  const told = (error: unknown): never => {
    if (!(error instanceof MemoryError)) throw error
    throw new AzureEmbeddingError(error.code, error.message, { hint: error.hint, cause: error })
  }
  try {
    const answer = ask()
    return answer instanceof Promise ? (answer.catch(told) as T) : answer
  } catch (error) {
    return told(error)
  }
}
