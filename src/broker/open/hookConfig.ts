// What of a person's config the hooks must know, as config.json beside config.yaml: a hook parses no YAML.
//
// The file is there only while a choice differs from what is shipped, so that hooks mostly ask no more than whether it is there
// (11 µs in a cold process). Who writes it is compileConfig.ts.
import { readJson } from '../../store/disk/readJson.ts'
import type { SyncMode } from '../../store/log/eventLog.ts'
import type { Store } from './openStore.ts'

/** What is done about a call that is known to fail: the model is told, or the call is held once. */
export const WARNING_MODES = ['tell', 'hold'] as const

export interface HookConfig {
  readonly log: { readonly sync: SyncMode }
  readonly warnings: (typeof WARNING_MODES)[number]
}

export const hookConfigFile = (home: string): string => `${home}/config.json`

export const configFile = (home: string): string => `${home}/config.yaml`

/** Whether there is anything to compile, or to take back. Asked first: loading a YAML parser costs more than most workers' work. */
export const hasUserConfig = ({ files, home }: Store): boolean =>
  home !== undefined && [configFile(home), hookConfigFile(home)].some((file) => files.size(file) !== undefined)

/** When this store's appends wait for the disk. */
export const readSyncChoice = (store: Store): SyncMode =>
  compiled(store)?.log?.sync === 'always' ? 'always' : 'session'

/** Whether a call that is known to fail is held once. */
export const blocksKnownFailures = (store: Store): boolean => compiled(store)?.warnings === 'hold'

/** What was chosen and is not as shipped. A damaged file counts as none: the next worker writes it anew. */
function compiled({ files, home }: Store): Partial<HookConfig> | undefined {
  if (home === undefined || files.size(hookConfigFile(home)) === undefined) return undefined
  try {
    return readJson<Partial<HookConfig>>(files, hookConfigFile(home))
  } catch {
    return undefined
  }
}
