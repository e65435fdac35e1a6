// The thread that writes derived files for a program that closes a store: see derivedFiles.ts.
import { setTimeout } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import type { DueWork } from '../broker/live/liveStore.ts'
import { runMaintenance } from '../broker/maintenance/maintenance.ts'
import { refreshRecentSoon } from '../broker/maintenance/refreshRecent.ts'
import type { Store } from '../broker/open/openStore.ts'
import { realDisk } from '../store/disk/files.ts'
import { storeLayout } from '../store/disk/paths.ts'

/** What the thread is to do: only data. */
export interface DerivedFilesTask {
  readonly place: Omit<Store, 'files' | 'layout'>
  /** The folder of the store. */
  readonly folder: string
  readonly work: DueWork
  /** Milliseconds since 1970. */
  readonly now: number
}

/** How long it waits for the lock, in milliseconds. Then it is left to the next session's start. */
const WAIT_MS_MAX = 1_000

const { place, folder, work, now } = workerData as DerivedFilesTask
const store: Store = { ...place, files: realDisk, layout: storeLayout(folder) }
if (work === 'snapshot') runMaintenance(store, { now, sessions: [] })
else {
  let waitedMs = 0
  const pause = async (ms: number): Promise<void> => {
    waitedMs += ms
    if (waitedMs > WAIT_MS_MAX) throw new Error('another process holds the lock')
    await setTimeout(ms)
  }
  void refreshRecentSoon(store, () => now, pause)
}
