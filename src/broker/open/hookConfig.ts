// The part of the config that hooks need, as config.json beside config.yaml: a hook parses no YAML.
//
// The file exists only while a value differs from its default, so that most hooks only check that it is missing
// (11 µs in a cold process). configFile.ts writes it.
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from '../../store/disk/files.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import type { SyncMode } from '../../store/log/eventLog.ts'
import type { Environment, Store } from './openStore.ts'

/** What happens before a call that is known to fail: `inject` injects a warning, `block` also blocks the call once. */
export const WARNING_MODES = ['inject', 'block'] as const

/**
 * What the person sees of injected notes: `brief` is one line at a start, a prompt, a compaction and a failure; `full`
 * is also a line for each note, and calls; `off` is nothing.
 */
export const SHOW_MODES = ['brief', 'full', 'off'] as const
export type ShowMode = (typeof SHOW_MODES)[number]

export interface HookConfig {
  readonly log: { readonly sync: SyncMode }
  readonly warnings: (typeof WARNING_MODES)[number]
  readonly show: ShowMode
}

export const hookConfigFile = (home: string): string => `${home}/config.json`

export const configFile = (home: string): string => `${home}/config.yaml`

/** The text of config.yaml; undefined if there is none. Throws CONFIG_INVALID where to read it could wait forever. */
export function readConfigText(files: Files, home: string): string | undefined {
  const file = configFile(home)
  const target = files.realPath(file)
  if (target !== undefined && files.permissions(target)?.kind === 'other') {
    throw new MemoryError('CONFIG_INVALID', `${file} is a named pipe or a device, not a file`, {
      hint: 'Remove it, or put a file there.',
    })
  }
  return files.read(file)?.toString('utf8')
}

/** Whether there is a config to compile or to remove. Check this first: loading a YAML parser is slow for a worker. */
export const hasUserConfig = ({ files, home }: Store): boolean =>
  home !== undefined && [configFile(home), hookConfigFile(home)].some((file) => files.size(file) !== undefined)

/** Whether appends to this store's log are flushed to disk at once, or at the end of a session. */
export const readSyncChoice = (store: Store): SyncMode =>
  readHookConfig(store)?.log?.sync === 'always' ? 'always' : 'session'

/** Whether a call that is known to fail is blocked once. */
export const blocksKnownFailures = (store: Store): boolean => readHookConfig(store)?.warnings === 'block'

/** What the person sees of injected notes. */
export function readShowChoice(store: Store): ShowMode {
  const show = readHookConfig(store)?.show
  return show === 'full' || show === 'off' ? show : 'brief'
}

/** The values that differ from the defaults. A corrupt file counts as missing: the next worker rewrites it. */
const readHookConfig = ({ files, home }: Store): Partial<HookConfig> | undefined =>
  home === undefined ? undefined : readJsonIfIntact(files, hookConfigFile(home))

// What the person has answered on whether Claude may read finished sessions, without a YAML parser: for hooks and the
// worker.
//
//   config.yaml  distill: …   by `memctl init`, `/memctl:read-sessions` or by hand
//   reading.plugin  yes, no   in the plugin's settings; config.yaml counts more
//
// Only hooks of the plugin get its settings from the client. The worker that they start keeps the answer for commands.

interface Place {
  readonly files: Files
  readonly home: string
}

/** Whether there is an answer. */
export const hasReadingChoice = (place: Place): boolean =>
  isReadingConfigured(place) || readPluginAnswer(place) !== undefined

/** Whether config.yaml has one. A file that cannot be read may have one: commands report it, and a start goes on. */
export function isReadingConfigured({ files, home }: Place): boolean {
  try {
    return /^distill\s*:/m.test(readConfigText(files, home) ?? '')
  } catch {
    return true
  }
}

/** Whether a model may be configured. Check this first: loading a YAML parser is slow for a worker. */
export const mayHaveReader = (store: Store): boolean =>
  hasUserConfig(store) ||
  (store.home !== undefined && readPluginAnswer({ files: store.files, home: store.home }) === true)

/** The answer in the plugin's settings, as its hooks get it; undefined where there is none. */
export function pluginAnswerFrom(env: Environment): boolean | undefined {
  const value = env['CLAUDE_PLUGIN_OPTION_READ_SESSIONS']
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** The answer that was kept; undefined if there is none. */
export function readPluginAnswer({ files, home }: Place): boolean | undefined {
  const text = files.read(pluginAnswerFile(home))?.toString('utf8')
  return text === undefined ? undefined : text.trim() === 'yes'
}

/** Keeps the answer. Without one the kept answer goes: the plugin was removed, or its setting. */
export function keepPluginAnswer({ files, home }: Place, answer: boolean | undefined): void {
  if (readPluginAnswer({ files, home }) === answer) return
  if (answer === undefined) files.remove(pluginAnswerFile(home))
  else files.replace(pluginAnswerFile(home), Buffer.from(answer ? 'yes\n' : 'no\n'))
}

const pluginAnswerFile = (home: string): string => `${home}/reading.plugin`
