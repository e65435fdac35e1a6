// Loads and saves the projection. Saving writes only what changed: new segments for new texts, new rows for changed
// fields.
//
// Order of writing: segments, work, policy, hot, and last the manifest, which makes them the current snapshot. A crash
// before that leaves the old snapshot intact and some unused files, which the next save removes. So the state that
// later events are applied to must be in files of its own snapshot: with the next one's, the log's tail would be
// applied twice. policy.json and hot.json are for hooks.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { repairFields } from '../../model/checkMemory.ts'
import type { KnowledgeFile } from '../../model/knowledge.ts'
import { runToEnd, type Steps } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { MemoryTable } from '../../organize/memoryTable.ts'
import { buildSessionFileIndex } from '../../recall/sessionFileIndex.ts'
import { checksum, writeJsonFile } from '../../store/disk/jsonFile.ts'
import { readJson, readJsonIfIntact } from '../../store/disk/readJson.ts'
import { isAfterLogEnd, LOG_START } from '../../store/log/eventLog.ts'
import { extendLogChain, type LogChain } from '../../store/log/logChain.ts'
import { findLogGaps, readLogInSteps } from '../../store/log/readLog.ts'
import { clearRewriteMarks } from '../../store/log/rewriteLog.ts'
import {
  assertSegmentUnchanged,
  type Manifest,
  type SegmentEntry,
  STORE_VERSION,
} from '../../store/snapshot/manifest.ts'
import { openSnapshotReader, readManifest, readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import { StoredMemories } from '../../store/snapshot/storedMemories.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import type { Store } from '../open/openStore.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { applyEvent } from './applyEvent.ts'
import { readInstructionLines } from './instructionLines.ts'
import { addToKnowledgeFile, buildKnowledgeFile } from './knowledgeFile.ts'
import { findProvisional, withProvisional } from './openSessions.ts'
import {
  activePolicy,
  emptyProjection,
  type LoadedProjection,
  type Projection,
  type ProvisionalMemories,
  type SessionState,
} from './projection.ts'
import { removeUnusedSegments, saveMemories, writeRecentSegment } from './saveMemories.ts'
import { buildSessionStartSnapshot, type SessionStartSnapshot } from './sessionStartFile.ts'
import { loadTeam, type StoredTeam, type StoredUnsent, type TeamProjection } from './teamProjection.ts'
import { listUnsent } from './teamReducer.ts'

/** The fields of a projection that are stored with its sessions. */
const STORED_FIELDS = [
  'judged',
  'early',
  'momentUse',
  'baselines',
  'trials',
  'base',
  'learned',
  'frozen',
  'history',
] as const

/** All of a projection but its memories and its cursor: work.<generation>.json. */
export interface LearnerState extends Pick<Projection, (typeof STORED_FIELDS)[number]> {
  readonly sessions: readonly SessionState[]
  /** Absent in a store that never joined a team. */
  readonly team?: StoredTeam | undefined
  /** Not in `team`: what an earlier version saves, which may run in another window, does not have it. */
  readonly unsent?: StoredUnsent | undefined
  /** Checksums of the log, for a store with a damaged manifest. Absent in stores of earlier versions. */
  readonly log?: LogChain | undefined
}

/** The longest of these fields, deflated and in base64: they change in every session, and become a sixth. */
interface PackedState extends Omit<LearnerState, 'judged' | 'momentUse'> {
  /** Absent in stores of earlier versions, which have the fields themselves. */
  readonly packed?: string
}

/**
 * What learning has kept with the current snapshot; empty before the first. The history of the policy is in it, oldest
 * first, and not in policy.json, which every hook reads. Throws STORE_INVALID and STORE_NEWER.
 */
export function readLearner(store: Store): Partial<LearnerState> {
  const manifest = readManifest(store.files, store.layout)
  return manifest.generation === 0 ? {} : readLearnerState(store, manifest)
}

/** The learner state of this generation. Throws STORE_INVALID if its file is missing. */
export function readLearnerState({ files, layout }: Store, { generation }: Pick<Manifest, 'generation'>): LearnerState {
  const state = readJson<PackedState>(files, layout.work(generation))
  if (!state) throw missingFileError(layout.work(generation))
  const { packed, ...plain } = state
  if (packed === undefined) return plain as LearnerState
  return { ...plain, ...JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString()) }
}

