// Maintenance of a store when a session ends: improve, organize, write the snapshot.
//
//   apply the log's tail ─▶ for each session that has ended:  commit session.improved ─▶ commit the next policy step
//                                                             commit session.organized ─▶ memories
//                        ─▶ save the snapshot (manifest last) ─▶ vectors ─▶ compress the log
//
// Every step is an event. After a crash, the next run applies the events in the log and continues with what is missing.
// A long log is applied in several runs: each saves how far it has come, and what comes after that waits for the last.
import { updateExclusionRules } from '../../improve/exclusionRules.ts'
import { learnLeastScores } from '../../improve/leastScores.ts'
import type { EventOf } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { CLIENT_SILENT_MS, SESSION_SILENT_MS } from '../../model/limits.ts'
import { isUserRequested } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'
import type { ExclusionRule } from '../../model/recallQuery.ts'
import { listDueReleases } from '../../organize/lifecycle.ts'
import { isOwnerAlive, removeStaleTempFiles, storeBusyError, withLock } from '../../store/disk/lock.ts'
import { fsyncLog, listPlainLogFiles } from '../../store/log/eventLog.ts'
import { compressColdFiles } from '../../store/log/rewriteLog.ts'
import { STORE_VERSION } from '../../store/snapshot/manifest.ts'
import { commitAndApply, systemEvent } from '../commit/commitEvents.ts'
import { updateVectors } from '../embedding/maintainVectors.ts'
import type { Store } from '../open/openStore.ts'
import {
  activePolicy,
  basePolicy,
  type LoadedProjection,
  type Projection,
  type SessionState,
} from '../projection/projection.ts'
import { applyLogTail, loadProjection, saveProjection, verifySnapshot } from '../projection/projectionFiles.ts'
import { publishPersonKnowledge } from '../projection/publishPerson.ts'
import { guardLog } from './guardLog.ts'
import { loadOrRebuild } from './loadFromLog.ts'
import { recordPlaces } from './projectFolders.ts'
import { isStillCurrent, redactApplied, redactUnsaved } from './redactLog.ts'
import { restrictOnce } from './restrictFiles.ts'
import { sessionStep, type WorkRun } from './workSteps.ts'

export interface MaintenanceOptions {
  /** Milliseconds since 1970; the time of the events. */
  readonly now: number
  /** Sessions to organize although they have not ended. */
  readonly sessions?: readonly SessionId[] | 'all'
  /** Told about each step; steps that it refuses are left out. All are done by default. */
  readonly steps?: Pick<WorkRun, 'begin'>
  /** Adds to a session that has ended what its hooks could not record. */
  readonly complete?: ((loaded: LoadedProjection, session: SessionId) => void) | undefined
  /** Whether the time is over. Then no further log file is read and no session organized; what was done is saved. */
  readonly isOverdue?: () => boolean
}

export type MaintenanceReport = Readonly<ReturnType<typeof reportOn>>

export const BUSY_REPORT: MaintenanceReport = { organized: [], memories: 0, policyVersion: 0, busy: true }

interface SessionEnd {
  readonly session: SessionId
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether the policy may take a step. Of several sessions that end together, only the last one takes it, for all. */
  readonly movesPolicy: boolean
}

/**
 * Does what is due in a store. If another process is doing it, the report says `busy`. `projection` saves reading it,
 * as long as no other process has written a snapshot since it was loaded.
 */
