// Rebuilds everything that is derived from the log.

import type { Event } from '../../model/event.ts'
import { LOG_FILE_BYTES_MAX } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { verifyJsonFile } from '../../store/disk/jsonFile.ts'
import { withLock, withLockOrThrow } from '../../store/disk/lock.ts'
import { encodeLogLine, LOG_HEADER, logFileName } from '../../store/log/eventLog.ts'
import { listLogFiles, logFileLabel, readLogCopy, splitPlainAndCompressed } from '../../store/log/readLog.ts'
import { commitAndApply, inBatches, systemEvent } from '../commit/commitEvents.ts'
import { rebuildVectors } from '../embedding/maintainVectors.ts'
import type { Store } from '../open/openStore.ts'
import { applyEvent } from '../projection/applyEvent.ts'
import { emptyProjection, type LoadedProjection } from '../projection/projection.ts'
import { listCoveredMemories, saveProjection } from '../projection/projectionFiles.ts'
import { publishPersonKnowledge } from '../projection/publishPerson.ts'
import { assertLogUnchanged, listGenerations, loadFromLog } from './loadFromLog.ts'
import { BUSY_REPORT, cleanUpFiles, type MaintenanceReport, reportOn } from './maintenance.ts'
import { redactApplied, redactLogTail } from './redactLog.ts'

/**
 * Replaces everything derived by what the log gives. `now` is in milliseconds since 1970. If another process holds the
 * lock, the report says `busy`. Throws STORE_INVALID if log files are missing, because their memories would be lost,
 * unless that is allowed.
 */
export function rebuildStore(
  store: Store,
  now: number,
  options: { readonly allowIncomplete?: boolean | undefined } = {},
): MaintenanceReport {
  if (!options.allowIncomplete) assertLogUnchanged(store)
  const { files, layout } = store
  const report = withLock(files, layout.lock, (): MaintenanceReport => {
    const { end: searched } = redactLogTail(store)
    return saveRebuilt(store, { ...loadFromLog(store), searched }, now)
  })
  return report ?? BUSY_REPORT
}

/** Writes everything derived from a projection that was loaded from the log. The caller holds the lock. */
function saveRebuilt(store: Store, loaded: LoadedProjection, now: number): MaintenanceReport {
  redactApplied(store, loaded, () => loadFromLog(store))
  // The next sync reads all entry files again.
  store.files.remove(store.layout.entries)
  saveProjection(store, loaded, now)
  removeDamagedStates(store)
  publishPersonKnowledge(store, loaded)
  rebuildVectors(store, loaded.projection.memories.values())
  cleanUpFiles(store, loaded, now)
  return reportOn(loaded.projection, [])
}

/** Slow readers keep the state of the generation before; a damaged one helps nobody. */
function removeDamagedStates(store: Store): void {
  const { files, layout } = store
  for (const file of listGenerations(store).map(layout.work)) {
    const bytes = files.read(file)
    if (bytes && verifyJsonFile(bytes) === 'damaged') files.remove(file)
  }
}

// Rebuilds a store from another copy of its log: a backup, a log that was moved aside, the log of another machine.
//
//   copy ──┐
//          ├─▶ merged: the events of the copy, then those of this log that it lacks ─▶ projection
//   log ───┘                                    memories that only the snapshot has ─▶ one more event each
//
// The files of the log go to aside-TIME/ and are kept. Hooks append to the next file meanwhile, which stays.

export interface RestoreOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The log becomes the copy: what only this log or the snapshot has is dropped from the store. */
  readonly replace?: boolean
  /** Changes nothing and returns what would be changed. */
  readonly dryRun?: boolean
}

/**
 * Merges a copy into the log and rebuilds, or replaces the log by it. Returns how many events each has, and the folder
 * with the files of the log before: null if nothing was changed. Throws NOT_FOUND and STORE_BUSY.
 */
