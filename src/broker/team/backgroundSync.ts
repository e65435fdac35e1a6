// The exchange with the hub after a session, in a process of its own: the last step of a worker.
import { SYNC_BUDGET_MS } from '../../model/limits.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { readHubConfig } from '../hub/hubConfig.ts'
import { hasUserConfig } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { syncProjects } from './syncProject.ts'
import { readTeam } from './teamStore.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface BackgroundProcess {
  readonly env: Env
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Makes a random UUID. */
  readonly newId: () => string
  /** When the process is ended, in milliseconds since 1970. */
  readonly endMs: number
}

/** Time at the end in which no batch begins, in milliseconds: the longest statement, and the snapshot. */
const RESERVE_MS = SYNC_BUDGET_MS / 4

/** Whether a hub is configured and this project shares its memories there. */
export function isSyncDue(store: Store, env: Env): boolean {
  if (!hasUserConfig(store) && !env['MEMCTL_DATABASE_URL']) return false
  if (readHubConfig(store.home, env, store.files) === undefined) return false
  const team = readTeam(store)
  return team !== undefined && (!team.hasLeft || team.waiting > 0)
}

/** Exchanges what is new. What goes wrong is in hub.json; another process that does it is waited for. */
export async function syncInBackground(store: Store, { env, now, newId, endMs }: BackgroundProcess): Promise<void> {
  const config = readHubConfig(store.home, env, store.files)
  if (config === undefined) return
  const deadline = endMs - RESERVE_MS
  const { openHub } = await import('./openHub.ts')
  try {
    const open = (hub: typeof config) => openHub(hub, env)
    await syncProjects([store], { config, openHub: open, now, newId, deadline, lockDeadline: deadline })
  } catch (error) {
    // Another process is at it for that long: the next session's end sends what is left.
    if (!(error instanceof MemoryError && error.code === 'STORE_BUSY')) throw error
  }
}
