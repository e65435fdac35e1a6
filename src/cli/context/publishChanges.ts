// After a command has changed memories: other commands, hooks and session starts see it.
import path from 'node:path'
import type { Store } from '../../broker/open/openStore.ts'
import { readPackageInfo } from './packageInfo.ts'

/**
 * Writes the snapshot. If another process holds the lock, a worker does it when that process is done: nothing is lost,
 * because the change is in the log.
 */
export async function publishChanges(store: Store, now: number): Promise<void> {
  const { runMaintenance } = await import('../../broker/maintenance/maintenance.ts')
  if (!runMaintenance(store, { now, sessions: [] }).busy) return
  // A worker finds the store of a project, not one in any folder.
  if (store.home === undefined) return
  const { spawnDetached } = await import('../../hook/spawnDetached.ts')
  spawnDetached([path.join(readPackageInfo().root, 'dist', 'watchdog.cjs'), store.project.root, 'recent'])
}
