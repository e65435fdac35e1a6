// Upkeep: what happens to a store when a session ends. Improve, then organise, then write the view. Resumable at every step.
//
//   read the log's tail ─▶ for each session that is over:  append session.improved ─▶ next policy step, appended
//                                                          append session.organized ─▶ memories
//                        ─▶ save the view (manifest last) ─▶ vectors ─▶ tidy the log
//
// Every step is an event: who resumes after a crash folds what is in the log and goes on with what is missing.

import type { SessionId } from '../../model/id.ts'
import { SESSION_SILENT_MS } from '../../model/limits.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { listDueReleases } from '../../organize/privacyRelease.ts'
import { buildIndexTerms } from '../../recall/indexTerms.ts'
import { acquireLock, isOwnerAlive, removeStaleTempFiles } from '../../store/disk/lock.ts'
import { compressColdFiles } from '../../store/log/compressLog.ts'
import { fsyncLog, type LogPosition } from '../../store/log/eventLog.ts'
import { formatLogGaps } from '../../store/log/logFiles.ts'
import { NO_MANIFEST, STORE_VERSION } from '../../store/snapshot/manifest.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { commitAndApply } from '../commit/commitAndApply.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { rebuildVectors, updateVectors } from '../embedding/maintainVectors.ts'
import { reopenReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { applyEntireLog, applyLogTail } from '../projection/applyLogTail.ts'
import { findMissingLogFiles } from '../projection/missingLogFiles.ts'
import { activePolicy } from '../projection/policyReducer.ts'
import { emptyProjection, type Projection, type SessionState } from '../projection/projection.ts'
import { loadProjection, saveProjection } from '../projection/projectionFiles.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'
import { nextPolicyUpdate } from './policyUpdate.ts'

export interface MaintenanceOptions {
  /** Milliseconds since 1970; the clock of the markers. */
  readonly now: number
  /** Sessions to organise although they have not said that they ended. */
  readonly sessions?: readonly SessionId[] | 'all'
}

export interface MaintenanceReport {
  readonly organized: readonly SessionId[]
  readonly memories: number
  readonly policyVersion: number
  /** Somebody else is at it: nothing was done. */
  readonly busy: boolean
}

interface SessionEnd {
  readonly session: SessionId
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether the policy may take a step: of several sessions that end together only the last one does, for all of them. */
  readonly movesPolicy: boolean
}

/** Does what is due in a store. Two at once: the second finds the lock taken and leaves it to the first. */
export function runMaintenance(store: Store, options: MaintenanceOptions, kept?: LoadedProjection): MaintenanceReport {
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) return { organized: [], memories: 0, policyVersion: 0, busy: true }
  try {
    const loaded = kept ?? loadProjection(store)
    const organized: SessionId[] = []
    let changed = applyLogTail(store, loaded)
    // Sessions may end while we work: look again until nothing is due that has not been done.
    const undone = () => dueSessions(loaded.projection, options).filter((session) => !organized.includes(session))
    for (let due = undone(); due.length > 0; due = undone()) {
      for (const session of due) {
        endSession(store, loaded, { session, now: options.now, movesPolicy: session === due.at(-1) })
        organized.push(session)
      }
      applyLogTail(store, loaded)
      changed = true
    }
    if (changed || loaded.manifest.generation === 0 || loaded.manifest.version < STORE_VERSION) {
      release(store, loaded, options.now)
      // The view must not know of events that a power cut could still take.
      fsyncLog(store.files, store.layout.events, loaded.manifest.cursor)
      saveProjection(store, loaded, DEFAULT_POLICY, buildIndexTerms, options.now)
      reopenReader(store)
      updateVectors(store, loaded.projection.memories.values())
    }
    tidy(store, loaded.manifest.cursor, options.now)
    return {
      organized,
      memories: loaded.projection.memories.size,
      policyVersion: loaded.projection.learned.version,
      busy: false,
    }
  } finally {
    lock.release()
  }
}

/** Compresses what of the log is cold, and takes away what killed writers have left aside. */
function tidy({ files, layout }: Store, cursor: LogPosition, now: number): void {
  compressColdFiles(files, layout.events, cursor, now)
  for (const folder of [layout.folder, layout.events, layout.vectors]) removeStaleTempFiles(files, folder)
}

