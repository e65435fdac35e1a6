// Checks a store: log, snapshot, sessions, entries, config, policy, lock and faults. It changes nothing.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { MemoryError, messageOf } from '../../model/memoryError.ts'
import { ioErrorHint, systemErrorCode } from '../../store/disk/diskCalls.ts'
import { isOwnerAlive, readLockOwner } from '../../store/disk/lock.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { countBytesAfter, listPlainLogFiles, logFileName } from '../../store/log/eventLog.ts'
import { findChangedSegmentFiles, type Manifest, type SegmentEntry } from '../../store/snapshot/manifest.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { isSkipped, readFailedSteps } from '../maintenance/workSteps.ts'
import type { Store } from '../open/openStore.ts'
import { openProjection } from '../projection/projectionFiles.ts'
import type { SessionStartSnapshot } from '../projection/sessionStartFile.ts'
import { countMemories, readFaults } from '../queries/storeStatus.ts'
import { checkConfig, checkPolicy } from './checkConfig.ts'
import { checkEntries, checkProjects, checkSessions } from './checkContents.ts'
import { checkFiles } from './checkFiles.ts'
import { checkLog } from './checkLog.ts'

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
    const what = messageOf(error)
    const known = error instanceof MemoryError ? error.hint : ioErrorHint(systemErrorCode(error))
    const hint = known ?? 'This is a bug in memctl: please report it with this line.'
    return [checkProblem(name, 'fail', what, { where, hint })]
  }
}

/** Elsewhere a file in the place of a folder counts as an empty folder; only this check reports it. */
function checkFolders({ files, layout, project }: Store): CheckResult[] {
  const folders = [layout.folder, layout.events, layout.segments, layout.vectors]
  const inTheWay = folders.filter((folder) => files.permissions(folder)?.kind === 'file')
  if (inTheWay.length === 0) return [checkPassed('store', `${project.name}-${project.id}`, layout.folder)]
  const hint = 'Move it away; memctl creates the folder.'
  return inTheWay.map((where) => checkProblem('store', 'fail', 'A file is in the place of a folder', { where, hint }))
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

function checkFaults(store: Store, now: number): CheckResult {
  const where = store.layout.faults
  const all = readFaults(store)
  const faults = all.filter((fault) => now - Date.parse(fault.at) < FAULTS_COUNT_MS)
  const newest = faults.at(-1)
  if (!newest) return checkPassed('faults', all.length === 0 ? 'None' : 'None in the last 7 days')
  const latest = faults.slice(-FAULTS_REPORTED_MAX).reverse()
  const list = latest.map((fault) => `${fault.at} ${fault.where}: ${fault.what}`).join('; ')
  return checkProblem('faults', 'warn', `${faults.length} in the last 7 days. ${list}`, { where, hint: newest.hint })
}

const REBUILD = 'Run `memctl rebuild`: the snapshot is rebuilt from the log, nothing is lost.'

/** Throws STORE_INVALID or STORE_NEWER if the manifest cannot be read. */
export function checkSnapshot(store: Store): CheckResult[] {
  const manifest = readManifest(store.files, store.layout)
  if (manifest.generation === 0) return [checkNoSnapshot(store)]
  const { generation, written, segments } = manifest
  const problems = manifest.segments.flatMap((entry) => checkSegment(store, entry))
  // Counted only if every row can be read, and without private memories.
  const memories = problems.length > 0 ? 0 : countMemories(openProjection(store).projection.memories).total
  const what = `Generation ${generation} of ${written}: ${memories} memories in ${segments.length} segments`
  return [
    ...(problems.length > 0 ? problems : [checkPassed('snapshot', what, store.layout.manifest)]),
    ...checkRecent(store, manifest),
    checkLogPosition(store, manifest),
    ...checkSessionStart(store, manifest),
  ]
}

function checkNoSnapshot({ files, layout }: Store): CheckResult {
  return listPlainLogFiles(files, layout.events).length === 0
    ? checkPassed('snapshot', 'None yet: there are no events')
    : checkPassed('snapshot', 'None yet: the first one is written when a session ends', layout.manifest)
}

/** The recent segment. Without it hooks have the snapshot alone, so a problem is a warning. */
function checkRecent(store: Store, { recent }: Manifest): CheckResult[] {
  if (!recent) return []
  const [problem] = recent.memories === 0 ? [] : checkSegment(store, recent)
  if (problem === undefined) {
    const { memories, replaced } = recent
    return [checkPassed('recent segment', `${memories} new or changed memories, ${replaced.length} out of date`)]
  }
  const hint = 'Run `memctl rebuild`, or go on: the next thing that a session learns replaces it.'
  return [checkProblem('recent segment', 'warn', problem.what, { where: problem.where, hint })]
}

/** Problems of a segment: its files must exist, and be as they were written. */
function checkSegment({ files, layout }: Store, entry: SegmentEntry): CheckResult[] {
  const fail = (name: string, what: string): CheckResult[] => [
    checkProblem('snapshot', 'fail', what, { where: `${layout.segments}/${name}`, hint: REBUILD }),
  ]
  const names = [`${entry.name}.txt`, `${entry.name}.idx`, entry.rows]
  const missing = names.find((name) => files.size(`${layout.segments}/${name}`) === undefined)
  if (missing !== undefined) return fail(missing, 'A file of the snapshot is missing')
  const [changed] = findChangedSegmentFiles(files, layout.segments, entry)
  return changed === undefined ? [] : fail(changed, 'It is not as it was written')
}

/** A snapshot ahead of the log means that the log was truncated or restored from a backup. */
function checkLogPosition({ files, layout }: Store, { cursor }: Manifest): CheckResult {
  const where = layout.events
  const size = files.size(`${where}/${logFileName(cursor.file)}`)
  const last = listPlainLogFiles(files, where).at(-1) ?? 0
  if (cursor.file > last || (size !== undefined && cursor.offset > size)) {
    return checkProblem('log position', 'fail', 'The snapshot is ahead of the log: the log was truncated or restored', {
      where,
      hint: 'Restore the complete log if you have it, then run `memctl rebuild`.',
    })
  }
  const tail = countBytesAfter(files, where, cursor)
  const what = `${tail} bytes of the log are not in the snapshot yet`
  if (tail <= SNAPSHOT_TAIL_BYTES) return checkPassed('log position', what)
  return checkProblem('log position', 'warn', what, {
    where,
    hint: 'It is done when a session ends or the next one starts; `memctl organize` does it now.',
  })
}

function checkSessionStart({ files, layout }: Store, manifest: Manifest): CheckResult[] {
  const file = readJson<SessionStartSnapshot>(files, layout.hot)
  if (file?.generation === manifest.generation)
    return [checkPassed('session start', `${file.standing.length} memories`)]
  const what = file
    ? `It has generation ${file.generation}, the snapshot has ${manifest.generation}`
    : 'Missing: a session start has nothing to inject'
  return [checkProblem('session start', 'warn', what, { where: layout.hot, hint: REBUILD })]
}
