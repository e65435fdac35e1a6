// Erases memories, sessions and texts from every store of a person, and from everything derived. It cannot be undone.
//
//   plan ─▶ each store: log in place ─▶ rebuild ─▶ other files of memctl's home ─▶ what is left, for the report
//
// A preview takes the same steps and writes nothing. What is erased here and the team has is forgotten by the team, and
// the reverse: the second part of this file.
import type { Event } from '../../model/event.ts'
import { isMemoryId, type MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'
import { storeBusyError, withLockOrThrow } from '../../store/disk/lock.ts'
import { eraseInLog } from '../../store/log/rewriteLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { createCopyFinder } from '../../text/copies/findCopies.ts'
import { firstLine } from '../../text/excerpt.ts'
import { commitAndApply, commitEvents, systemEvent } from '../commit/commitEvents.ts'
import { assertLogComplete, loadOrRebuild } from '../maintenance/loadFromLog.ts'
import { rebuildStore } from '../maintenance/rebuild.ts'
import { openGlobalStore, openNamedStore, type Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'
import { eraseEntries, eraseOtherFiles, eraseReports, findLeftFiles, findStaleFiles } from './eraseOtherFiles.ts'
import {
  combine,
  type ErasedEvent,
  type ErasedMemory,
  type ErasureOptions,
  type ErasurePlan,
  type ErasureRequest,
  type ErasureResult,
  eraseTexts,
  planErasure,
  withoutMemories,
} from './erasurePlan.ts'
import { listTeamTexts, readEvents, replayLog } from './memorySources.ts'

/** Events named in a report, at most. */
const EVENTS_MAX = 200

/**
 * Erases, or with `dryRun` reports what would be erased. Throws NOT_FOUND for unknown ids, STORE_INVALID for a log with
 * missing files and STORE_BUSY while another process writes: run it again then, it continues.
 */
export function eraseEverywhere(
  store: Store,
  request: ErasureRequest,
  { now, dryRun = false }: ErasureOptions,
): ErasureResult {
  assertLogComplete(store)
  const { own, others } = planErasure(store, request)
  const stores = listHomeStores(store).map((each) => ({ store: each, plan: each === store ? own : others }))
  // All are searched before the first one is changed.
  const found = stores.map(({ store: each, plan }) => ({ store: each, plan, ...searchStore(each, plan) }))
  const entries = eraseEntries(store, own.finder, { global: dryRun, project: dryRun || request.entries !== true })
  const affected = found
    .filter(
      ({ store: each, files, stale }) => files.length + stale.length > 0 || (each === store && own.memories.size > 0),
    )
    .map(({ store: each, plan }) => planMemories(each, plan))
  const memories = affected.flatMap((each) => each.memories)
  if (!dryRun) {
    for (const { store: each } of affected) assertLogComplete(each)
    for (const { store: each, plan } of affected) {
      const label = storeLabel(each)
      const changed = memories.flatMap(({ store: name, id }) => (name === label ? [id] : []))
      eraseInStore(each, publishForgets(each, plan, changed, now), now)
    }
  }
  const stale = found.flatMap((each) => each.stale).map((file) => ({ file, action: 'redacted' as const }))
  const reports = eraseReports(
    affected.map((each) => each.store),
    dryRun,
  )
  const isReport = (file: string): boolean => reports.some((report) => report.file === file)
  const rest = eraseOtherFiles(store, stores, { finder: own.finder, dryRun }).filter(({ file }) => !isReport(file))
  const otherFiles = [...entries.global, ...stale, ...reports, ...rest]
  const files = found.flatMap((each) => each.files)
  const sum = (field: 'removed' | 'redacted'): number => files.reduce((total, file) => total + file[field], 0)
  const changed = new Set(dryRun ? otherFiles.map(({ file }) => file) : [])
  const left = findLeftFiles(store, stores, { finder: own.finder, dryRun })
  return {
    dryRun,
    removed: sum('removed'),
    redacted: sum('redacted'),
    files,
    events: found.flatMap((each) => each.events).slice(0, EVENTS_MAX),
    memories,
    otherFiles,
    entries: entries.project,
    left: left.filter((file) => !changed.has(file)),
  }
}

function searchStore(store: Store, plan: ErasurePlan) {
  const label = storeLabel(store)
  const events: ErasedEvent[] = []
  const eraseEvent = (event: Event, file: string): Event | undefined => {
    const rest = plan.erase(event)
    if (rest !== event) events.push(previewEvent(event, rest, { store: label, file }))
    return rest
  }
  const { files, layout } = store
  const erased = eraseInLog(files, layout.events, {
    eraseEvent,
    isErasable: plan.isErasable,
    sealsTail: true,
    dryRun: true,
  })
  return {
    files: erased.map((file) => ({ ...file, store: label })),
    events,
    /** Derived files that have what the log has not: a rebuild replaces them. */
    stale: erased.length > 0 ? [] : findStaleFiles(store, plan),
  }
}

/** Erases from a store's log, and rebuilds what is derived from it. Throws STORE_BUSY. */
export function eraseInStore(store: Store, plan: ErasurePlan, now: number): void {
  const { files, layout } = store
  const options = { eraseEvent: plan.erase, isErasable: plan.isErasable, sealsTail: true }
  // First: once the log has lost a text, nothing says any more which memories had no other, or what was said of them.
  const { memories, kept: stored = [] } = plan
  const key = [...memories, ...stored.map(({ id }) => id)]
  // As changes too: a session that is open does not derive them again.
  const changes = stored.map(({ id, content, knowledge }) => ({ memory: id, content, knowledge }))
  if (stored.length > 0) commitEvents(store, [systemEvent({ kind: 'memory.batch', stored, changes }, { now, key })])
  if (memories.size > 0)
    commitEvents(store, [systemEvent({ kind: 'memory.deleted', memories: [...memories] }, { now, key })])
  withLockOrThrow(files, layout.lock, () => eraseInLog(files, layout.events, options))
  // Its log was checked above; a damaged line elsewhere must not keep a text that should be erased.
  if (rebuildStore(store, now, { allowIncomplete: true }).busy) throw storeBusyError()
  // Not even the learner's state that is kept for slow readers.
  files.remove(layout.work(readManifest(files, layout).generation - 1))
}

const TEXT_CHARS_MAX = 100

/** A changed event; `rest` is undefined for one that is removed. */
function previewEvent(event: Event, rest: Event | undefined, place: Pick<ErasedEvent, 'store' | 'file'>): ErasedEvent {
  const { kind, at, session, privacy } = event
  const text = privacy === 'private' ? '' : describeChange(event, rest)
  return { ...place, kind, at, session, action: rest === undefined ? 'removed' : 'redacted', text }
}

/** The string that loses most; of a removed event the one that says most. */
function describeChange(event: Event, rest: Event | undefined): string {
  const before = listTexts(event)
  const after = rest === undefined ? [] : listTexts(rest)
  const lost = rest === undefined ? before : before.filter((text) => !after.includes(text))
  const [text = ''] = lost.sort((a, b) => b.length - a.length)
  if (rest === undefined) return firstLine(text, TEXT_CHARS_MAX)
  // Around the first difference.
  const other = after.find((candidate) => candidate.startsWith(text.slice(0, 8))) ?? ''
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  return firstLine(text.slice(Math.max(0, at - TEXT_CHARS_MAX / 3)), TEXT_CHARS_MAX)
}

const NAMES: ReadonlySet<string> = new Set(
  'id at session kind agentId role taskId call privacy outcome terms'.split(' '),
)

/** Says nothing to a person. */
const TIME_OR_ID = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f-]{32,36})$/

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return TIME_OR_ID.test(value) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => (NAMES.has(name) ? [] : listTexts(field)))
}

