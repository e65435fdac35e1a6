// Overview: how a store stands, told cheaply. Sizes, rows and the log's tail are read; never the whole log, never an index.

import type { Event, EventKind } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { MEMORY_KINDS, MEMORY_STATUSES, type MemoryKind } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readLogFile as bytesOfLogFile, listLogFiles } from '../../store/log/logFiles.ts'
import { readLog } from '../../store/log/readLog.ts'
import type { Project } from '../../store/project/project.ts'
import type { Manifest } from '../../store/snapshot/manifest.ts'
import { kindOfRow, ROW_BYTES, statusOfRow, tierOfRow } from '../../store/snapshot/rowFormat.ts'
import { readSegmentRows, toDataView } from '../../store/snapshot/segmentReader.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { EMPTY_SESSION_START, type SessionStartSnapshot } from '../projection/sessionStartFile.ts'

/** Lines are counted up to this size of the log, in bytes: some milliseconds. */
const COUNTED_BYTES_MAX = 16_777_216

const NEWLINE = 0x0a

export interface StoreStatus {
  readonly project: Project
  readonly store: string
  readonly bytes: { readonly log: number; readonly memories: number }
  /** `lines` is null where the log is too large to count; `unread` are those past the current view. */
  readonly events: { readonly lines: number | null; readonly unread: number }
  readonly memories: {
    readonly total: number
    readonly archived: number
    readonly byKind: Readonly<Record<MemoryKind, number>>
    readonly byTier: Readonly<Record<Tier, number>>
  }
  /** Sessions with events that are not organised yet. */
  readonly unorganized: number
  readonly policyVersion: number
  /** ISO time of the current view; null before the first. */
  readonly lastOrganized: string | null
  readonly faults: { readonly count: number; readonly latest: FaultRecord | null }
}

interface FaultRecord {
  readonly at: string
  readonly where: string
  readonly what: string
  readonly hint: string
}

/** How a store stands now. One that is not there yet is empty. Throws STORE_NEWER and STORE_INVALID like every reader. */
export function readStoreStatus(store: Store): StoreStatus {
  const { files, layout } = store
  const manifest = readManifest(files, layout)
  const tail = readLog(files, layout.events, manifest.cursor)
  return {
    project: store.project,
    store: layout.folder,
    bytes: { log: bytesOf(store, layout.events), memories: bytesOf(store, layout.segments) },
    events: { lines: linesOf(store), unread: tail.events.length },
    memories: countsOf(store),
    unorganized: listUnorganizedSessions(store, tail.events).size,
    policyVersion: readActivePolicy(store).version,
    lastOrganized: manifest.written || null,
    faults: faultsOf(store),
  }
}

/**
 * Sessions with something to organise: those the view left open, and those the log names past it. One that is being
 * organised counts until the view is written, for only then can what it learnt be told.
 */
export function listUnorganizedSessions(store: Store, tail = tailOf(store)): ReadonlySet<SessionId> {
  const hot = readJson<SessionStartSnapshot>(store.files, store.layout.hot) ?? EMPTY_SESSION_START
  const open = new Set(hot.open.map((session) => session.id))
  for (const event of tail) if (!isSystemEventKind(event.kind)) open.add(event.session)
  return open
}

/** Written by memctl or through its tools: no session's work, and nothing in it to organise. */
export const isSystemEventKind = (kind: EventKind): boolean =>
  kind.startsWith('memory.') || kind.startsWith('policy.') || OURS.has(kind)

const OURS: ReadonlySet<EventKind> = new Set(['session.improved', 'session.organized'])

const tailOf = (store: Store): readonly Event[] =>
  readLog(store.files, store.layout.events, readManifest(store.files, store.layout).cursor).events

function bytesOf({ files }: Store, folder: string): number {
  return files.list(folder).reduce((sum, name) => sum + (files.size(`${folder}/${name}`) ?? 0), 0)
}

const linesOf = (store: Store): number | null =>
  bytesOf(store, store.layout.events) > COUNTED_BYTES_MAX ? null : countEvents(store)

/** Events as lines of the log, its files' headers left out: all of it is read, nothing parsed. */
export function countEvents({ files, layout }: Store): number {
  let lines = 0
  for (const file of listLogFiles(files, layout.events)) {
    const bytes = bytesOfLogFile(files, layout.events, file)
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
    lines -= bytes.length > 0 ? 1 : 0
  }
  return lines
}

/** Memories counted by their rows; a writer may replace files while we read, then we look again. */
function countsOf(store: Store): StoreStatus['memories'] {
  for (let attempt = 0; ; attempt++) {
    const manifest = readManifest(store.files, store.layout)
    const counts = countsIn(store, manifest)
    if (counts) return counts
    if (attempt === 3) {
      throw new MemoryError('STORE_INVALID', `${store.layout.manifest} names files that are not there`, {
        hint: 'Run `memctl rebuild`: the view is written anew from the log, nothing is lost.',
      })
    }
  }
}

function countsIn(store: Store, manifest: Manifest): StoreStatus['memories'] | undefined {
  const byKind = Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, 0])) as Record<MemoryKind, number>
  const byTier = Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<Tier, number>
  let total = 0
  let archived = 0
  for (const entry of manifest.segments) {
    const bytes = readSegmentRows(store.files, store.layout.segments, entry)
    if (!bytes) return undefined
    const rows = toDataView(bytes)
    for (let row = 0; row < bytes.length / ROW_BYTES; row++) {
      total++
      byKind[MEMORY_KINDS[kindOfRow(rows, row)]!]++
      byTier[TIERS[tierOfRow(rows, row)]!]++
      if (MEMORY_STATUSES[statusOfRow(rows, row)] === 'archived') archived++
    }
  }
  return { total, archived, byKind, byTier }
}

/** What hooks could not do, as they wrote it down. */
function faultsOf({ files, layout }: Store): StoreStatus['faults'] {
  const lines = files.read(layout.faults)?.toString('utf8').split('\n').filter(Boolean) ?? []
  const latest = lines.at(-1)
  return { count: lines.length, latest: latest === undefined ? null : faultIn(latest) }
}

function faultIn(line: string): FaultRecord | null {
  try {
    const { at, where, what, hint } = JSON.parse(line) as FaultRecord
    return { at, where, what, hint: hint }
  } catch {
    return null // Cut short by the very disk it speaks of.
  }
}
