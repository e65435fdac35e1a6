// Is a store sound? Its log, its view, its policy, its lock, its faults: looked at, never touched.
import { type Check, sound, unsound } from '../../model/check.ts'
import { MemoryError } from '../../model/errors.ts'
import { diskMend } from '../../store/diskMend.ts'
import { codeOf } from '../../store/files.ts'
import { isAlive, ownerOf } from '../../store/lock.ts'
import { gapsText } from '../../store/logGaps.ts'
import { surveyLog } from '../../store/survey.ts'
import type { Store } from '../store.ts'
import { missingOf } from '../wholeLog.ts'
import { checkConfig } from './config.ts'
import { checkEntries } from './entries.ts'
import { checkPolicy } from './policy.ts'
import { checkSessions } from './sessions.ts'
import { checkView } from './view.ts'

/** The latest faults told, and how long ago a fault still counts. */
const FAULTS_TOLD_MAX = 3
const FAULTS_COUNT_MS = 7 * 86_400_000

/** Every check of a store at `now`, in milliseconds since 1970. Throws nothing: what cannot be looked at has failed. */
export function checkStore(store: Store, now: number): Check[] {
  const { layout } = store
  return [
    ...guarded('store', layout.folder, () => checkPlaces(store)),
    ...guarded('log', layout.events, () => checkLog(store, now)),
    ...guarded('view', layout.manifest, () => checkView(store)),
    ...guarded('sessions', layout.events, () => checkSessions(store, now)),
    ...guarded('entries', store.project.root, () => checkEntries(store)),
    ...guarded('config', store.home ?? layout.folder, () => checkConfig(store)),
    ...guarded('policy', layout.policy, () => checkPolicy(store)),
    ...guarded('lock', layout.lock, () => [checkLock(store)]),
    ...guarded('faults', layout.faults, () => [checkFaults(store, now)]),
  ]
}

/** What `look` finds; what it throws is a check that failed, with the error's own mend. */
export function guarded(name: string, where: string, look: () => Check[]): Check[] {
  try {
    return look()
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    const known = error instanceof MemoryError ? error.mend : diskMend(codeOf(error))
    return [unsound(name, 'fail', what, { where, mend: known ?? 'A bug of memctl: please report it with this line.' })]
  }
}

/** A file where a folder should be reads as an empty folder everywhere else: only here is it seen. */
function checkPlaces({ files, layout, project }: Store): Check[] {
  const folders = [layout.folder, layout.events, layout.segments, layout.vectors]
  const found = folders.filter((folder) => isFile(folder))
  if (found.length === 0) return [sound('store', `${project.name}-${project.id}`, layout.folder)]
  return found.map((where) =>
    unsound('store', 'fail', 'A file lies where a folder should be', {
      where,
      mend: 'Move it away; memctl makes the folder.',
    }),
  )

  function isFile(folder: string): boolean {
    try {
      files.readAt(folder, 0, 1)
      return files.size(folder) !== undefined
    } catch (error) {
      if (codeOf(error) === 'EISDIR') return false
      throw error
    }
  }
}

function checkLog(store: Store, now: number): Check[] {
  const { files, layout } = store
  const log = surveyLog(files, layout.events, now)
  const where = layout.events
  const missing = missingOf(store)
  if (log.files === 0 && missing.length === 0) return [sound('log', 'No events yet', where)]
  const newest = log.newestMs === undefined ? '' : `, the newest of ${new Date(log.newestMs).toISOString()}`
  const torn = log.torn > 0 ? `; ${log.torn} torn by a crash, never acknowledged and stepped over` : ''
  const open = log.openBytes > 0 ? `; ${log.openBytes} bytes at its end are not closed, the next event seals them` : ''
  const checks: Check[] = [sound('log', `${log.events} events in ${log.files} files${newest}${torn}${open}`, where)]
  if (missing.length > 0) {
    checks.push(
      unsound('log', 'fail', `${gapsText(missing)} is missing`, {
        where,
        mend: 'Put it back from a backup. Until then do not rebuild: the view still has what was learnt there.',
      }),
    )
  }
  if (log.rotten > 0) {
    const places = log.rottenAt.join('; ') + (log.rotten > log.rottenAt.length ? '; …' : '')
    checks.push(
      unsound('log', 'fail', `${log.rotten} events changed after they were written (${places})`, {
        where,
        mend: 'Look after the disk. Put back the lines from a backup, then `memctl rebuild`; without them all other events still count.',
      }),
    )
  }
  if (log.damagedFiles.length > 0) {
    checks.push(
      unsound('log', 'fail', `${log.damagedFiles.join(', ')} cannot be unpacked`, {
        where,
        mend: 'Put it back from a backup, or run `memctl log repair`, which keeps what can still be read.',
      }),
    )
  }
  if (log.newerFiles.length > 0) {
    checks.push(
      unsound('log', 'fail', `A newer memctl wrote ${log.newerFiles.join(', ')}`, { where, mend: 'Update memctl.' }),
    )
  }
  if (log.inFuture > 0) {
    checks.push(
      unsound('clock', 'warn', `${log.inFuture} events are later than this machine's clock`, {
        where,
        mend: 'Set the clock right. Until it has passed them, their memories count as made just now.',
      }),
    )
  }
  return checks
}

function checkLock({ files, layout }: Store): Check {
  const where = layout.lock
  if (files.size(where) === undefined) return sound('lock', 'Free')
  const owner = ownerOf(files, where)
  if (!owner) return sound('lock', 'It says nobody; the next writer takes it', where)
  const who = `process ${owner.pid}`
  return isAlive(owner)
    ? sound('lock', `Held by ${who}, which runs: it is organising`, where)
    : sound('lock', `Left behind by ${who}, which is dead; the next writer takes it over`, where)
}

function checkFaults({ files, layout }: Store, now: number): Check {
  const where = layout.faults
  const lines = (files.read(where)?.toString('utf8') ?? '').split('\n').filter(Boolean)
  const faults = lines.flatMap(faultIn).filter((fault) => now - Date.parse(fault.at) < FAULTS_COUNT_MS)
  if (faults.length === 0) return sound('faults', lines.length === 0 ? 'None' : 'None in the last 7 days')
  const latest = faults.slice(-FAULTS_TOLD_MAX).reverse()
  const told = latest.map((fault) => `${fault.at} ${fault.where}: ${fault.what}`).join('; ')
  return unsound('faults', 'warn', `${faults.length} in the last 7 days. ${told}`, { where, mend: latest[0]!.mend })
}

interface Fault {
  readonly at: string
  readonly where: string
  readonly what: string
  readonly mend: string
}

function faultIn(line: string): Fault[] {
  try {
    const { at, where, what, mend } = JSON.parse(line) as Record<string, unknown>
    return [{ at: String(at), where: String(where), what: String(what), mend: String(mend) }]
  } catch {
    return [] // Cut short by a full disk: the others tell the story.
  }
}
