// The care of the log: what lines it has, what is wrong with any of them, the hint, and mending what can be mended.

import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import type { SyncMode } from '../../store/log/eventLog.ts'
import { type LogRepairResult, repairLog } from '../../store/log/repairLog.ts'
import { type LogIntegrity, verifyLog } from '../../store/log/verifyLog.ts'
import { readSyncChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** The state of a log. */
export interface LogReport {
  /** Nothing to hint: every event ever acknowledged can be read. */
  readonly intact: boolean
  readonly folder: string
  /** When the disk is waited for, as hooks have it now. */
  readonly sync: SyncMode
  readonly log: LogIntegrity
  /** What to do, the worst first; empty where all is well. */
  readonly hints: readonly string[]
}

/** Reads the whole log and changes nothing; `now` in milliseconds since 1970. */
export function inspectLog(store: Store, now: number): LogReport {
  const log = verifyLog(store.files, store.layout.events, now)
  const mends = mendsFor(log)
  const sound = log.corrupt === 0 && log.damagedFiles.length === 0 && log.newerFiles.length === 0
  return { intact: sound, folder: store.layout.events, sync: readSyncChoice(store), log, hints: mends }
}

function mendsFor(log: LogIntegrity): string[] {
  const mends: string[] = []
  if (log.newerFiles.length > 0) mends.push(`A newer memctl wrote ${log.newerFiles.join(', ')}: update memctl.`)
  if (log.damagedFiles.length > 0) {
    mends.push(
      `${log.damagedFiles.join(', ')} cannot be unpacked: put it back from a backup, or run \`memctl log repair\`, which keeps what can still be read.`,
    )
  }
  if (log.corrupt > 0) {
    mends.push(
      'Bytes changed after they were written: look after the disk. Put the lines back from a backup, or run `memctl log repair`, which moves them out of the way; all other events count either way.',
    )
  }
  if (log.truncated > 0) {
    mends.push(
      'Torn lines were never acknowledged and are stepped over: nothing needs to be done. `memctl log repair` moves them out of the way.',
    )
  }
  return mends
}

/** Moves torn and rotten bytes out of the log; with `dryRun` it only says which. Throws STORE_BUSY while somebody organises. */
export async function repairStoreLog(store: Store, now: number, dryRun: boolean): Promise<LogRepairResult> {
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) throw storeBusyError()
  try {
    return await repairLog(store.files, store.layout.events, now, dryRun)
  } finally {
    lock.release()
  }
}
