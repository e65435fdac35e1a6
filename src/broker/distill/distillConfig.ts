// Whether a model may read finished sessions, and which one: the setting, and how the answer of the person is stored.
import { SERVICES } from '../../distill/models/askService.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { readConfigSection, type SectionFields, setConfigValue } from '../open/configFile.ts'
import { configFile, readPluginAnswer } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** docs/distill.md says what each field means. */
const SECTION = {
  name: 'distill',
  /** claude: the user's own client. anthropic, openai: a service over HTTP. */
  choice: { name: 'by', of: ['claude', 'anthropic', 'openai'] },
  fields: {
    model: 'text',
    /** claude: the program, `claude` by default. */
    command: 'text',
    /** anthropic, openai: the address of the service. */
    endpoint: 'text',
    /** anthropic, openai: the name of the environment variable with the key, so that the key is in no file. */
    keyEnv: 'text',
    /** Calls a day (UTC), over all projects. */
    perDay: [0, 10_000],
    /** Tokens a day (UTC), input and output, over all projects. */
    tokensPerDay: [0, 1_000_000_000],
    /** Time limit of one call: a worker may wait for a model at most two minutes. */
    timeoutSeconds: [1, 120],
    /** Tokens of one session's digest, at most. */
    digestTokens: [500, 100_000],
  },
  mayBeFalse: true,
  without: 'use no model',
} as const

export type DistillConfig = SectionFields<typeof SECTION> &
  Readonly<typeof DEFAULTS> & { readonly by: (typeof SECTION)['choice']['of'][number] }

const DEFAULTS = { perDay: 20, tokensPerDay: 300_000, timeoutSeconds: 90, digestTokens: 4_500 }

/** The length of a digest where no model is configured: `memctl organize --distill --print-digest`. */
export const DIGEST_TOKENS = DEFAULTS.digestTokens

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
  const section = readConfigSection(files, home, SECTION)
  if (section === undefined) return readPluginAnswer({ files, home }) ? { ...DEFAULTS, by: 'claude' } : undefined
  return section ? { ...DEFAULTS, by: section.chosen, ...section.fields } : undefined
}

/** The model that is asked: a small one, unless another is configured. */
export const modelOf = ({ by, model }: DistillConfig): string =>
  model ?? (by === 'claude' ? 'haiku' : SERVICES[by].model)

/** The environment variable that has the key; undefined for the client, which has its own login. */
export function keyVariable({ by, keyEnv }: DistillConfig): string | undefined {
  return by === 'claude' ? undefined : (keyEnv ?? SERVICES[by].keyEnv)
}

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
