// The status of a store, at low cost: it reads sizes, rows and the log's tail.
import { listKnownInvalid, scanEntryDirs } from '../../entries/entryDirs.ts'
import type { Event, EventKind } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { MEMORY_KINDS, type MemoryKind, TIERS, type Tier } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isPrivate } from '../../model/privacy.ts'
import { parseObject } from '../../model/unknownJson.ts'
import type { MemoryTable } from '../../organize/memoryTable.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { listLogFiles, readLog, readLogFile } from '../../store/log/readLog.ts'
import { hasContent, readTrust } from '../../store/project/contentTrust.ts'
import { titleOfStore } from '../../store/project/folderEvidence.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { openLiveStore } from '../live/liveStore.ts'
import { openNamedStore, type Store } from '../open/openStore.ts'
import { findEarlierMemory } from '../open/projectTrust.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { EMPTY_SESSION_START, type SessionStartSnapshot } from '../projection/sessionStartFile.ts'

/** The lines of larger logs are not counted, in bytes. Counting takes some milliseconds at this size. */
const COUNTED_BYTES_MAX = 16_777_216

const NEWLINE = 0x0a

export type StoreStatus = ReturnType<typeof readStoreStatus>

interface FaultRecord {
  readonly code: string
  readonly at: string
  readonly where: string
  readonly what: string
  readonly hint: string
}

/** The status now. A store without files is empty. Throws STORE_NEWER and STORE_INVALID. */
export function readStoreStatus(store: Store, liveStore = openLiveStore(store)) {
  const { files, layout } = store
  const manifest = readManifest(files, layout)
  const tail = readLog(files, layout.events, manifest.cursor)
  const faults = readFaults(store)
  const isLogSmall = sumFileSizes(store, layout.events) <= COUNTED_BYTES_MAX
  return {
    project: store.project,
    store: layout.folder,
    bytes: { log: sumFileSizes(store, layout.events), memories: sumFileSizes(store, layout.segments) },
    /** `lines` is null if the log is too large to count; `unread` are the events after the current snapshot. */
    events: { lines: isLogSmall ? countEvents(store) : null, unread: tail.events.length },
    memories: countMemories(liveStore.memories()),
    unorganized: listUnorganizedSessions(store, tail.events).size,
    policyVersion: readActivePolicy(store).version,
    /** ISO time of the current snapshot; null before the first. */
    lastOrganized: manifest.written || null,
    /** Entry files that memctl cannot read, as of the last sync: complete paths. */
    invalidEntries: [...listKnownInvalid(store), ...scanEntryDirs(store).faults.map(({ file }) => file)],
    /** Whether the person trusts what the repository brings, and whether it brings anything. */
    trust: readTrust(store),
    hasContent: hasContent(store),
    /** Memories that the folder may have had before it changed, and that are not used. */
    earlier: listEarlierMemory(store),
    /** `incomplete`: payloads that a hook did not get in time; the session's end takes them from the transcript. */
    faults: { count: faults.length, incomplete: faults.filter(isIncomplete).length, latest: faults.at(-1) ?? null },
  }
}

/**
 * Sessions with something to organize: those open in the snapshot, and those with events after it. A session that is
 * being organized counts until the snapshot is written, because its memories are not recalled before.
 */
export function listUnorganizedSessions(store: Store, tail = readTail(store)): ReadonlySet<SessionId> {
  const hot = readJson<SessionStartSnapshot>(store.files, store.layout.hot) ?? EMPTY_SESSION_START
  const open = new Set(hot.open.map((session) => session.id))
  for (const event of tail) if (!isSystemEventKind(event.kind)) open.add(event.session)
  return open
}

/** Whether events of this kind are written by memctl or its tools: they are nothing to organize. */
export const isSystemEventKind = (kind: EventKind): boolean =>
  kind.startsWith('memory.') ||
  kind.startsWith('team.') ||
  kind.startsWith('policy.') ||
  kind === 'session.improved' ||
  kind === 'session.organized' ||
  kind === 'session.distilled'

const readTail = (store: Store): readonly Event[] =>
  readLog(store.files, store.layout.events, readManifest(store.files, store.layout).cursor).events

/** The size of the files in a folder, without its folders. */
function sumFileSizes({ files }: Store, folder: string): number {
  return files.list(folder).reduce((sum, name) => sum + (files.size(`${folder}/${name}`) ?? 0), 0)
}

/** The number of lines of the log, without the headers of its files. Reads all of it and parses nothing. */
export function countEvents({ files, layout }: Store): number {
  let lines = 0
  for (const file of listLogFiles(files, layout.events)) {
    const bytes = readLogFile(files, layout.events, file)
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
    lines -= bytes.length > 0 ? 1 : 0
  }
  return lines
}

/** The number of a store's memories now, archived ones included and private ones not; 0 if it cannot be read. */
export function countStored(store: Store): number {
  try {
    return countMemories(openLiveStore(store).memories()).total
  } catch (error) {
    if (error instanceof MemoryError) return 0 // `memctl doctor` reports a damaged store.
    throw error
  }
}

/** Counts the memories that are not private. */
export function countMemories(table: MemoryTable) {
  const memories = table.heads().filter((head) => !isPrivate(head))
  const byKind = Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, 0])) as Record<MemoryKind, number>
  const byTier = Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<Tier, number>
  for (const { kind, tier } of memories) {
    byKind[kind]++
    byTier[tier]++
  }
  const archived = memories.filter(({ status }) => status === 'archived').length
  return { total: memories.length, archived, byKind, byTier }
}

/** Whether it is about a payload that a hook did not get in time. */
export const isIncomplete = ({ code }: FaultRecord): boolean => code === 'PAYLOAD_INCOMPLETE'

/** The faults that hooks have recorded, oldest first. Those of earlier versions have `mend` instead of `hint`. */
export function readFaults({ files, layout }: Store): FaultRecord[] {
  const lines = files.read(layout.faults)?.toString('utf8').split('\n') ?? []
  return lines.flatMap((line) => {
    const fields = parseObject(line) as Partial<Record<keyof FaultRecord | 'mend', string>> | undefined
    if (!fields) return []
    const { code = '', at = '', where = '', what = '', mend = '', hint = mend } = fields
    return [{ code, at, where, what, hint }]
  })
}

/** The memories that the folder of this store may have had before, the most likely first. */
export function listEarlierMemory(store: Store) {
  const { files, home, layout, project } = store
  if (home === undefined || project.linkedFrom !== undefined) return []
  const isNew = files.list(layout.events).length === 0
  return findEarlierMemory(store, project.root).map(({ store: name, reason, isCertain }, i) => ({
    store: name,
    title: titleOfStore(files, home, name),
    memories: countStored(openNamedStore(store, name)),
    /** What connects it with the folder. */
    reason,
    /** Whether the next session uses it without a question. */
    joins: i === 0 && isCertain && isNew,
  }))
}