/**
 * Throws away everything derived and makes it anew from the log. Throws STORE_INVALID where files of the log are missing, for then
 * memories would go with them; `incomplete` makes the memory of what is left.
 */
export function rebuildStore(store: Store, now: number, incomplete = false): MaintenanceReport {
  if (!incomplete) assertLogComplete(store)
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) return { organized: [], memories: 0, policyVersion: 0, busy: true }
  try {
    const loaded: LoadedProjection = {
      projection: emptyProjection(),
      manifest: { ...NO_MANIFEST, generation: generationOf(store) },
      placements: new Map(),
      rows: new Map(),
    }
    applyEntireLog(store, loaded)
    // What entries' files say is looked at anew by whoever comes next.
    store.files.remove(store.layout.entries)
    saveProjection(store, loaded, DEFAULT_POLICY, buildIndexTerms, now)
    reopenReader(store)
    rebuildVectors(store, loaded.projection.memories.values())
    tidy(store, loaded.manifest.cursor, now)
    return {
      organized: [],
      memories: loaded.projection.memories.size,
      policyVersion: loaded.projection.learned.version,
      busy: false,
    }
  } finally {
    lock.release()
  }
}

/** Throws STORE_INVALID where files of the log are missing. */
export function assertLogComplete(store: Store): void {
  const missing = findMissingLogFiles(store)
  if (missing.length === 0) return
  throw new MemoryError('STORE_INVALID', `${formatLogGaps(missing)} of the log is missing in ${store.layout.events}`, {
    hint: 'Put it back from a backup. `memctl rebuild --incomplete` makes the memory of what is left, without what was learnt there.',
  })
}

/** The generation to count on from, so that no file name is used twice; 0 where the manifest cannot be read. */
function generationOf(store: Store): number {
  try {
    return readManifest(store.files, store.layout).generation
  } catch {
    return 0 // A damaged or newer manifest is just what a rebuild replaces.
  }
}

/** Sessions that are over and have something to organise, oldest first. */
function dueSessions(view: Projection, options: MaintenanceOptions): SessionId[] {
  const due = [...view.sessions.values()].filter((session) => session.pending.length > 0 && hasEnded(session, options))
  return due.sort((a, b) => (a.lastAt < b.lastAt ? -1 : 1)).map((session) => session.id)
}

/** It said so, or its client is gone, or nobody knows its client and it has been silent for long. */
export function hasEnded(session: SessionState, options: MaintenanceOptions): boolean {
  if (session.ended || options.sessions === 'all' || options.sessions?.includes(session.id)) return true
  if (session.client) return !isOwnerAlive(session.client)
  return options.now - Date.parse(session.lastAt) > SESSION_SILENT_MS
}

/** Improves by what a session has shown, then organizes it. */
function endSession(store: Store, loaded: LoadedProjection, end: SessionEnd): void {
  const { session, now } = end
  improveSession(store, loaded, end)
  commitAndApply(store, loaded, [systemEvent({ kind: 'session.organized', releases: 'told' }, { now, session })])
}

/** The first half of a session's end: what it was shown is judged, and the policy takes its step. Nothing is done twice. */
export function improveSession(
  store: Store,
  loaded: LoadedProjection,
  { session, now, movesPolicy }: SessionEnd,
): void {
  if (!loaded.projection.sessions.get(session)!.improved)
    commitAndApply(store, loaded, [systemEvent({ kind: 'session.improved' }, { now, session })])
  // Checked apart from the lines above: a process killed between the two has improved, and taken no step.
  const step =
    movesPolicy && !loaded.projection.sessions.get(session)!.stepped
      ? nextPolicyUpdate(loaded.projection, now, session)
      : undefined
  if (step) commitAndApply(store, loaded, [step])
}

/** Opens what time opens: a step of a memory is an event. */
function release(store: Store, loaded: LoadedProjection, now: number): void {
  const { releaseDays } = activePolicy(loaded.projection, DEFAULT_POLICY).privacy
  const events = listDueReleases(loaded.projection.memories, releaseDays, now).map((release) =>
    systemEvent({ kind: 'memory.released', ...release }, { now, key: [release.memory, release.to] }),
  )
  commitAndApply(store, loaded, events)
}