export function restoreLog(store: Store, copy: string, options: RestoreOptions) {
  const { files, layout } = store
  const read = readLogCopy(files, copy)
  if (read.events.length === 0) {
    throw new MemoryError('NOT_FOUND', `${copy} has no events of a log`, {
      hint: 'Name a file like 000001.jsonl, the folder `events` of a store, or a folder aside-TIME.',
    })
  }
  return withLockOrThrow(files, layout.lock, () => {
    // The log of before is kept.
    if (!options.dryRun) redactLogTail(store)
    const current = readLogCopy(files, layout.events).events
    const inCopy = new Set(read.events.map(({ id }) => id))
    const inLog = new Set(current.map(({ id }) => id))
    const own = current.filter(({ id }) => !inCopy.has(id))
    const merged = options.replace ? read.events : [...read.events, ...own]
    const before = listMemories(store)
    const after = foldMemories(merged)
    const kept = options.replace ? [] : before.filter(({ id }) => !after.has(id))
    const aside = options.dryRun ? null : writeLog(store, merged, options.now)
    if (!options.dryRun) saveMerged(store, kept, options.now)
    return {
      copied: read.events.length,
      added: read.events.filter(({ id }) => !inLog.has(id)).length,
      own: own.length,
      unreadable: read.unreadable,
      memoriesBefore: before.length,
      memoriesAfter: after.size + kept.length,
      // Only the snapshot had these.
      kept: kept.length,
      aside,
    }
  })
}

/** Every memory of the snapshot; none if it is damaged. */
function listMemories(store: Store): Memory[] {
  try {
    return listCoveredMemories(store)
  } catch {
    return [] // The log alone decides then.
  }
}

function foldMemories(events: readonly Event[]): ReadonlySet<string> {
  const projection = emptyProjection()
  for (const event of events) applyEvent(projection, event)
  return new Set(projection.memories.keys())
}

/** Replaces the files of the log by those of the merged events, and returns the folder with the old ones. */
function writeLog({ files, layout }: Store, events: readonly Event[], now: number): string {
  const folder = layout.events
  const old = listLogFiles(files, folder)
  const last = Math.max(1, ...old.map(({ number }) => number))
  // Hooks that start from now on append to this file. What was appended since the log was read is copied below.
  files.create(`${folder}/${logFileName(last + 1)}`, Buffer.from(LOG_HEADER))
  const written = new Set(events.map(({ id }) => id))
  const late = old
    .flatMap(splitPlainAndCompressed)
    .flatMap((file) => readLogCopy(files, `${folder}/${logFileLabel(file)}`).events)
    .filter(({ id, at }) => !written.has(id) && Date.parse(at) >= now)
  const lines = [...events, ...late].map((event) => encodeLogLine(event))
  const aside = `${layout.folder}/aside-${new Date(now).toISOString().replaceAll(':', '-')}`
  files.makeFolder(aside)
  const contents = splitLines(lines, last)
  for (let number = 1; number <= last; number++) {
    for (const file of old.filter((each) => each.number === number).flatMap(splitPlainAndCompressed))
      files.rename(`${folder}/${logFileLabel(file)}`, `${aside}/${logFileLabel(file)}`)
    files.replace(
      `${folder}/${logFileName(number)}`,
      Buffer.concat([Buffer.from(LOG_HEADER), ...(contents[number - 1] ?? [])]),
    )
  }
  return aside
}

/** The lines in at most `filesMax` parts of the usual size of a log file. */
function splitLines(lines: readonly Buffer[], filesMax: number): Buffer[][] {
  const parts: Buffer[][] = [[]]
  let bytes = 0
  for (const line of lines) {
    if (bytes + line.length > LOG_FILE_BYTES_MAX && parts.length < filesMax) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(line)
    bytes += line.length
  }
  return parts
}

function saveMerged(store: Store, kept: readonly Memory[], now: number): void {
  const loaded = loadFromLog(store)
  for (const [i, stored] of inBatches(kept).entries()) {
    const key = ['restore', String(i)]
    commitAndApply(store, loaded, [systemEvent({ kind: 'memory.batch', stored, changes: [] }, { now, key })])
  }
  saveRebuilt(store, loaded, now)
}