/** The memories that a store loses, and those that lose a part of their text. The plan deletes what loses all of it. */
function planMemories(store: Store, plan: ErasurePlan) {
  const events = readEvents(store)
  const before = replayLog(events, (event) => event)
  const after = replayLog(events, plan.erase)
  const label = storeLabel(store)
  const deleted = new Set(plan.memories)
  const again = new Map<MemoryId, Memory>()
  const kept: Memory[] = []
  for (const memory of after.values()) {
    if (!memory.knowledge || before.has(memory.id)) continue
    // Its words are others now, and so is its id. What was deleted before is derived from nothing that stands.
    const known = [...before.values()].find((other) => !again.has(other.id) && isBefore(other, memory, after))
    if (known) again.set(known.id, memory)
    else deleted.add(memory.id)
    if (known && stateOf(known) !== stateOf(memory)) kept.push(keepState(known, memory))
  }
  const memories = [...before.values()].flatMap((memory): ErasedMemory[] => {
    const { id, kind } = memory
    const rest = deleted.has(id) ? undefined : (again.get(id) ?? after.get(id))
    if (rest && textOf(memory) === textOf(rest)) return []
    const isEmptied = rest !== undefined && !/[\p{L}\p{N}]/u.test(rest.knowledge?.line ?? rest.content)
    if (isEmptied) deleted.add(rest.id)
    const text = isPrivate(memory) ? '' : firstLine(memory.content, TEXT_CHARS_MAX)
    return [{ store: label, id, kind, action: rest === undefined || isEmptied ? 'removed' : 'redacted', text }]
  })
  return { store, plan: { ...plan, memories: deleted, kept }, memories }
}

