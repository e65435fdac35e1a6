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
  const hints = hintsFor(log)
  const sound = log.corrupt === 0 && log.damagedFiles.length === 0 && log.newerFiles.length === 0
  return { intact: sound, folder: store.layout.events, sync: readSyncChoice(store), log, hints: hints }
}

function hintsFor(log: LogIntegrity): string[] {
  const hints: string[] = []
  if (log.newerFiles.length > 0) hints.push(`A newer memctl wrote ${log.newerFiles.join(', ')}: update memctl.`)
  if (log.damagedFiles.length > 0) {
    hints.push(
      `${log.damagedFiles.join(', ')} cannot be decompressed: restore it from a backup, or run \`memctl log repair\`, which keeps what can still be read.`,
    )
  }
  if (log.corrupt > 0) {
    hints.push(
      'Bytes changed after they were written: check the disk. Restore the lines from a backup, or run `memctl log repair`, which moves them aside; all other events are valid either way.',
    )
  }
  if (log.truncated > 0) {
    hints.push(
      'Truncated lines were never acknowledged and are skipped: no action needed. `memctl log repair` moves them aside.',
    )
  }
  return hints
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
