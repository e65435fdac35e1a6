// Exchanges projects with the configured hub: one process at a time, and hub.json says how it ended. In the background
// it is the last step of a worker, in a process of its own.

import { randomUUID } from 'node:crypto'
import { SYNC_BUDGET_MS } from '../../model/limits.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { acquireLock, type StoreLock } from '../../store/disk/lock.ts'
import { type HubConfig, readHubConfig, requireHubConfig } from '../hub/hubConfig.ts'
import { hasUserConfig } from '../open/hookConfig.ts'
import type { Environment, Store } from '../open/openStore.ts'
import { type HubFault, hubLockFile, isInTeam, readTeam, writeHubResult } from './hubStatus.ts'
import { retryWhileBusy } from './membership.ts'
import { type OpenedHub, type SyncOptions, type SyncReport, syncStore } from './syncStore.ts'

export interface ProjectSyncOptions extends Omit<SyncOptions, 'hub' | 'versions' | 'name'> {
  /** Where MEMCTL_DATABASE_URL is looked up. */
  readonly env: Environment
  /** Opens the hub; that of PostgreSQL outside of tests. */
  readonly openHub: (config: HubConfig) => Promise<OpenedHub>
  /** Waits for another process until this time, in milliseconds since 1970. */
  readonly lockDeadline?: number | undefined
}

/** How the exchange of one project ended. */
export interface ProjectSync {
  readonly store: Store
  /** Undefined if it could not be begun, or broke off. */
  readonly report?: SyncReport | undefined
  readonly fault?: HubFault | undefined
}

/**
 * Exchanges these projects, one after the other. A hub that cannot be reached ends it: the others would fail too. What
 * went wrong is in the results and in hub.json. Throws STORE_BUSY while another process does it.
 */
export async function syncProjects(stores: readonly Store[], options: ProjectSyncOptions): Promise<ProjectSync[]> {
  const [first] = stores
  if (first === undefined) return []
  const lock = await waitForLock(first, options)
  const hubs = new Map<string, OpenedHub>()
  const openFor = async (store: Store): Promise<OpenedHub & Pick<HubConfig, 'name'>> => {
    const config = requireHubConfig(store, options.env, readTeam(store)?.project)
    const opened = hubs.get(config.url) ?? (await options.openHub(config))
    hubs.set(config.url, opened)
    return { ...opened, name: config.name }
  }
  try {
    const results: ProjectSync[] = []
    for (const store of stores) {
      let report: SyncReport | undefined
      let error: unknown
      try {
        report = await syncStore(store, { ...options, ...(await openFor(store)) })
        error = report.fault
      } catch (reason) {
        error = reason
      }
      const fault = error === undefined ? undefined : describeFault(error)
      const { waiting, reviews, canWrite } = report ?? {}
      const at = new Date(options.now()).toISOString()
      writeHubResult(store, { at, waiting, reviews, canWrite, ...(fault && { fault }) })
      results.push({ store, report, ...(fault && { fault }) })
      if (/UNREACHABLE|DRIVER/.test(fault?.code ?? '')) break
    }
    return results
  } finally {
    lock.release()
    for (const { hub } of hubs.values()) await hub.close()
  }
}

function waitForLock({ files, home }: Store, { now, lockDeadline = 0 }: ProjectSyncOptions): Promise<StoreLock> {
  if (home === undefined)
    throw new MemoryError('CONFIG_INVALID', 'this store is in no home, so it has no hub', {
      hint: 'Name a project: `memctl hub sync --project DIR`.',
    })
  const take = (): StoreLock => {
    const lock = acquireLock(files, hubLockFile(home))
    if (lock) return lock
    throw new MemoryError('STORE_BUSY', 'Another process exchanges changes with the hub', {
      hint: 'Wait for it, a minute at most, then try again.',
    })
  }
  return retryWhileBusy(take, () => now() >= lockDeadline)
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

/** Time at the end in which no batch begins, in milliseconds: the longest statement, and the snapshot. */
const RESERVE_MS = SYNC_BUDGET_MS / 4

/** Whether a hub is configured and this project shares its memories there. */
export function isSyncDue(store: Store, env: Environment): boolean {
  if (!hasUserConfig(store) && !env['MEMCTL_DATABASE_URL']) return false
  const team = readTeam(store)
  return isInTeam(team) && readHubConfig(store, env, team.project) !== undefined
}

/** Exchanges what is new, waits for others that do, and ends before `endMs`. What goes wrong is in hub.json. */
export async function syncInBackground(store: Store, env: Environment, now: () => number, endMs: number) {
  const deadline = endMs - RESERVE_MS
  try {
    const open = (hub: HubConfig) => openHub(hub, env)
    const options = { env, openHub: open, now, newId: newMachineId, deadline, lockDeadline: deadline }
    await syncProjects([store], options)
  } catch (error) {
    // Another process is at it for that long: the next session's end sends what is left.
    if (!(error instanceof MemoryError && error.code === 'STORE_BUSY')) throw error
  }
}

// Opens the configured hub. The driver of the database is loaded here, and nowhere before.

/** A statement that takes longer is given up, in milliseconds: a slow hub must not hold the background process. */
const STATEMENT_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 8_000

/** The hub on PostgreSQL; nothing is sent before its first call. Throws DATABASE_DRIVER_MISSING and INPUT_INVALID. */
export async function openHub({ url }: Pick<HubConfig, 'url'>, env: Environment): Promise<OpenedHub> {
  const [{ openDatabase }, { createPostgresHub, HUB_VERSIONS }] = await Promise.all([
    import('../../database/database.ts'),
    import('../../database/postgresHub.ts'),
  ])
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS, retries: 1 }
  const database = await openDatabase({ url, env, minConnections: 0, maxConnections: 2, ...limits })
  return { hub: createPostgresHub(database), versions: HUB_VERSIONS }
}

/** The id of a copy of a store: a random UUID, so that no two copies have the same. */
export const newMachineId = (): string => randomUUID()
