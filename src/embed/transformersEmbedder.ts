// A model of one's own: @xenova/transformers, from a local folder or from the hub. An optional peer, loaded only when asked for,
// never by a hook: loading the package alone takes longer than a hook may.
import path from 'node:path'
import { MemoryError } from '../model/memoryError.ts'
import { type Embedder, type EmbedRole, toUnitVector } from '../model/ports.ts'

interface TransformersConfig {
  /** A model's name at the hub, or a folder with config.json, tokenizer.json and onnx/. */
  readonly model?: string | undefined
  /** The model is a folder: nothing is fetched. */
  readonly local?: boolean | undefined
  /** Where a model fetched from the hub is kept. */
  readonly cacheFolder?: string | undefined
  /** model_quantized.onnx (the hub's usual one, a quarter of the size) rather than model.onnx. */
  readonly quantized?: boolean | undefined
  /** What is put before a text, by what it is; for e5 models known. */
  readonly prefixes?: Readonly<Record<EmbedRole, string>> | undefined
}

/** Small, and knows a hundred languages, Japanese among them. 118 MB quantized, 384 dimensions. */
const TRANSFORMERS_MODEL = 'Xenova/multilingual-e5-small'

/** Texts given to the model at once: more need more memory and are no faster. */
const BATCH_MAX = 32

/** What e5 models were taught with (Wang and others 2022). */
const E5_PREFIXES = { query: 'query: ', passage: 'passage: ' }
const NO_PREFIXES = { query: '', passage: '' }

/** What of the package is used. */
type Package = Pick<typeof import('@xenova/transformers'), 'env' | 'pipeline'>
interface Extract {
  (
    texts: string[],
    options: { pooling: 'mean'; normalize: false },
  ): Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>
  dispose(): Promise<unknown>
}

/** Loads the model and gives it as an embedder. Throws EMBEDDER_UNAVAILABLE without package, model or network. */
export async function openTransformersEmbedder(config: TransformersConfig = {}): Promise<Embedder> {
  const model = config.model ?? TRANSFORMERS_MODEL
  const extract = await load(await packageOf(), model, config)
  const prefixes = config.prefixes ?? (/(^|[/\\_-])(multilingual-)?e5[-_]/i.test(model) ? E5_PREFIXES : NO_PREFIXES)
  const vectorsOf = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const { dims, data } = await extract([...texts], { pooling: 'mean', normalize: false })
    const dimensions = dims[1]!
    return texts.map((_, i) => toUnitVector(data.subarray(i * dimensions, (i + 1) * dimensions)))
  }
  const dimensions = (await vectorsOf([`${prefixes.passage}a`]))[0]!.length
  return {
    id: `transformers:${config.local ? path.basename(model) : model}${config.quantized === false ? '' : ':q8'}`,
    dimensions,
    async embed(texts, as = 'passage') {
      const told = texts.filter((text) => text.trim() !== '').map((text) => prefixes[as] + text)
      const vectors: Float32Array[] = []
      for (let from = 0; from < told.length; from += BATCH_MAX) {
        vectors.push(...(await vectorsOf(told.slice(from, from + BATCH_MAX))))
      }
      let next = 0
      return texts.map((text) => (text.trim() === '' ? new Float32Array(dimensions) : vectors[next++]!))
    },
    close: () => void extract.dispose(),
  }
}

async function packageOf(): Promise<Package> {
  try {
    return await import('@xenova/transformers')
  } catch (cause) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', '@xenova/transformers cannot be loaded', {
      hint: 'Install it beside memctl (`npm install @xenova/transformers`, with -g where memctl is), or run `memctl embed switch builtin`.',
      cause,
    })
  }
}

async function load({ env, pipeline }: Package, model: string, config: TransformersConfig): Promise<Extract> {
  // The package keeps its settings in one object for the whole process: what a host has set there is given back.
  const before = { ...env }
  try {
    env.allowLocalModels = config.local === true
    env.allowRemoteModels = config.local !== true
    if (config.local) env.localModelPath = path.dirname(path.resolve(model))
    if (config.cacheFolder) env.cacheDir = config.cacheFolder
    const name = config.local ? path.basename(model) : model
    const extract = await pipeline('feature-extraction', name, { quantized: config.quantized !== false })
    return extract as unknown as Extract
  } catch (cause) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `the model ${model} cannot be loaded`, {
      hint: config.local
        ? 'The folder needs config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx.'
        : "Check the network and the model's name, or give a local folder.",
      cause,
    })
  } finally {
    Object.assign(env, before)
  }
}