/** Whether an entry that nothing gives any more came from the same events as one that is new. */
const isBefore = (known: Memory, memory: Memory, after: ReadonlyMap<MemoryId, Memory>): boolean =>
  known.knowledge !== undefined && !after.has(known.id) && known.events.some((event) => memory.events.includes(event))

/** What a person or a later session has decided of an entry. */
const stateOf = ({ status, supersededBy, pinned, knowledge }: Memory): string =>
  JSON.stringify([status, supersededBy, pinned, knowledge?.state, knowledge?.scope])

function keepState(known: Memory, memory: Memory): Memory {
  const { status, supersededBy, pinned, importance } = known
  const entry = { ...memory, status, supersededBy, pinned, importance }
  if (!memory.knowledge || !known.knowledge) return entry
  const { state, scope, record } = known.knowledge
  return { ...entry, knowledge: { ...memory.knowledge, state, scope, record } }
}

const textOf = ({ content, lessons, searchText }: Memory): string => JSON.stringify([content, lessons, searchText])

/** This store, and all others that have a log. */
function listHomeStores(store: Store): Store[] {
  const { files, home } = store
  const names = home === undefined ? [] : files.list(`${home}/projects`)
  const others = [...names.map((name) => openNamedStore(store, name)), openGlobalStore(store)].filter(
    ({ layout }) => layout.folder !== store.layout.folder && files.list(layout.events).length > 0,
  )
  return [store, ...others]
}

/** How messages name a store: `projects/shop-1a2b`, `global`; one outside of memctl's home by its path. */
function storeLabel({ home, layout }: Store): string {
  return home !== undefined && layout.folder.startsWith(`${home}/`)
    ? layout.folder.slice(home.length + 1)
    : layout.folder
}

// Forgetting together: what is erased here and the team has is forgotten by the team, and the reverse.
//
//   memctl forget ─▶ team.published [forget] ─▶ erasure here         the next sync sends it
//   team.received [forgotten] ─▶ the memory is gone ─▶ erasure here     by the run that has received it

/**
 * The plan with every text of the team that it changes, as a whole; after a `forget` for each of these memories was
 * appended. `changed` are the memories that lose text. The plan itself if the team has none of them.
 */
function publishForgets(store: Store, plan: ErasurePlan, changed: readonly MemoryId[], now: number): ErasurePlan {
  const events = readEvents(store)
  if (!events.some(({ kind }) => kind === 'team.joined')) return plan
  return withLockOrThrow(store.files, store.layout.lock, () => {
    const { loaded } = loadOrRebuild(store)
    applyLogTail(store, loaded)
    const { team } = loaded.projection
    const touched = events.flatMap((event) => listTouched(event, plan))
    const ids = [...new Set([...plan.memories, ...changed, ...touched])].filter(
      (id) => isMemoryId(id) && team?.entries.get(id)?.state === 'active',
    )
    if (ids.length === 0) return plan
    const operations = ids.map((memory) => ({ kind: 'forget', memory }))
    commitAndApply(store, loaded, [systemEvent({ kind: 'team.published', operations }, { now, key: ids })])
    const shared = new Set(ids)
    const memories = new Set([...plan.memories, ...ids])
    return { ...plan, memories, erase: combine([plan.erase, (event) => withoutMemories(event, shared)]) }
  })
}

function listTouched(event: Event, { erase }: ErasurePlan): MemoryId[] {
  if (event.kind !== 'team.published' && event.kind !== 'team.received') return []
  const rest = erase(event)
  if (rest === event) return []
  const kept = new Set(rest?.kind === event.kind ? rest.operations.map((operation) => JSON.stringify(operation)) : [])
  return event.operations.flatMap((operation) => (kept.has(JSON.stringify(operation)) ? [] : [operation.memory]))
}

/**
 * What a `forget` of the team erases in this store: the texts of the team, and copies of their texts. The
 * events that this machine has derived one of them from itself stay, without these texts.
 */
export function planTeamErasure(store: Store, ids: readonly MemoryId[]): ErasurePlan {
  const memories = new Set(ids)
  const finder = createCopyFinder(listTeamTexts(readEvents(store), memories))
  return {
    erase: combine([(event) => withoutMemories(event, memories), eraseTexts(finder)]),
    isErasable: (bytes) => finder.find(bytes.toString('utf8'), true).length > 0,
    finder,
    memories,
  }
}