export function runMaintenance(store: Store, options: MaintenanceOptions, projection?: LoadedProjection) {
  const { files, layout } = store
  const report = withLock(files, layout.lock, (): MaintenanceReport => {
    const { now } = options
    const isSetAside = guardLog(store, now)
    // Before anything is read: a worker that has to be ended there must not begin it again at every start.
    if (options.steps?.begin('log') === false) return { ...BUSY_REPORT, busy: false }
    const isLatest = projection && !isSetAside && isStillCurrent(store, projection)
    const load = isLatest ? () => verifySnapshot(store, projection) : loadProjection
    const { isOverdue } = options
    const { loaded, isFromLog } = loadOrRebuild(store, isOverdue, load)
    redactUnsaved(store, loaded, () => loadOrRebuild(store, isOverdue).loaded)
    const organized: SessionId[] = []
    if (!isFromLog || !isPartial(store, loaded)) applyLogTail(store, loaded, isOverdue)
    if (isPartial(store, loaded)) {
      saveSnapshot(store, loaded, now)
      return reportOn(loaded.projection, organized)
    }
    // Sessions may end meanwhile: repeat until none is due.
    const tried = new Set<SessionId>()
    const remaining = () =>
      isOverdue?.() ? [] : listEndedSessions(loaded.projection, options).filter((id) => !tried.has(id))
    for (let due = remaining(); due.length > 0; due = remaining()) {
      for (const session of due) {
        if (isOverdue?.()) break
        tried.add(session)
        if (options.steps?.begin(sessionStep(session)) === false) continue
        options.complete?.(loaded, session)
        endSession(store, loaded, { session, now, movesPolicy: session === due.at(-1) })
        organized.push(session)
      }
      applyLogTail(store, loaded)
    }
    if (options.steps?.begin('snapshot') === false) return reportOn(loaded.projection, organized)
    const { cursor, generation, version } = loaded.manifest
    const isBehind = JSON.stringify(loaded.projection.cursor) !== JSON.stringify(cursor)
    if (isFromLog || isBehind || generation === 0 || version < STORE_VERSION) {
      commitDueReleases(store, loaded, now)
      saveSnapshot(store, loaded, now)
    }
    cleanUpFiles(store, loaded, now)
    return reportOn(loaded.projection, organized)
  })
  return report ?? BUSY_REPORT
}

/** Whether files of the log are left for the next run. What they say is not known: nothing may be added to the log. */
const isPartial = ({ files, layout }: Store, { projection }: LoadedProjection): boolean =>
  projection.cursor.file < (listPlainLogFiles(files, layout.events).at(-1) ?? 0)

/** Writes the snapshot, and what is derived from it. The caller holds the lock. */
export function saveSnapshot(store: Store, loaded: LoadedProjection, now: number): void {
  redactApplied(store, loaded, () => loadOrRebuild(store).loaded)
  // The snapshot must not contain events that a power cut could still remove.
  fsyncLog(store.files, store.layout.events, loaded.manifest.cursor)
  saveProjection(store, loaded, now)
  publishPersonKnowledge(store, loaded)
  recordPlaces(store, store.project.root, now)
  updateVectors(store, loaded.projection.memories.values())
}

/**
 * Saves what a long change has made so far, so that it takes no more memory: the last part of the change ends with
 * `runMaintenance`. If another process has saved meanwhile, that is loaded. The caller holds the lock.
 */
export function saveCheckpoint(store: Store, loaded: LoadedProjection, now: number): void {
  if (!isStillCurrent(store, loaded)) {
    Object.assign(loaded, { provisional: undefined, searched: undefined }, loadOrRebuild(store).loaded)
    applyLogTail(store, loaded)
    return
  }
  redactApplied(store, loaded, () => loadOrRebuild(store).loaded)
  fsyncLog(store.files, store.layout.events, loaded.manifest.cursor)
  saveProjection(store, loaded, now, true)
}

/** Brings the snapshot up to date, for a caller that has committed an event. Throws STORE_BUSY. */
export function runMaintenanceOrThrow(store: Store, now: number): void {
  if (runMaintenance(store, { now, sessions: [] }).busy)
    throw storeBusyError('Nothing is lost: it is in the log, and takes effect when that process is done.')
}

export const reportOn = (projection: Projection, organized: readonly SessionId[]) => ({
  organized,
  /** All but private ones. */
  memories: projection.memories.heads().filter((head) => !isPrivate(head)).length,
  policyVersion: projection.learned.version,
  /** Another process holds the lock: nothing was done. */
  busy: false,
})

/** Compresses old log files, removes temporary files of killed processes, and takes rights from other users. */
export function cleanUpFiles(store: Store, { manifest }: LoadedProjection, now: number): void {
  const { files, layout } = store
  compressColdFiles(files, layout.events, manifest.cursor, now)
  for (const folder of [layout.folder, layout.events, layout.vectors]) removeStaleTempFiles(files, folder)
  restrictOnce(store)
}

function listEndedSessions({ sessions }: Projection, options: MaintenanceOptions): SessionId[] {
  const ended = [...sessions.values()].filter((session) => session.pending.length > 0 && hasEnded(session, options))
  return ended.sort((a, b) => (a.lastAt < b.lastAt ? -1 : 1)).map((session) => session.id)
}

