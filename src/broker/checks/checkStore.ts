// Checks a store: log, snapshot, sessions, entries, config, policy, lock and faults. It changes nothing.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { ioErrorHint, systemErrorCode } from '../../store/disk/diskCalls.ts'
import { isOwnerAlive, readLockOwner } from '../../store/disk/lock.ts'
import { isSkipped, readFailedSteps } from '../maintenance/workSteps.ts'
import type { Store } from '../open/openStore.ts'
import { parseFault } from '../queries/storeStatus.ts'
import { checkConfig, checkPolicy } from './checkConfig.ts'
import { checkEntries, checkProjects, checkSessions } from './checkContents.ts'
import { checkFiles } from './checkFiles.ts'
import { checkLog } from './checkLog.ts'
import { checkSnapshot } from './checkSnapshot.ts'

/** Faults reported, at most, and the age up to which a fault counts, in milliseconds. */
const FAULTS_REPORTED_MAX = 3
const FAULTS_COUNT_MS = 7 * 86_400_000

/** Runs every check at `now`, in milliseconds since 1970. Throws nothing: a check that throws has failed. */
export function checkStore(store: Store, now: number): CheckResult[] {
  const { layout } = store
  return [
    ...runCheck('store', layout.folder, () => checkFolders(store)),
    ...runCheck('log', layout.events, () => checkLog(store, now)),
    ...runCheck('snapshot', layout.manifest, () => checkSnapshot(store)),
    ...runCheck('files', layout.folder, () => checkFiles(store)),
    ...runCheck('sessions', layout.events, () => checkSessions(store, now)),
    ...runCheck('projects', layout.folder, () => checkProjects(store)),
    ...runCheck('entries', store.project.root, () => checkEntries(store)),
    ...runCheck('config', store.home ?? layout.folder, () => checkConfig(store)),
    ...runCheck('policy', layout.policy, () => checkPolicy(store)),
    ...runCheck('lock', layout.lock, () => [checkLock(store)]),
    ...runCheck('worker', layout.worker, () => [checkWorker(store, now)]),
    ...runCheck('faults', layout.faults, () => [checkFaults(store, now)]),
  ]
}

/** The results of `check`. If it throws, one failed result with the error's message and hint. */
export function runCheck(name: string, where: string, check: () => CheckResult[]): CheckResult[] {
  try {
    return check()
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    const known = error instanceof MemoryError ? error.hint : ioErrorHint(systemErrorCode(error))
    const hint = known ?? 'This is a bug in memctl: please report it with this line.'
    return [checkProblem(name, 'fail', what, { where, hint })]
  }
}

/** Elsewhere a file in the place of a folder counts as an empty folder; only this check reports it. */
function checkFolders({ files, layout, project }: Store): CheckResult[] {
  const folders = [layout.folder, layout.events, layout.segments, layout.vectors]
  const inTheWay = folders.filter((folder) => isFile(folder))
  if (inTheWay.length === 0) return [checkPassed('store', `${project.name}-${project.id}`, layout.folder)]
  const hint = 'Move it away; memctl creates the folder.'
  return inTheWay.map((where) => checkProblem('store', 'fail', 'A file is in the place of a folder', { where, hint }))

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

/** Steps in which workers had to be ended. */
function checkWorker(store: Store, now: number): CheckResult {
  const failed = readFailedSteps(store)
  if (failed.length === 0) return checkPassed('worker', 'Every step ended by itself')
  const skipped = failed.filter((step) => isSkipped(step, now))
  const list = failed.map(({ step, count, what }) => `${step} (${count} times, because ${what})`).join('; ')
  const session = skipped.find(({ step }) => step.startsWith('session:'))?.step.slice('session:'.length)
  const command = session === undefined ? 'memctl organize' : `memctl organize --session ${session}`
  const hint = `\`${command}\` does it in the foreground, without a limit. It is tried again once a day.`
  const what = `Ended at ${list}${skipped.length > 0 ? '; skipped for a day' : ''}`
  return checkProblem('worker', 'warn', what, { where: store.layout.worker, hint })
}

function checkFaults({ files, layout }: Store, now: number): CheckResult {
  const where = layout.faults
  const lines = (files.read(where)?.toString('utf8') ?? '').split('\n').filter(Boolean)
  const faults = lines
    .flatMap((line) => parseFault(line) ?? [])
    .filter((fault) => now - Date.parse(fault.at) < FAULTS_COUNT_MS)
  const newest = faults.at(-1)
  if (!newest) return checkPassed('faults', lines.length === 0 ? 'None' : 'None in the last 7 days')
  const latest = faults.slice(-FAULTS_REPORTED_MAX).reverse()
  const list = latest.map((fault) => `${fault.at} ${fault.where}: ${fault.what}`).join('; ')
  return checkProblem('faults', 'warn', `${faults.length} in the last 7 days. ${list}`, { where, hint: newest.hint })
}
