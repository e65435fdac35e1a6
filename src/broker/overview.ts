// Overview: how a store stands, told cheaply. Sizes, rows and the log's tail are read; never the whole log, never an index.
import { MemoryError } from '../model/errors.ts'
import type { Event, EventKind } from '../model/event.ts'
import type { SessionId } from '../model/id.ts'
import { KINDS, type Kind, STATUSES } from '../model/memory.ts'
import { TIERS, type Tier } from '../model/tier.ts'
import { readJson } from '../store/jsonRead.ts'
import { bytesOf as bytesOfLogFile, logFiles } from '../store/logFiles.ts'
import { readLog } from '../store/logRead.ts'
import type { Manifest } from '../store/manifest.ts'
import { readRows, rowsView } from '../store/memoryRead.ts'
import type { Project } from '../store/project.ts'
import { kindOfRow, ROW_BYTES, statusOfRow, tierOfRow } from '../store/row.ts'
import { readManifest } from '../store/shelf.ts'
import { servingPolicy } from './policy/served.ts'
import type { Store } from './store.ts'
import { type Hot, NO_HOT } from './view/hotFile.ts'

/** Lines are counted up to this size of the log, in bytes: some milliseconds. */
const COUNTED_BYTES_MAX = 16_777_216

const NEWLINE = 0x0a

export interface Overview {
  readonly project: Project
  readonly store: string
  readonly bytes: { readonly log: number; readonly memories: number }
  /** `lines` is null where the log is too large to count; `unread` are those past the current view. */
  readonly events: { readonly lines: number | null; readonly unread: number }
  readonly memories: {
    readonly total: number
    readonly archived: number
    readonly byKind: Readonly<Record<Kind, number>>
    readonly byTier: Readonly<Record<Tier, number>>
  }
  /** Sessions with events that are not organised yet. */
  readonly unorganised: number
  readonly policyVersion: number
  /** ISO time of the current view; null before the first. */
  readonly lastOrganised: string | null
  readonly faults: { readonly count: number; readonly latest: Fault | null }
}

interface Fault {
  readonly at: string
  readonly where: string
  readonly what: string
  readonly mend: string
}

/** How a store stands now. One that is not there yet is empty. Throws STORE_NEWER and STORE_INVALID like every reader. */
export function overviewOf(store: Store): Overview {
  const { files, layout } = store
  const manifest = readManifest(files, layout)
  const tail = readLog(files, layout.events, manifest.cursor)
  return {
    project: store.project,
    store: layout.folder,
    bytes: { log: bytesOf(store, layout.events), memories: bytesOf(store, layout.segments) },
    events: { lines: linesOf(store), unread: tail.events.length },
    memories: countsOf(store),
    unorganised: openSessions(store, tail.events).size,
    policyVersion: servingPolicy(store).version,
    lastOrganised: manifest.written || null,
    faults: faultsOf(store),
  }
}

/**
 * Sessions with something to organise: those the view left open, and those the log names past it. One that is being
 * organised counts until the view is written, for only then can what it learnt be told.
 */
export function openSessions(store: Store, tail = tailOf(store)): ReadonlySet<SessionId> {
  const hot = readJson<Hot>(store.files, store.layout.hot) ?? NO_HOT
  const open = new Set(hot.open.map((session) => session.id))
  for (const event of tail) if (!isOurs(event.kind)) open.add(event.session)
  return open
}

/** Written by memctl or through its tools: no session's work, and nothing in it to organise. */
export const isOurs = (kind: EventKind): boolean =>
  kind.startsWith('memory.') || kind.startsWith('policy.') || OURS.has(kind)

const OURS: ReadonlySet<EventKind> = new Set(['session.improved', 'session.organized'])

const tailOf = (store: Store): readonly Event[] =>
  readLog(store.files, store.layout.events, readManifest(store.files, store.layout).cursor).events

function bytesOf({ files }: Store, folder: string): number {
  return files.list(folder).reduce((sum, name) => sum + (files.size(`${folder}/${name}`) ?? 0), 0)
}

const linesOf = (store: Store): number | null =>
  bytesOf(store, store.layout.events) > COUNTED_BYTES_MAX ? null : eventCount(store)

/** Events as lines of the log, its files' headers left out: all of it is read, nothing parsed. */
export function eventCount({ files, layout }: Store): number {
  let lines = 0
  for (const file of logFiles(files, layout.events)) {
    const bytes = bytesOfLogFile(files, layout.events, file)
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
    lines -= bytes.length > 0 ? 1 : 0
  }
  return lines
}

/** Memories counted by their rows; a writer may replace files while we read, then we look again. */
function countsOf(store: Store): Overview['memories'] {
  for (let attempt = 0; ; attempt++) {
    const manifest = readManifest(store.files, store.layout)
    const counts = countsIn(store, manifest)
    if (counts) return counts
    if (attempt === 3) {
      throw new MemoryError('STORE_INVALID', `${store.layout.manifest} names files that are not there`, {
        mend: 'Run `memctl rebuild`: the view is written anew from the log, nothing is lost.',
      })
    }
  }
}

function countsIn(store: Store, manifest: Manifest): Overview['memories'] | undefined {
  const byKind = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  const byTier = Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<Tier, number>
  let total = 0
  let archived = 0
  for (const entry of manifest.segments) {
    const bytes = readRows(store.files, store.layout.segments, entry)
    if (!bytes) return undefined
    const rows = rowsView(bytes)
    for (let row = 0; row < bytes.length / ROW_BYTES; row++) {
      total++
      byKind[KINDS[kindOfRow(rows, row)]!]++
      byTier[TIERS[tierOfRow(rows, row)]!]++
      if (STATUSES[statusOfRow(rows, row)] === 'archived') archived++
    }
  }
  return { total, archived, byKind, byTier }
}

/** What hooks could not do, as they wrote it down. */
function faultsOf({ files, layout }: Store): Overview['faults'] {
  const lines = files.read(layout.faults)?.toString('utf8').split('\n').filter(Boolean) ?? []
  const latest = lines.at(-1)
  return { count: lines.length, latest: latest === undefined ? null : faultIn(latest) }
}

function faultIn(line: string): Fault | null {
  try {
    const { at, where, what, mend } = JSON.parse(line) as Fault
    return { at, where, what, mend }
  } catch {
    return null // Cut short by the very disk it speaks of.
  }
}
