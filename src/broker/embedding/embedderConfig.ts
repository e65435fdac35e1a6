// The configured embedder: `embedder:` in config.yaml of memctl's home. For commands and the worker; hooks embed
// nothing.
//
// Unlike a policy, a project's own files cannot configure it: a cloned repository could send memories to its own
// address.
import { MemoryError } from '../../model/memoryError.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { isYamlMapping, readYaml } from '../open/yamlSource.ts'

const EMBEDDER_KINDS = ['builtin', 'transformers', 'openai', 'azure'] as const
type EmbedderKind = (typeof EMBEDDER_KINDS)[number]

/** docs/embedders.md says which embedder uses which field. */
export interface EmbedderConfig {
  readonly kind: EmbedderKind
  /** The name of a model of the service or the hub. */
  readonly model?: string | undefined
  /** transformers: the folder with the model; nothing is downloaded then. */
  readonly folder?: string | undefined
  /** transformers: the folder for models downloaded from the hub. */
  readonly cacheFolder?: string | undefined
  readonly endpoint?: string | undefined
  /** The name of the environment variable with the key, so that the key is in no file. */
  readonly keyEnv?: string | undefined
  readonly deployment?: string | undefined
  readonly apiVersion?: string | undefined
  /** The length of the vectors: requested from a service, checked for a model. */
  readonly dimensions?: number | undefined
  /** transformers: model_quantized.onnx rather than model.onnx. */
  readonly quantized?: boolean | undefined
}

const BUILTIN: EmbedderConfig = { kind: 'builtin' }

type ValueType = 'text' | 'count' | 'flag'

/** The names that `embedder:` may have beside `kind`, and the type of each value. */
const FIELDS: Readonly<Record<Exclude<keyof EmbedderConfig, 'kind'>, ValueType>> = {
  model: 'text',
  folder: 'text',
  cacheFolder: 'text',
  endpoint: 'text',
  keyEnv: 'text',
  deployment: 'text',
  apiVersion: 'text',
  dimensions: 'count',
  quantized: 'flag',
}
const TYPE_DESCRIPTIONS = { text: 'a text', count: 'a whole number from 1 to 100000', flag: 'true or false' }

/** Longer than the vectors of any known model. */
const DIMENSIONS_MAX = 100_000

/** The embedder of this store, by default the built-in one. Throws CONFIG_INVALID with file, line and values. */
export function readEmbedderConfig({ files, home }: Pick<Store, 'files' | 'home'>): EmbedderConfig {
  if (home === undefined) return BUILTIN // A store outside of any home has no user config.
  const file = configFile(home)
  const text = files.read(file)?.toString('utf8')
  if (text === undefined) return BUILTIN
  const source = readYaml(text)
  const { value } = source
  if (typeof value !== 'object' || value === null) return BUILTIN // readConfig reports errors in the file.
  const where = (name?: string): string =>
    `${file}, line ${source.lineAt(name === undefined ? ['embedder'] : ['embedder', name])}`
  return parseEmbedderConfig((value as { readonly embedder?: unknown }).embedder, where)
}

/** Parses a value. `where` gives the position of one of its fields, or its own, for errors. Throws CONFIG_INVALID. */
function parseEmbedderConfig(value: unknown, where: (field?: string) => string): EmbedderConfig {
  if (value === undefined || value === null) return BUILTIN
  const mapping = typeof value === 'string' ? { kind: value } : value
  if (!isYamlMapping(mapping)) throw invalid(`embedder is ${JSON.stringify(value)} in ${where()}`)
  const { kind: kindName, ...fields } = mapping
  const kind = EMBEDDER_KINDS.find((candidate) => candidate === kindName)
  if (!kind) throw invalid(`the embedder's kind is ${JSON.stringify(kindName ?? null)} in ${where('kind')}`)
  for (const [name, field] of Object.entries(fields)) {
    const type = FIELDS[name as keyof typeof FIELDS]
    if (type === undefined)
      throw invalid(`embedder.${name} in ${where(name)} is unknown`, `Use kind, ${Object.keys(FIELDS).join(', ')}`)
    if (!hasType(field, type))
      throw invalid(`embedder.${name} is ${JSON.stringify(field)} in ${where(name)}`, `Use ${TYPE_DESCRIPTIONS[type]}`)
  }
  return { kind, ...fields }
}

function hasType(value: unknown, type: ValueType): boolean {
  if (type === 'flag') return typeof value === 'boolean'
  if (type === 'text') return typeof value === 'string' && value.trim() !== ''
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= DIMENSIONS_MAX
}

const invalid = (what: string, hint = `Use one of ${EMBEDDER_KINDS.join(', ')}`): MemoryError =>
  new MemoryError('CONFIG_INVALID', what, { hint: `${hint}, or remove the line to use the built-in embedder.` })
