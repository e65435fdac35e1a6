// The care of the log: what lines it has, what is wrong with any of them, the mend, and mending what can be mended.
import { storeBusy } from '../../store/busy.ts'
import { takeLock } from '../../store/lock.ts'
import { type LogRepair, repairLog } from '../../store/logRepair.ts'
import type { SyncChoice } from '../../store/logSync.ts'
import { type LogSurvey, surveyLog } from '../../store/survey.ts'
import { syncChoice } from '../hookConfig.ts'
import type { Store } from '../store.ts'

/** How a log stands. */
export interface LogCheck {
  /** Nothing to mend: every event ever acknowledged can be read. */
  readonly sound: boolean
  readonly folder: string
  /** When the disk is waited for, as hooks have it now. */
  readonly sync: SyncChoice
  readonly log: LogSurvey
  /** What to do, the worst first; empty where all is well. */
  readonly mends: readonly string[]
}

/** Reads the whole log and changes nothing; `now` in milliseconds since 1970. */
export function checkLog(store: Store, now: number): LogCheck {
  const log = surveyLog(store.files, store.layout.events, now)
  const mends = mendsFor(log)
  const sound = log.rotten === 0 && log.damagedFiles.length === 0 && log.newerFiles.length === 0
  return { sound, folder: store.layout.events, sync: syncChoice(store), log, mends }
}

function mendsFor(log: LogSurvey): string[] {
  const mends: string[] = []
  if (log.newerFiles.length > 0) mends.push(`A newer memctl wrote ${log.newerFiles.join(', ')}: update memctl.`)
  if (log.damagedFiles.length > 0) {
    mends.push(
      `${log.damagedFiles.join(', ')} cannot be unpacked: put it back from a backup, or run \`memctl log repair\`, which keeps what can still be read.`,
    )
  }
  if (log.rotten > 0) {
    mends.push(
      'Bytes changed after they were written: look after the disk. Put the lines back from a backup, or run `memctl log repair`, which moves them out of the way; all other events count either way.',
    )
  }
  if (log.torn > 0) {
    mends.push(
      'Torn lines were never acknowledged and are stepped over: nothing needs to be done. `memctl log repair` moves them out of the way.',
    )
  }
  return mends
}

/** Moves torn and rotten bytes out of the log; with `dryRun` it only says which. Throws STORE_BUSY while somebody organises. */
export async function repair(store: Store, now: number, dryRun: boolean): Promise<LogRepair> {
  const lock = takeLock(store.files, store.layout.lock)
  if (!lock) throw storeBusy()
  try {
    return await repairLog(store.files, store.layout.events, now, dryRun)
  } finally {
    lock.release()
  }
}