/** It has ended in the log, or its client does not run, or its client is unknown and it has been silent for long. */
export function hasEnded(session: SessionState, options: MaintenanceOptions): boolean {
  if (session.ended || options.sessions === 'all' || options.sessions?.includes(session.id)) return true
  const silentMs = options.now - Date.parse(session.lastAt)
  if (session.client === undefined) return silentMs > SESSION_SILENT_MS
  return !isOwnerAlive(session.client) || (session.client.started === undefined && silentMs > CLIENT_SILENT_MS)
}

/** Improves with a session's recalls, then organizes the session. */
export function endSession(store: Store, loaded: LoadedProjection, end: SessionEnd): void {
  const { session, now } = end
  improveSession(store, loaded, end)
  commitAndApply(store, loaded, [systemEvent({ kind: 'session.organized', releases: 'told' }, { now, session })])
}

/** Attributes the session's recalls, and lets the policy take its step. What was done before is not done again. */
export function improveSession(store: Store, loaded: LoadedProjection, end: SessionEnd): void {
  const { session, now, movesPolicy } = end
  const state = () => loaded.projection.sessions.get(session)
  if (!state()?.improved) commitAndApply(store, loaded, [systemEvent({ kind: 'session.improved' }, { now, session })])
  // Checked separately: a process may have been killed between the two events.
  if (!movesPolicy || state()?.stepped) return
  const step = nextPolicyUpdate(loaded.projection, now, session)
  if (step) commitAndApply(store, loaded, [step])
}

/** Releases memories whose time has come. Each release is an event. */
export function commitDueReleases(store: Store, loaded: LoadedProjection, now: number): void {
  // Most stores have none that wait: then no index of all memories is built.
  if (loaded.projection.memories.heads().every(({ privacy }) => privacy === 'public')) return
  const { releaseDays } = activePolicy(loaded.projection).privacy
  const events = listDueReleases(loaded.projection.memories, releaseDays, now).map((release) =>
    systemEvent({ kind: 'memory.released', ...release }, { now, key: [release.memory, release.to] }),
  )
  commitAndApply(store, loaded, events)
}

/** The change that follows from the attributed recalls; undefined if there is none, or the policy is frozen. */
export function nextPolicyUpdate(
  projection: Projection,
  now: number,
  session?: SessionId,
): EventOf<'policy.changed'> | undefined {
  const { judged, learned, frozen, momentUse, memories } = projection
  if (frozen) return undefined
  const base = basePolicy(projection)
  const step = learnLeastScores(judged, base, learned)
  const oldRules = learned.exclusions ?? []
  const kindOf = (id: MemoryId) => {
    const memory = memories.get(id)
    return memory && !isUserRequested(memory) ? memory.kind : undefined
  }
  const { excludeBelow } = base.improve
  const newRules = updateExclusionRules({ uses: momentUse, kindOf, rules: oldRules, excludeBelow, now })
  if (!step && !newRules) return undefined
  const version = learned.version + 1
  const exclusions = newRules ?? oldRules
  const body = {
    kind: 'policy.changed',
    version,
    by: 'improve',
    values: step?.values ?? learned.values,
    ...(exclusions.length > 0 && { exclusions }),
    reason: [step?.reason, newRules && describeRuleChanges(oldRules, newRules)].filter(Boolean).join('; '),
    evidence: step?.evidence ?? {},
  } as const
  return systemEvent(body, { now, session, key: [String(version)] })
}

function describeRuleChanges(before: readonly ExclusionRule[], after: readonly ExclusionRule[]): string {
  const matching = (rules: readonly ExclusionRule[], rule: ExclusionRule) => rules.find((other) => isSame(other, rule))
  const added = after.filter((rule) => !matching(before, rule))
  const renewed = after.filter((rule) => (matching(before, rule)?.renewed ?? rule.renewed) !== rule.renewed)
  const removed = before.filter((rule) => !matching(after, rule))
  const changes = { excludes: added, 'still excludes': renewed, 'includes again': removed }
  const present = Object.entries(changes).filter(([, rules]) => rules.length > 0)
  return present.map(([verb, rules]) => `${verb} ${rules.map(formatRule).join(', ')}`).join('; ')
}

const formatRule = ({ moment, memory, kind }: ExclusionRule): string =>
  `${memory?.slice(0, 8) ?? `the kind ${kind}`} (${moment})`

const isSame = (a: ExclusionRule, b: ExclusionRule): boolean =>
  a.moment === b.moment && a.memory === b.memory && a.kind === b.kind
