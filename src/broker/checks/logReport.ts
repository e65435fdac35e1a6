// The state and the repair of the log, for `memctl doctor --log`. doctor's check of the log is in checkLog.ts.
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import type { SyncMode } from '../../store/log/eventLog.ts'
import { type LogRepairResult, repairLog } from '../../store/log/repairLog.ts'
import { type LogIntegrity, verifyLog } from '../../store/log/verifyLog.ts'
import { readSyncChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** The state of a log. */
export interface LogReport {
  /** Every acknowledged event can be read. Truncated lines were never acknowledged. */
  readonly intact: boolean
  readonly folder: string
  /** When hooks sync an append to the disk. */
  readonly sync: SyncMode
  readonly log: LogIntegrity
  /** What to do, the most urgent first; empty if there is no problem. */
  readonly hints: readonly string[]
}

/** Reads the whole log and changes nothing; `now` in milliseconds since 1970. */
export function inspectLog(store: Store, now: number): LogReport {
  const log = verifyLog(store.files, store.layout.events, now)
  return {
    intact: log.corrupt === 0 && log.damagedFiles.length === 0 && log.newerFiles.length === 0,
    folder: store.layout.events,
    sync: readSyncChoice(store),
    log,
    hints: listHints(log),
  }
}

function listHints({ newerFiles, damagedFiles, corrupt, truncated }: LogIntegrity): string[] {
  const hints: string[] = []
  if (newerFiles.length > 0) hints.push(`A newer memctl wrote ${newerFiles.join(', ')}: update memctl.`)
  if (damagedFiles.length > 0) {
    hints.push(
      `${damagedFiles.join(', ')} cannot be decompressed: restore it from a backup, ` +
        'or run `memctl doctor --log --fix`, which keeps what can still be read.',
    )
  }
  if (corrupt > 0) {
    hints.push(
      'Bytes changed after they were written: check the disk. Restore the lines from a backup, ' +
        'or run `memctl doctor --log --fix`, which moves them aside; all other events are valid either way.',
    )
  }
  if (truncated > 0) {
    hints.push(
      'Truncated lines were never acknowledged and are skipped: no action needed. ' +
        '`memctl doctor --log --fix` moves them aside.',
    )
  }
  return hints
}

/**
 * Moves truncated and corrupt bytes out of the log; with `dryRun` it only lists them. Throws STORE_BUSY while another
 * process organizes.
 */
export async function repairStoreLog(store: Store, now: number, dryRun: boolean): Promise<LogRepairResult> {
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) throw storeBusyError()
  try {
    return await repairLog(store.files, store.layout.events, now, dryRun)
  } finally {
    lock.release()
  }
}
