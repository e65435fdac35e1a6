// Whether a model may read finished sessions, and which one: the setting, and how the answer of the person is stored.
import { SERVICES } from '../../distill/models/askService.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isYamlMapping, readYaml, setConfigValue } from '../open/configFile.ts'
import { configFile, readPluginAnswer } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** claude: the user's own client. anthropic, openai: a service over HTTP. */
const DISTILLERS = ['claude', 'anthropic', 'openai'] as const
type Distiller = (typeof DISTILLERS)[number]

/** docs/distill.md says what each field means. */
export interface DistillConfig {
  readonly by: Distiller
  readonly model?: string | undefined
  /** claude: the program, `claude` by default. */
  readonly command?: string | undefined
  /** anthropic, openai: the address of the service. */
  readonly endpoint?: string | undefined
  /** anthropic, openai: the name of the environment variable with the key, so that the key is in no file. */
  readonly keyEnv?: string | undefined
  /** Calls a day (UTC), over all projects. */
  readonly perDay: number
  /** Tokens a day (UTC), input and output, over all projects. */
  readonly tokensPerDay: number
  /** Time limit of one call. */
  readonly timeoutSeconds: number
  /** Tokens of one session's digest, at most. */
  readonly digestTokens: number
}

const DEFAULTS = { perDay: 20, tokensPerDay: 300_000, timeoutSeconds: 90, digestTokens: 4_500 }

/** The length of a digest where no model is configured: `memctl organize --distill --print-digest`. */
export const DIGEST_TOKENS = DEFAULTS.digestTokens

const TEXT_FIELDS = ['model', 'command', 'endpoint', 'keyEnv'] as const

/** Each number with its range. A worker may wait for a model at most two minutes. */
const NUMBER_FIELDS: Readonly<Record<keyof typeof DEFAULTS, readonly [number, number]>> = {
  perDay: [0, 10_000],
  tokensPerDay: [0, 1_000_000_000],
  timeoutSeconds: [1, 120],
  digestTokens: [500, 100_000],
}

/** The configured model. Throws CONFIG_INVALID if there is none, and as `readDistillConfig`. */
export function requireDistillConfig(store: Pick<Store, 'files' | 'home'>): DistillConfig {
  const config = readDistillConfig(store)
  if (config) return config
  throw new MemoryError('CONFIG_INVALID', 'No model is configured', {
    hint: 'Write `distill: claude` in config.yaml; docs/distill.md has the other models.',
  })
}

/** The configured model; undefined if there is none. Throws CONFIG_INVALID with file, line and value. */
export function readDistillConfig({ files, home }: Pick<Store, 'files' | 'home'>): DistillConfig | undefined {
  if (home === undefined) return undefined // A store outside of any home has no user config.
  const file = configFile(home)
  const source = readYaml(files.read(file)?.toString('utf8') ?? '')
  const config = source.value ?? (source.errors.length === 0 ? {} : undefined)
  if (!isYamlMapping(config)) return undefined // readConfig reports errors in the file.
  if (!Object.hasOwn(config, 'distill'))
    return readPluginAnswer({ files, home }) ? { ...DEFAULTS, by: 'claude' } : undefined
  const where = (field?: string): string =>
    `${file}, line ${source.lineAt(field === undefined ? ['distill'] : ['distill', field])}`
  return parseDistillConfig(config['distill'], where)
}

/** Parses a value. `where` gives the position of one of its fields, or its own, for errors. Throws CONFIG_INVALID. */
function parseDistillConfig(value: unknown, where: (field?: string) => string): DistillConfig | undefined {
  if (value === undefined || value === null || value === false) return undefined
  const mapping = typeof value === 'string' ? { by: value } : value
  if (!isYamlMapping(mapping)) throw invalid(`distill is ${JSON.stringify(value)} in ${where()}`)
  const { by: name, ...fields } = mapping
  const by = DISTILLERS.find((candidate) => candidate === name)
  if (!by) throw invalid(`distill.by is ${JSON.stringify(name ?? null)} in ${where('by')}`)
  for (const [field, setting] of Object.entries(fields)) checkField(field, setting, where)
  return { ...DEFAULTS, by, ...fields }
}

function checkField(field: string, value: unknown, where: (field?: string) => string): void {
  const found = `distill.${field} is ${JSON.stringify(value)} in ${where(field)}`
  if (TEXT_FIELDS.some((name) => name === field)) {
    if (typeof value !== 'string' || value.trim() === '') throw invalid(found, 'Use a text')
    return
  }
  const range = Object.hasOwn(NUMBER_FIELDS, field) ? NUMBER_FIELDS[field as keyof typeof NUMBER_FIELDS] : undefined
  if (!range) {
    const names = ['by', ...TEXT_FIELDS, ...Object.keys(NUMBER_FIELDS)].join(', ')
    throw invalid(`distill.${field} in ${where(field)} is unknown`, `Use ${names}`)
  }
  const [min, max] = range
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
    throw invalid(found, `Use a whole number from ${min} to ${max}`)
}

/** The model that is asked: a small one, unless another is configured. */
export const modelOf = ({ by, model }: DistillConfig): string =>
  model ?? (by === 'claude' ? 'haiku' : SERVICES[by].model)

/** The environment variable that has the key; undefined for the client, which has its own login. */
export function keyVariable({ by, keyEnv }: DistillConfig): string | undefined {
  return by === 'claude' ? undefined : (keyEnv ?? SERVICES[by].keyEnv)
}

const invalid = (what: string, hint = `Use one of ${DISTILLERS.join(', ')}`): MemoryError =>
  new MemoryError('CONFIG_INVALID', what, { hint: `${hint}, or remove the line to use no model.` })

type Home = Pick<Store, 'files'> & { readonly home: string }

/** Tokens that reading a session costs, input and output, as measured: docs/distill.md. */
export const SESSION_TOKENS = 3_400

/** Stores the answer. Throws CONFIG_INVALID if config.yaml is not valid YAML. */
export function setSessionReading({ files, home }: Home, isAllowed: boolean): void {
  if (setConfigValue(files, home, 'distill', isAllowed ? 'claude' : false)) return
  throw new MemoryError('CONFIG_INVALID', `${configFile(home)} is not valid YAML with names at the top`, {
    hint: `Repair it, or add the line \`distill: ${isAllowed ? 'claude' : 'false'}\` by hand.`,
  })
}
