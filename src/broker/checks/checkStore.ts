// Checks a store: log, snapshot, sessions, entries, config, policy, lock and faults. It changes nothing.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { systemErrorCode } from '../../store/disk/files.ts'
import { ioErrorHint } from '../../store/disk/ioErrorHint.ts'
import { isOwnerAlive, readLockOwner } from '../../store/disk/lock.ts'
import { formatLogGaps } from '../../store/log/logFiles.ts'
import { verifyLog } from '../../store/log/verifyLog.ts'
import type { Store } from '../open/openStore.ts'
import { findMissingLogFiles } from '../projection/applyLogTail.ts'
import { parseFault } from '../queries/storeStatus.ts'
import { checkConfig } from './checkConfig.ts'
import { checkEntries } from './checkEntries.ts'
import { checkPolicy } from './checkPolicy.ts'
import { checkSessions } from './checkSessions.ts'
import { checkSnapshot } from './checkSnapshot.ts'

/** Faults reported, at most, and the age up to which a fault counts, in milliseconds. */
const FAULTS_REPORTED_MAX = 3
const FAULTS_COUNT_MS = 7 * 86_400_000

/** Runs every check at `now`, in milliseconds since 1970. Throws nothing: a check that throws has failed. */
export function checkStore(store: Store, now: number): CheckResult[] {
  const { layout } = store
  return [
    ...runCheck('store', layout.folder, () => checkPlaces(store)),
    ...runCheck('log', layout.events, () => checkLog(store, now)),
    ...runCheck('snapshot', layout.manifest, () => checkSnapshot(store)),
    ...runCheck('sessions', layout.events, () => checkSessions(store, now)),
    ...runCheck('entries', store.project.root, () => checkEntries(store)),
    ...runCheck('config', store.home ?? layout.folder, () => checkConfig(store)),
    ...runCheck('policy', layout.policy, () => checkPolicy(store)),
    ...runCheck('lock', layout.lock, () => [checkLock(store)]),
    ...runCheck('faults', layout.faults, () => [checkFaults(store, now)]),
  ]
}

/** What `look` finds; what it throws is a check that failed, with the error's own hint. */
export function runCheck(name: string, where: string, look: () => CheckResult[]): CheckResult[] {
  try {
    return look()
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    const known = error instanceof MemoryError ? error.hint : ioErrorHint(systemErrorCode(error))
    return [
      checkProblem(name, 'fail', what, {
        where,
        hint: known ?? 'This is a bug in memctl: please report it with this line.',
      }),
    ]
  }
}

/** Elsewhere a file in the place of a folder counts as an empty folder; only this check reports it. */
function checkPlaces({ files, layout, project }: Store): CheckResult[] {
  const folders = [layout.folder, layout.events, layout.segments, layout.vectors]
  const found = folders.filter((folder) => isFile(folder))
  if (found.length === 0) return [checkPassed('store', `${project.name}-${project.id}`, layout.folder)]
  return found.map((where) =>
    checkProblem('store', 'fail', 'A file is in the place of a folder', {
      where,
      hint: 'Move it away; memctl creates the folder.',
    }),
  )

  function isFile(folder: string): boolean {
    try {
      files.readAt(folder, 0, 1)
      return files.size(folder) !== undefined
    } catch (error) {
      if (systemErrorCode(error) === 'EISDIR') return false
      throw error
    }
  }
}

function checkLog(store: Store, now: number): CheckResult[] {
  const { files, layout } = store
  const log = verifyLog(files, layout.events, now)
  const where = layout.events
  const missing = findMissingLogFiles(store)
  if (log.files === 0 && missing.length === 0) return [checkPassed('log', 'No events yet', where)]
  const newest = log.newestMs === undefined ? '' : `, the newest of ${new Date(log.newestMs).toISOString()}`
  const truncated = log.truncated > 0 ? `; ${log.truncated} truncated by a crash, never acknowledged and skipped` : ''
  const open = log.openBytes > 0 ? `; ${log.openBytes} bytes at its end are not closed, the next event seals them` : ''
  const checks: CheckResult[] = [
    checkPassed('log', `${log.events} events in ${log.files} files${newest}${truncated}${open}`, where),
  ]
  if (missing.length > 0) {
    checks.push(
      checkProblem('log', 'fail', `${formatLogGaps(missing)} is missing`, {
        where,
        hint: 'Restore it from a backup. Do not rebuild before that: the snapshot still has what was learned there.',
      }),
    )
  }
  if (log.corrupt > 0) {
    const places = log.corruptAt.join('; ') + (log.corrupt > log.corruptAt.length ? '; …' : '')
    checks.push(
      checkProblem('log', 'fail', `${log.corrupt} events changed after they were written (${places})`, {
        where,
        hint: 'Check the disk. Restore the lines from a backup, then `memctl rebuild`; all other events are valid either way.',
      }),
    )
  }
  if (log.damagedFiles.length > 0) {
    checks.push(
      checkProblem('log', 'fail', `${log.damagedFiles.join(', ')} cannot be decompressed`, {
        where,
        hint: 'Restore it from a backup, or run `memctl log repair`, which keeps what can still be read.',
      }),
    )
  }
  if (log.newerFiles.length > 0) {
    checks.push(
      checkProblem('log', 'fail', `A newer memctl wrote ${log.newerFiles.join(', ')}`, {
        where,
        hint: 'Update memctl.',
      }),
    )
  }
  if (log.inFuture > 0) {
    checks.push(
      checkProblem('clock', 'warn', `${log.inFuture} events are later than this machine's clock`, {
        where,
        hint: 'Set the clock. Until it has passed them, their memories count as new.',
      }),
    )
  }
  return checks
}

function checkLock({ files, layout }: Store): CheckResult {
  const where = layout.lock
  if (files.size(where) === undefined) return checkPassed('lock', 'Free')
  const owner = readLockOwner(files, where)
  if (!owner) return checkPassed('lock', 'The lock names no owner; the next writer takes it', where)
  const who = `process ${owner.pid}`
  return isOwnerAlive(owner)
    ? checkPassed('lock', `Held by ${who}, which runs`, where)
    : checkPassed('lock', `Left behind by ${who}, which is dead; the next writer takes it over`, where)
}

function checkFaults({ files, layout }: Store, now: number): CheckResult {
  const where = layout.faults
  const lines = (files.read(where)?.toString('utf8') ?? '').split('\n').filter(Boolean)
  const faults = lines
    .flatMap((line) => parseFault(line) ?? [])
    .filter((fault) => now - Date.parse(fault.at) < FAULTS_COUNT_MS)
  if (faults.length === 0) return checkPassed('faults', lines.length === 0 ? 'None' : 'None in the last 7 days')
  const latest = faults.slice(-FAULTS_REPORTED_MAX).reverse()
  const told = latest.map((fault) => `${fault.at} ${fault.where}: ${fault.what}`).join('; ')
  return checkProblem('faults', 'warn', `${faults.length} in the last 7 days. ${told}`, {
    where,
    hint: latest[0]!.hint,
  })
}
