// Exchanges projects with the configured hub: one process at a time, and hub.json says how it ended.
import { MemoryError } from '../../model/memoryError.ts'
import { acquireLock, type StoreLock } from '../../store/disk/lock.ts'
import type { Hub } from '../../team/hub.ts'
import type { HubConfig } from '../hub/hubConfig.ts'
import type { Store } from '../open/openStore.ts'
import { type HubFault, hubLockFile, writeHubResult } from './hubResult.ts'
import { type SyncOptions, type SyncReport, syncStore } from './syncStore.ts'

export interface ProjectSyncOptions extends Omit<SyncOptions, 'hub' | 'versions' | 'name'> {
  readonly config: HubConfig
  /** Opens the hub; that of PostgreSQL outside of tests. */
  readonly openHub: (config: HubConfig) => Promise<OpenedHub>
  /** Waits for another process until this time, in milliseconds since 1970. */
  readonly lockDeadline?: number | undefined
}

export interface OpenedHub extends Pick<SyncOptions, 'versions'> {
  readonly hub: Hub
}

/** How the exchange of one project ended. */
export interface ProjectSync {
  readonly store: Store
  /** Undefined if it could not be begun, or broke off. */
  readonly report?: SyncReport | undefined
  readonly fault?: HubFault | undefined
}

/** Wait between two tries to take the lock, in milliseconds. */
const LOCK_WAIT_MS = 500

/**
 * Exchanges these projects, one after the other. A hub that cannot be reached ends it: the others would fail too. What
 * went wrong is in the results and in hub.json. Throws STORE_BUSY while another process does it.
 */
export async function syncProjects(stores: readonly Store[], options: ProjectSyncOptions): Promise<ProjectSync[]> {
  const [first] = stores
  if (first === undefined) return []
  const lock = await waitForLock(first, options)
  let opened: OpenedHub | undefined
  try {
    const results: ProjectSync[] = []
    for (const store of stores) {
      const begun = await tryTo(async () => {
        opened ??= await options.openHub(options.config)
        return syncStore(store, { ...options, ...opened, name: options.config.name })
      })
      const { value: report } = begun
      const fault = begun.fault ?? (report?.fault && describeFault(report.fault))
      const at = new Date(options.now()).toISOString()
      writeHubResult(store, { at, sent: report?.sent ?? 0, received: report?.received ?? 0, ...(fault && { fault }) })
      results.push({ store, report, ...(fault && { fault }) })
      if (opened === undefined || begun.fault?.code === 'DATABASE_UNREACHABLE') break
    }
    return results
  } finally {
    lock.release()
    await opened?.hub.close()
  }
}

async function waitForLock({ files, home }: Store, options: ProjectSyncOptions): Promise<StoreLock> {
  if (home === undefined)
    throw new MemoryError('CONFIG_INVALID', 'this store is in no home, so it has no hub', {
      hint: 'Name a project: `memctl hub sync --project DIR`.',
    })
  for (;;) {
    const lock = acquireLock(files, hubLockFile(home))
    if (lock) return lock
    if (options.now() >= (options.lockDeadline ?? 0))
      throw new MemoryError('STORE_BUSY', 'Another process exchanges changes with the hub', {
        hint: 'Wait for it, a minute at most, then try again.',
      })
    await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS))
  }
}

interface Attempt<T> {
  readonly value?: T
  readonly fault?: HubFault
}

async function tryTo<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { fault: describeFault(error) }
  }
}

/** Any error as a person reads it. What has no code is a bug, and is reported like one. */
function describeFault(error: unknown): HubFault {
  const { code, message, hint } = (error ?? {}) as Partial<Record<keyof HubFault, unknown>>
  return {
    code: typeof code === 'string' ? code : 'DATABASE_ERROR',
    message: typeof message === 'string' ? message : String(error),
    hint: typeof hint === 'string' ? hint : 'Run `memctl hub sync` to see whether it happens again.',
  }
}
