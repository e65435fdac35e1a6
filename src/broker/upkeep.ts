// Upkeep: what happens to a store when a session ends. Improve, then organise, then write the view. Resumable at every step.
//
//   read the log's tail ─▶ for each session that is over:  append session.improved ─▶ next policy step, appended
//                                                          append session.organized ─▶ memories
//                        ─▶ save the view (manifest last) ─▶ vectors ─▶ tidy the log
//
// Every step is an event: who resumes after a crash folds what is in the log and goes on with what is missing.
import { MemoryError } from '../model/errors.ts'
import type { SessionId } from '../model/id.ts'
import { SESSION_SILENT_MS } from '../model/limits.ts'
import { releasesDue } from '../organize/release.ts'
import { indexedTerms } from '../recall/terms.ts'
import { isAlive, takeLock } from '../store/lock.ts'
import type { LogPosition } from '../store/log.ts'
import { compressCold } from '../store/logCold.ts'
import { gapsText } from '../store/logGaps.ts'
import { syncLog } from '../store/logSync.ts'
import { NO_MANIFEST, STORE_VERSION } from '../store/manifest.ts'
import { readManifest } from '../store/shelf.ts'
import { sweep } from '../store/sweep.ts'
import { commitAndFold } from './commit/commitAndFold.ts'
import { systemEvent } from './commit/systemEvent.ts'
import { remakeVectors, updateVectors } from './embed/vectors.ts'
import { SHIPPED } from './policy/served.ts'
import { catchUp, foldAll } from './projection/catchUp.ts'
import { reopenReader } from './search/indexReaderCache.ts'
import { stepOf } from './step.ts'
import type { Store } from './store.ts'
import { servingIn } from './view/foldPolicy.ts'
import { load, save } from './view/save.ts'
import type { Loaded } from './view/saveMemories.ts'
import { emptyView, type SessionState, type View } from './view/view.ts'
import { missingOf } from './wholeLog.ts'

export interface UpkeepOptions {
  /** Milliseconds since 1970; the clock of the markers. */
  readonly now: number
  /** Sessions to organise although they have not said that they ended. */
  readonly sessions?: readonly SessionId[] | 'all'
}

export interface UpkeepReport {
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
export function upkeep(store: Store, options: UpkeepOptions, kept?: Loaded): UpkeepReport {
  const lock = takeLock(store.files, store.layout.lock)
  if (!lock) return { organized: [], memories: 0, policyVersion: 0, busy: true }
  try {
    const loaded = kept ?? load(store)
    const organized: SessionId[] = []
    let changed = catchUp(store, loaded)
    // Sessions may end while we work: look again until nothing is due that has not been done.
    const undone = () => dueSessions(loaded.view, options).filter((session) => !organized.includes(session))
    for (let due = undone(); due.length > 0; due = undone()) {
      for (const session of due) {
        endSession(store, loaded, { session, now: options.now, movesPolicy: session === due.at(-1) })
        organized.push(session)
      }
      catchUp(store, loaded)
      changed = true
    }
    if (changed || loaded.manifest.generation === 0 || loaded.manifest.version < STORE_VERSION) {
      release(store, loaded, options.now)
      // The view must not know of events that a power cut could still take.
      syncLog(store.files, store.layout.events, loaded.manifest.cursor)
      save(store, loaded, SHIPPED, indexedTerms, options.now)
      reopenReader(store)
      updateVectors(store, loaded.view.memories.values())
    }
    tidy(store, loaded.manifest.cursor, options.now)
    return { organized, memories: loaded.view.memories.size, policyVersion: loaded.view.learned.version, busy: false }
  } finally {
    lock.release()
  }
}

/** Compresses what of the log is cold, and takes away what killed writers have left aside. */
function tidy({ files, layout }: Store, cursor: LogPosition, now: number): void {
  compressCold(files, layout.events, cursor, now)
  for (const folder of [layout.folder, layout.events, layout.vectors]) sweep(files, folder)
}

/**
 * Throws away everything derived and makes it anew from the log. Throws STORE_INVALID where files of the log are missing, for then
 * memories would go with them; `incomplete` makes the memory of what is left.
 */
export function rebuild(store: Store, now: number, incomplete = false): UpkeepReport {
  if (!incomplete) assertWhole(store)
  const lock = takeLock(store.files, store.layout.lock)
  if (!lock) return { organized: [], memories: 0, policyVersion: 0, busy: true }
  try {
    const loaded: Loaded = {
      view: emptyView(),
      manifest: { ...NO_MANIFEST, generation: generationOf(store) },
      places: new Map(),
      rows: new Map(),
    }
    foldAll(store, loaded)
    // What entries' files say is looked at anew by whoever comes next.
    store.files.remove(store.layout.entries)
    save(store, loaded, SHIPPED, indexedTerms, now)
    reopenReader(store)
    remakeVectors(store, loaded.view.memories.values())
    tidy(store, loaded.manifest.cursor, now)
    return {
      organized: [],
      memories: loaded.view.memories.size,
      policyVersion: loaded.view.learned.version,
      busy: false,
    }
  } finally {
    lock.release()
  }
}

/** Throws STORE_INVALID where files of the log are missing. */
export function assertWhole(store: Store): void {
  const missing = missingOf(store)
  if (missing.length === 0) return
  throw new MemoryError('STORE_INVALID', `${gapsText(missing)} of the log is missing in ${store.layout.events}`, {
    mend: 'Put it back from a backup. `memctl rebuild --incomplete` makes the memory of what is left, without what was learnt there.',
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
function dueSessions(view: View, options: UpkeepOptions): SessionId[] {
  const due = [...view.sessions.values()].filter((session) => session.pending.length > 0 && isOver(session, options))
  return due.sort((a, b) => (a.lastAt < b.lastAt ? -1 : 1)).map((session) => session.id)
}

/** It said so, or its client is gone, or nobody knows its client and it has been silent for long. */
export function isOver(session: SessionState, options: UpkeepOptions): boolean {
  if (session.ended || options.sessions === 'all' || options.sessions?.includes(session.id)) return true
  if (session.client) return !isAlive(session.client)
  return options.now - Date.parse(session.lastAt) > SESSION_SILENT_MS
}

/** Improves by what a session has shown, then organizes it. */
function endSession(store: Store, loaded: Loaded, end: SessionEnd): void {
  const { session, now } = end
  improveSession(store, loaded, end)
  commitAndFold(store, loaded, [systemEvent({ kind: 'session.organized', releases: 'told' }, { now, session })])
}

/** The first half of a session's end: what it was shown is judged, and the policy takes its step. Nothing is done twice. */
export function improveSession(store: Store, loaded: Loaded, { session, now, movesPolicy }: SessionEnd): void {
  if (!loaded.view.sessions.get(session)!.improved)
    commitAndFold(store, loaded, [systemEvent({ kind: 'session.improved' }, { now, session })])
  // Checked apart from the lines above: a process killed between the two has improved, and taken no step.
  const step =
    movesPolicy && !loaded.view.sessions.get(session)!.stepped ? stepOf(loaded.view, now, session) : undefined
  if (step) commitAndFold(store, loaded, [step])
}

/** Opens what time opens: a step of a memory is an event. */
function release(store: Store, loaded: Loaded, now: number): void {
  const { releaseDays } = servingIn(loaded.view, SHIPPED).privacy
  const events = releasesDue(loaded.view.memories, releaseDays, now).map((release) =>
    systemEvent({ kind: 'memory.released', ...release }, { now, key: [release.memory, release.to] }),
  )
  commitAndFold(store, loaded, events)
}
