// The part of the config that hooks need, as config.json beside config.yaml: a hook parses no YAML.
//
// The file exists only while a value differs from its default, so that most hooks only check that it is missing
// (11 µs in a cold process). compileConfig.ts writes it.
import { readJson } from '../../store/disk/readJson.ts'
import type { SyncMode } from '../../store/log/eventLog.ts'
import type { Store } from './openStore.ts'

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
function readHookConfig({ files, home }: Store): Partial<HookConfig> | undefined {
  if (home === undefined || files.size(hookConfigFile(home)) === undefined) return undefined
  try {
    return readJson<Partial<HookConfig>>(files, hookConfigFile(home))
  } catch {
    return undefined
  }
}
