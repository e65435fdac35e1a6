// The embedder of @xenova/transformers, with a model from a local folder or the hub. The package is an optional peer
// dependency; hooks never load it, because loading takes longer than their time budget.
import path from 'node:path'
import { MemoryError } from '../model/memoryError.ts'
import { type Embedder, type EmbedRole, toUnitVector } from '../model/ports.ts'
import { embedInBatches } from './embedInBatches.ts'

interface TransformersConfig {
  /** A model's name on the hub, or a folder with config.json, tokenizer.json and onnx/. */
  readonly model?: string | undefined
  /** The model is a folder; nothing is downloaded. */
  readonly local?: boolean | undefined
  /** Where a model from the hub is stored. */
  readonly cacheFolder?: string | undefined
  /** model_quantized.onnx (the hub's default, a quarter of the size) instead of model.onnx. */
  readonly quantized?: boolean | undefined
  /** Prefixes of queries and passages; known for e5 models. */
  readonly prefixes?: Readonly<Record<EmbedRole, string>> | undefined
}

/** Small and multilingual (a hundred languages, also Japanese). 118 MB quantized, 384 dimensions. */
const TRANSFORMERS_MODEL = 'Xenova/multilingual-e5-small'

/** Texts in one batch: more need more memory and are not faster. */
const BATCH_MAX = 32

/** The prefixes that e5 models were trained with (Wang and others 2022). */
const E5_PREFIXES = { query: 'query: ', passage: 'passage: ' }
const NO_PREFIXES = { query: '', passage: '' }

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
  const extract = await loadModel(await importPackage(), model, config)
  const prefixes = config.prefixes ?? (/(^|[/\\_-])(multilingual-)?e5[-_]/i.test(model) ? E5_PREFIXES : NO_PREFIXES)
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

async function importPackage(): Promise<Package> {
  try {
    return await import('@xenova/transformers')
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
