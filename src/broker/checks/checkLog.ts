// Checks the log: its files, and every line of them. And the repair of `memctl doctor --log --fix`.
import { findInvalidValues } from '../../model/checkMemory.ts'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { logFileName } from '../../store/log/eventLog.ts'
import { type BrokenLogFile, findBrokenLogFiles } from '../../store/log/logChain.ts'
import { formatLogGaps } from '../../store/log/readLog.ts'
import { type LogRepairResult, repairLog } from '../../store/log/rewriteLog.ts'
import { verifyLog } from '../../store/log/verifyLog.ts'
import { readKnownChain } from '../maintenance/loadFromLog.ts'
import type { Store } from '../open/openStore.ts'
import { findMissingLogFiles } from '../projection/projectionFiles.ts'

/** Invalid values that are named, at most. */
const INVALID_LISTED_MAX = 5

export function checkLog(store: Store, now: number): CheckResult[] {
  const where = store.layout.events
  const invalid: string[] = []
  const log = verifyLog(store.files, where, now, (event, place) => {
    for (const what of findInvalidValues(event)) invalid.push(`${what} (${place})`)
  })
  const missing = findMissingLogFiles(store)
  if (log.files === 0 && missing.length === 0) return [checkPassed('log', 'No events yet', where)]
  const newest = log.newestMs === undefined ? '' : `, the newest of ${new Date(log.newestMs).toISOString()}`
  const truncated = log.truncated > 0 ? `; ${log.truncated} truncated by a crash, never acknowledged and skipped` : ''
  const open =
    log.openBytes > 0 ? `; ${log.openBytes} bytes at its end are not terminated, the next append closes them` : ''
  const checks: CheckResult[] = [
    checkPassed('log', `${log.events} events in ${log.files} files${newest}${truncated}${open}`, where),
  ]
  const fail = (what: string, hint: string): unknown => checks.push(checkProblem('log', 'fail', what, { where, hint }))
  if (missing.length > 0) {
    fail(
      `${formatLogGaps(missing)} is missing`,
      'Run `memctl rebuild --from COPY` with a backup of it. The snapshot still has what was learned there.',
    )
  }
  if (log.corrupt > 0) {
    const places = log.corruptAt.join('; ') + (log.corrupt > log.corruptAt.length ? '; …' : '')
    fail(
      `${log.corrupt} events changed after they were written (${places})`,
      'Check the disk. Restore the lines from a backup, then `memctl rebuild`; ' +
        'or run `memctl doctor --log --fix`, which moves them aside. All other events are valid either way.',
    )
  }
  if (log.damagedFiles.length > 0) {
    fail(
      `${log.damagedFiles.join(', ')} cannot be decompressed`,
      'Restore it from a backup, or run `memctl doctor --log --fix`, which keeps what can still be read.',
    )
  }
  for (const broken of findBroken(store)) fail(...describeBroken(broken))
  if (invalid.length > 0) {
    const listed = invalid.slice(0, INVALID_LISTED_MAX).join('; ')
    const hint = 'memctl goes on with the value before, or a default. `memctl forget ID` removes such a memory.'
    const what = `${invalid.length} values that no memory can have, such as ${listed}`
    checks.push(checkProblem('values', 'warn', what, { where, hint }))
  }
  if (log.newerFiles.length > 0) fail(`A newer memctl wrote ${log.newerFiles.join(', ')}`, 'Update memctl.')
  if (log.inFuture > 0) {
    const hint = 'Set the clock. Until it has passed them, their memories count as new.'
    checks.push(
      checkProblem('clock', 'warn', `${log.inFuture} events are later than this machine's clock`, { where, hint }),
    )
  }
  return checks
}

/** Files that are not as the snapshot has read them. Missing ones are reported as such. */
function findBroken(store: Store): BrokenLogFile[] {
  const { files, layout } = store
  const log = readKnownChain(store)
  const broken = log ? findBrokenLogFiles(files, layout.events, log, false) : []
  return broken.filter(({ state }) => state !== 'missing')
}

function describeBroken({ file, bytes, state }: BrokenLogFile): [what: string, hint: string] {
  const name = logFileName(file)
  const read = `the ${bytes} bytes that the snapshot has read`
  const what =
    state === 'shorter'
      ? `${name} is shorter than ${read}`
      : state === 'foreign'
        ? `${name} has none of the events that the snapshot has read: it is of another store`
        : `${name} changed within ${read}`
  return [what, `The snapshot still has all memories. ${REPAIR}`]
}

const REPAIR =
  'Run `memctl rebuild --from COPY` with a backup of the log. ' +
  '`memctl rebuild --incomplete` goes on without what is damaged.'

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
