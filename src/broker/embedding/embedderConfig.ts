// Which embedder a person has chosen: `embedder:` in config.yaml of memctl's home. For commands and the worker; a hook embeds nothing.
//
// Only there, not in a project's own files as a policy may be: whoever clones a repository would else send their memories to the
// address that stands in it.
import { isMap, parseDocument } from 'yaml'
import { MemoryError } from '../../model/memoryError.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { readYaml } from '../open/yamlSource.ts'
import { EMBEDDER_KINDS, type EmbedderKind } from './embedderKinds.ts'

/** What an embedder may be told; docs/embedders.md has which one heeds what. */
export interface EmbedderConfig {
  readonly kind: EmbedderKind
  /** A model's name at the service or the hub. */
  readonly model?: string | undefined
  /** transformers: the folder that holds the model; nothing is fetched then. */
  readonly folder?: string | undefined
  /** transformers: where a model from the hub is kept. */
  readonly cacheFolder?: string | undefined
  readonly endpoint?: string | undefined
  /** The name of the environment variable that holds the key, so that the key stands in no file. */
  readonly keyEnv?: string | undefined
  readonly deployment?: string | undefined
  readonly apiVersion?: string | undefined
  /** How long vectors are to be: asked of a service, checked of a model. */
  readonly dimensions?: number | undefined
  /** transformers: model_quantized.onnx rather than model.onnx. */
  readonly quantized?: boolean | undefined
}

const BUILTIN: EmbedderConfig = { kind: 'builtin' }

/** Every name `embedder:` may have beside `kind`, and what its value must be. */
const FIELDS: Readonly<Record<Exclude<keyof EmbedderConfig, 'kind'>, 'text' | 'count' | 'flag'>> = {
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
const WANTED = { text: 'a text', count: 'a whole number from 1 to 100000', flag: 'true or false' }

/** No model known gives longer vectors: more is a slip of the keyboard. */
const DIMENSIONS_MAX = 100_000

/** What is chosen for this store; the built-in one where nothing is said. Throws CONFIG_INVALID naming file, line and what is allowed. */
export function readEmbedderConfig({ files, home }: Pick<Store, 'files' | 'home'>): EmbedderConfig {
  if (home === undefined) return BUILTIN // A store of its own belongs to nobody.
  const file = configFile(home)
  const text = files.read(file)?.toString('utf8')
  if (text === undefined) return BUILTIN
  const source = readYaml(text)
  const { value } = source
  if (typeof value !== 'object' || value === null) return BUILTIN // The reader of the whole file reports errors.
  const where = (name?: string): string =>
    `${file}, line ${source.lineAt(name === undefined ? ['embedder'] : ['embedder', name])}`
  return parseEmbedderConfig((value as { readonly embedder?: unknown }).embedder, where)
}

/** A value as a choice; `where` says where a field of it stands, and where it stands itself. Throws CONFIG_INVALID. */
export function parseEmbedderConfig(value: unknown, where: (field?: string) => string): EmbedderConfig {
  if (value === undefined || value === null) return BUILTIN
  const given = typeof value === 'string' ? { kind: value } : value
  if (typeof given !== 'object' || Array.isArray(given))
    throw invalid(`embedder is ${JSON.stringify(value)} in ${where()}`)
  const { kind: named, ...fields } = given as Readonly<Record<string, unknown>>
  const kind = EMBEDDER_KINDS.find((one) => one === named)
  if (!kind) throw invalid(`the embedder's kind is ${JSON.stringify(named ?? null)} in ${where('kind')}`)
  for (const [name, said] of Object.entries(fields)) {
    const wanted = FIELDS[name as keyof typeof FIELDS]
    if (wanted === undefined) {
      throw invalid(
        `embedder.${name} in ${where(name)} is not known`,
        `There is kind, ${Object.keys(FIELDS).join(', ')}`,
      )
    }
    if (!fits(said, wanted)) {
      throw invalid(`embedder.${name} is ${JSON.stringify(said)} in ${where(name)}`, `Use ${WANTED[wanted]}`)
    }
  }
  return { kind, ...fields }
}

/** Writes the choice into config.yaml; whatever else stands there stays as it is, comments too. */
export function writeEmbedderConfig({ files, home }: Store, choice: EmbedderConfig): void {
  if (home === undefined) throw invalid('this store is in no home, so there is no config.yaml to choose in')
  const file = configFile(home)
  const document = parseDocument(files.read(file)?.toString('utf8') ?? '')
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) {
    throw invalid(`${file} cannot be read, so it is not written`, 'Run `memctl doctor`, mend the line it names')
  }
  const { kind, ...fields } = choice
  const told = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (kind !== 'builtin')
    document.set('embedder', told.length === 0 ? kind : Object.fromEntries([['kind', kind], ...told]))
  // `delete` throws on a file without content.
  else if (document.has('embedder')) document.delete('embedder')
  else return
  const empty = isMap(document.contents) && document.contents.items.length === 0 && !document.commentBefore
  files.replace(file, Buffer.from(empty ? '' : String(document)))
}

function fits(value: unknown, wanted: 'text' | 'count' | 'flag'): boolean {
  if (wanted === 'flag') return typeof value === 'boolean'
  if (wanted === 'text') return typeof value === 'string' && value.trim() !== ''
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= DIMENSIONS_MAX
}

const invalid = (what: string, hint = `Use one of ${EMBEDDER_KINDS.join(', ')}`): MemoryError =>
  new MemoryError('CONFIG_INVALID', what, { hint: `${hint}, or remove the line for the built-in embedder.` })