const missingFileError = (file: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${file} is missing or not as the manifest says`, {
    hint: 'Run `memctl rebuild`: it rewrites the snapshot from the log, nothing is lost.',
  })

/** The memories of these segments, for this version: earlier versions wrote what a program gave. */
export const openStored = ({ files, layout }: Store, segments: readonly SegmentEntry[]): StoredMemories =>
  new StoredMemories(files, layout.segments, segments, (memory) => upgradeMemory(repairFields(memory) ?? memory))

/**
 * The projection of the snapshot on disk, with all its files verified. A memory is read when it is used. Throws
 * STORE_INVALID and STORE_NEWER.
 */
export const loadProjection = (store: Store): LoadedProjection => runToEnd(loadProjectionInSteps(store))

/** The same in steps, and with all memories read. */
export function* readProjectionInSteps(store: Store): Steps<LoadedProjection> {
  const loaded = yield* loadProjectionInSteps(store)
  for (const place of loaded.stored.places()) {
    loaded.stored.load(place)
    yield
  }
  return loaded
}

function* loadProjectionInSteps(store: Store): Steps<LoadedProjection> {
  const manifest = readManifest(store.files, store.layout)
  yield* verifySegments(store, manifest)
  return openSnapshot(store, manifest)
}

function* verifySegments({ files, layout }: Store, { segments }: Manifest): Steps<void> {
  for (const entry of segments) yield* assertSegmentUnchanged(files, layout.segments, entry)
}

/** What `openProjection` has opened, with all its files verified. Throws STORE_INVALID. */
export function verifySnapshot(store: Store, loaded: LoadedProjection): LoadedProjection {
  runToEnd(verifySegments(store, loaded.manifest))
  return loaded
}

/** The same, only with rows verified; each text is when it is read. For processes that write no snapshot. */
export function openProjection(store: Store): LoadedProjection {
  // A writer can remove a file after the manifest was read. Then there is a newer manifest.
  for (let attempt = 0; ; attempt++) {
    const manifest = readManifest(store.files, store.layout)
    try {
      return openSnapshot(store, manifest)
    } catch (error) {
      if (attempt === 3 || readManifest(store.files, store.layout).generation === manifest.generation) throw error
    }
  }
}

function openSnapshot(store: Store, manifest: Manifest): LoadedProjection {
  const projection = emptyProjection()
  if (manifest.generation === 0) return { projection, manifest, stored: openStored(store, []) }
  const stored = openStored(store, manifest.segments)
  const state = readLearnerState(store, manifest)
  for (const session of state.sessions) projection.sessions.set(session.id, session)
  // An earlier version may lack some fields, and may have others that are dropped here.
  const present = STORED_FIELDS.flatMap((name) => (name in state ? [[name, state[name]]] : []))
  Object.assign(projection, Object.fromEntries(present))
  projection.team = loadTeam(state.team, state.unsent, readTeamLines(store, state.team?.file))
  projection.cursor = manifest.cursor
  projection.memories = MemoryTable.of(stored)
  // Rows and terms of an earlier version differ: the next save analyzes every memory again.
  if (manifest.version >= STORE_VERSION) return { projection, manifest, stored }
  projection.memories = new MemoryTable(projection.memories.values())
  return { projection, manifest: { ...manifest, segments: [] }, stored: openStored(store, []) }
}

/** What readers of the snapshot and its recent segment see, and archived memories. */
export function listCoveredMemories(store: Store): Memory[] {
  const reader = openSnapshotReader(store.files, store.layout, upgradeMemory)
  try {
    const refs = reader.docCounts.flatMap((count, segment) =>
      Array.from({ length: count }, (_, doc) => ({ segment, doc })),
    )
    const active = refs.filter((ref) => reader.hasDoc(ref)).map((ref) => reader.memoryAt(ref))
    const archived = openStored(
      store,
      reader.manifest.segments.filter(({ archive }) => archive),
    )
    return [...active, ...MemoryTable.of(archived).values()]
  } finally {
    reader.close()
  }
}

function readTeamLines({ files, layout }: Store, file: StoredTeam['file']): Buffer | undefined {
  if (file === undefined) return undefined
  const lines = files.read(layout.team(file.generation))
  if (lines === undefined || checksum(lines) !== file.sum) throw missingFileError(layout.team(file.generation))
  return lines
}

/** Writes the entries if one has changed. */
function storeTeam({ files, layout }: Store, team: TeamProjection, generation: number): StoredTeam {
  if (team.entries.isChanged || team.file === undefined) {
    const lines = team.entries.encode()
    files.replace(layout.team(generation), lines)
    team.entries.rebase(lines)
    team.file = { generation, sum: checksum(lines) }
  }
  const { unsent: _, entries: __, ...rest } = team
  return rest
}

/**
 * Writes what changed since the projection was loaded or saved, and makes it the current snapshot. After a checkpoint
 * no memory is held, and another save has to follow.
 */
export function saveProjection(store: Store, loaded: LoadedProjection, now: number, isCheckpoint = false): void {
  const { projection } = loaded
  const generation = loaded.manifest.generation + 1
  const segments = saveMemories(store, loaded, generation, isCheckpoint)
  const { files, layout } = store
  const { judged, momentUse, early, baselines, trials, base, learned, frozen, history } = projection
  const sessions = [...projection.sessions.values()]
  // Earlier versions, which may run in another window, add to a list `moves`.
  const learner = { early, moves: [], baselines, trials, base, learned, frozen, history }
  const { cursor } = projection
  const { aside } = loaded.manifest
  const log = extendLogChain(files, layout.events, loaded.manifest.log, cursor)
  const packed = deflateRawSync(JSON.stringify({ judged, momentUse })).toString('base64')
  const unsent = listUnsent(projection)
  const teamFile = projection.team?.file
  const team = projection.team && storeTeam(store, projection.team, generation)
  const state: PackedState = { sessions, ...learner, packed, team, unsent, log }
  writeJsonFile(files, layout.work(generation), state)
  const policyFile: PolicyFile = { name: base.name, base, learned, frozen, compiled: activePolicy(projection) }
  writeJsonFile(files, layout.policy, policyFile)
  if (!isCheckpoint) writeJsonFile(files, layout.worked, buildSessionFileIndex(projection.memories.heads(), generation))
  const written = new Date(now).toISOString()
  loaded.manifest = { version: STORE_VERSION, generation, cursor, segments, log, aside, written }
  loaded.stored = openStored(store, segments)
  projection.memories.rebase(loaded.stored, !isCheckpoint)
  if (projection.team && unsent) projection.team.unsent = { ...unsent, memories: new Set(unsent.memories) }
  writeRecent(store, loaded, { isCheckpoint })
  removeOldStates(store, generation, [teamFile?.generation, team?.file?.generation])
}

interface RecentMode {
  /** The files of hooks stay as they are: another save has to follow. */
  readonly isCheckpoint?: boolean
  /** Entries that a person asked to remember, if nothing else has changed since hooks' files were written. */
  readonly asked?: readonly Memory[] | undefined
}

/**
 * Writes what the snapshot of `loaded` does not have: changes since then, and what open sessions have learned. Then the
 * manifest, which makes it current.
 */
export function writeRecent(store: Store, loaded: LoadedProjection, mode: RecentMode = {}): void {
  const { files, layout } = store
  const { manifest, projection } = loaded
  const provisional = findProvisional(loaded)
  const recent = writeRecentSegment(store, loaded, provisional)
  if (mode.isCheckpoint !== true) writeHotFiles(store, loaded, provisional, mode.asked)
  const isEmpty = recent.memories === 0 && recent.replaced.length === 0
  const isSnapshotCurrent = isEmpty && JSON.stringify(recent.cursor) === JSON.stringify(manifest.cursor)
  loaded.manifest = {
    ...manifest,
    ...describeSessions(projection),
    recent: isSnapshotCurrent ? undefined : recent,
    log: extendLogChain(files, layout.events, manifest.log, recent.cursor),
  }
  writeJsonFile(files, layout.manifest, loaded.manifest)
  clearRewriteMarks(files, layout.events)
  removeUnusedSegments(store, recent.memories > 0 ? [...manifest.segments, recent] : manifest.segments)
}

/** Writes what hooks need: hot.json for starts, and knowledge.json. Entries alone change only the latter. */
function writeHotFiles(
  { files, layout, project }: Store,
  { projection, manifest: { generation } }: LoadedProjection,
  provisional: ProvisionalMemories,
  asked: readonly Memory[] | undefined,
): void {
  const openSessions = new Set([...projection.sessions.values()].flatMap(({ id, ended }) => (ended ? [] : [id])))
  const context = { openSessions, instructions: readInstructionLines(project.root) }
  if (asked) {
    const start = readJsonIfIntact<SessionStartSnapshot>(files, layout.hot)
    const known = readJsonIfIntact<KnowledgeFile>(files, layout.knowledge)
    if (start?.generation === generation && known?.generation === generation) {
      writeJsonFile(files, layout.knowledge, addToKnowledgeFile(known, asked, context))
      return
    }
  }
  const memories = withProvisional(projection.memories, provisional)
  writeJsonFile(files, layout.hot, buildSessionStartSnapshot(projection, memories, generation))
  const sessionTimes = projection.memories.listCreated('summary')
  const entries = memories.heads().filter(({ hasKnowledge, status }) => hasKnowledge && status === 'active')
  writeJsonFile(files, layout.knowledge, buildKnowledgeFile(entries, generation, { ...context, sessionTimes }))
}

/** What hooks need of the sessions. It is in the manifest, because that is read anyway. */
function describeSessions(projection: Projection): Pick<Manifest, 'open' | 'compacted'> {
  const sessions = [...projection.sessions.values()]
  const open = sessions.flatMap(({ id, ended, pending }) => (ended || pending.length === 0 ? [] : [id]))
  const compacted = sessions.flatMap(({ id, compacted }) => (compacted ? [[id, compacted]] : []))
  return { open, compacted: compacted.length > 0 ? Object.fromEntries(compacted) : undefined }
}

/** Keeps those of the generation before: a process that has read the old manifest may read them next. */
function removeOldStates({ files, layout }: Store, generation: number, teams: readonly (number | undefined)[]): void {
  for (const name of files.list(layout.folder)) {
    const [, kind, digits] = /^(work|team)\.(\d+)\.(?:json|txt)$/.exec(name) ?? []
    const number = Number(digits)
    const isKept = kind === 'team' ? teams.includes(number) : number === generation || number === generation - 1
    if (kind !== undefined && !isKept) files.remove(`${layout.folder}/${name}`)
  }
}

/** Asked after each file of the log: whether the rest is left for later. */
export type IsOverdue = (() => boolean) | undefined

/**
 * Applies the events after the projection's cursor. Returns whether the projection may have changed. If it is overdue
 * after a file of the log, the cursor says how far it has come.
 */
export const applyLogTail = (store: Store, loaded: LoadedProjection, isOverdue?: IsOverdue): boolean =>
  runToEnd(applyLogTailInSteps(store, loaded, isOverdue))

/** The same in steps. Until its end nobody else may use the projection. */
export function* applyLogTailInSteps(store: Store, { projection }: LoadedProjection, isOverdue?: IsOverdue) {
  const { files, layout } = store
  // The log was truncated or exchanged. Its owner's memories stay, and the next maintenance moves it away: guardLog.ts.
  if (isAfterLogEnd(files, layout.events, projection.cursor)) return false
  let isChanged = false
  for (const part of readLogInSteps(files, layout.events, projection.cursor)) {
    yield
    if (!part) continue
    // Events were added to a closed file, before events that were applied already: all must be applied again, in order.
    // With files missing, the entire log would give less than the projection has.
    if (part.hasLateEvents && findMissingLogFiles(store).length === 0) {
      applyEntireLog(store, projection, isOverdue)
      return true
    }
    for (const event of part.events) {
      applyEvent(projection, event)
      yield
    }
    projection.cursor = part.end
    const hasMore = part.events.length > 0
    isChanged ||= hasMore
    // A run that finds the rest of a file has come no further.
    if (hasMore && isOverdue?.()) break
  }
  return isChanged
}

/** Replaces a projection by that of the entire log, or of its first files if it is overdue. */
export function applyEntireLog(store: Store, projection: Projection, isOverdue?: IsOverdue): void {
  Object.assign(projection, emptyProjection())
  const { files, layout } = store
  for (const part of readLogInSteps(files, layout.events, LOG_START, (event) => applyEvent(projection, event))) {
    if (!part) continue
    projection.cursor = part.end
    if (isOverdue?.()) return
  }
}

/** Numbers of missing log files: files that the snapshot has read, or that come before existing ones. */
export const findMissingLogFiles = ({ files, layout }: Store): number[] =>
  // A corrupt or newer manifest says nothing about the log.
  findLogGaps(files, layout.events, readManifestIfValid(files, layout)?.cursor ?? LOG_START)
