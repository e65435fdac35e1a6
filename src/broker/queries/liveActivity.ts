// What happens in a store now, for a view that is refreshed: read without a lock, kept up to date by the log's tail.
import { callCommand, type Event, type EventOf, eventTimeMs } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { Features, RecallMoment } from '../../model/recallQuery.ts'
import { isOwnerAlive, readLockOwner } from '../../store/disk/lock.ts'
import { readTailLines } from '../../store/log/eventLog.ts'
import { decodeUnverified } from '../../store/log/logLine.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/applyLogTail.ts'
import type { SessionState } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { findProvisional } from '../projection/provisionalMemories.ts'
import { readStoreStatus, type StoreStatus } from './storeStatus.ts'

/** How much of the log is read for what happened last, from its end: 2 MiB take some 10 ms. */
const TAIL_BYTES = 2_097_152

/** Notes and failures that are kept, the latest. */
const LISTED_MAX = 200

/** A session without an event for this long is not open any more, whatever the log says. */
const OPEN_MS = 12 * 3_600_000

/** Minutes of the event rate. */
const RATE_MINUTES = 30

const TEXT_CHARS = 300

export interface OpenSession {
  readonly id: string
  readonly started: string
  readonly lastAt: string
  readonly branch?: string | undefined
  readonly events: number
  readonly notes: number
  /** The first line of its last prompt. */
  readonly prompt?: string | undefined
}

/** A note that was shown, or a failure whose fix is known. */
export interface ActivityItem {
  readonly kind: 'note' | 'failure'
  readonly at: string
  readonly session: string
  /** The prompt, the command or the error; empty at a start. */
  readonly cue: string
  readonly memory: MemoryId
  /** The first line of the memory; of a failure, of its lesson. */
  readonly title: string
  /** Of a note: where, and what it was ranked by. */
  readonly moment?: RecallMoment
  readonly features?: Features
}

export interface Activity {
  /** ISO time. */
  readonly at: string
  readonly sessions: readonly OpenSession[]
  /** Events of each of the last 30 minutes, the current one last. */
  readonly perMinute: readonly number[]
  /** The latest first. */
  readonly items: readonly ActivityItem[]
  readonly isWorking: boolean
  readonly status: StoreStatus
}

export interface LiveActivity {
  /** The activity now. */
  read(now: number): Activity
  /** The memory of an item; undefined if it is gone. */
  find(id: MemoryId): Memory | undefined
}

/** Loads the snapshot once, and again only if a newer one was written. Throws STORE_NEWER and STORE_INVALID. */
export function openLiveActivity(store: Store): LiveActivity {
  let loaded = loadProjection(store)
  const canSee = ({ privacy }: Memory): boolean =>
    privacy === 'public' || (privacy !== 'private' && !store.isForSession)
  const find = (id: MemoryId): Memory | undefined => {
    const memory = loaded.projection.memories.get(id) ?? findProvisional(loaded).get(id)
    return memory && canSee(memory) ? memory : undefined
  }
  return {
    find,
    read(now) {
      const { generation } = readManifest(store.files, store.layout)
      if (generation !== loaded.manifest.generation) loaded = loadProjection(store)
      applyLogTail(store, loaded) // Only in this process: nothing is written.
      const events = readLatest(store)
      const sessions = [...loaded.projection.sessions.values()].filter(
        ({ ended, lastAt }) => !ended && now - Date.parse(lastAt) < OPEN_MS,
      )
      return {
        at: new Date(now).toISOString(),
        sessions: sessions.sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1)).map(describeSession),
        perMinute: countPerMinute(events, now),
        items: listItems(events, loaded.projection.memories, find),
        isWorking: isLocked(store),
        status: readStoreStatus(store),
      }
    },
  }
}

/** Whether a process organizes the store. */
function isLocked({ files, layout }: Store): boolean {
  const owner = readLockOwner(files, layout.lock)
  return owner !== undefined && isOwnerAlive(owner)
}

/** The latest events that everybody may see, the latest first. */
function readLatest({ files, layout, isForSession }: Store): Event[] {
  const lines = readTailLines(files, layout.events, { session: undefined, bytesMax: TAIL_BYTES })
  return [...lines].flatMap((line) => {
    const event = decodeUnverified(line)
    const isHidden = event?.privacy === 'private' || (isForSession && event?.privacy !== 'public')
    return event && !isHidden ? [event] : []
  })
}

function describeSession({ id, started, lastAt, branch, pending }: SessionState): OpenSession {
  const prompt = pending.findLast((event) => event.kind === 'prompt' && event.agentId === undefined)
  const recalls = pending.filter((event) => event.kind === 'recalled')
  return {
    id,
    started,
    lastAt,
    branch,
    events: pending.length,
    notes: recalls.reduce((sum, event) => sum + (event.withheld ? 0 : event.shown.length), 0),
    prompt: prompt?.kind === 'prompt' && prompt.privacy === 'public' ? firstLine(prompt.text, TEXT_CHARS) : undefined,
  }
}

function countPerMinute(events: readonly Event[], now: number): readonly number[] {
  const counts = Array.from({ length: RATE_MINUTES }, () => 0)
  for (const event of events) {
    const minute = RATE_MINUTES - 1 - Math.floor((now - eventTimeMs(event)) / 60_000)
    if (minute >= 0 && minute < RATE_MINUTES) counts[minute] = (counts[minute] ?? 0) + 1
  }
  return counts
}

function listItems(
  events: readonly Event[],
  memories: ReadonlyMap<MemoryId, Memory>,
  find: (id: MemoryId) => Memory | undefined,
): ActivityItem[] {
  const fixes = new Map<string, Memory>()
  for (const memory of memories.values()) {
    if (memory.errorSignature && memory.kind === 'lesson' && memory.status === 'active')
      fixes.set(memory.errorSignature, memory)
  }
  const items: ActivityItem[] = []
  for (const event of events) {
    if (items.length >= LISTED_MAX) break
    if (event.kind === 'recalled' && !event.withheld) items.push(...listNotes(event, find))
    if (event.kind !== 'call.failed' || event.errorSignature === undefined) continue
    const fix = fixes.get(event.errorSignature)
    // What this failure taught was not known when it happened.
    const lesson = fix && fix.created < event.at ? find(fix.id) : undefined
    if (lesson)
      items.push({
        kind: 'failure',
        ...describeEvent(event, firstLine(callCommand(event) || event.tool, TEXT_CHARS), lesson),
      })
  }
  return items
}

const listNotes = (event: EventOf<'recalled'>, find: (id: MemoryId) => Memory | undefined): ActivityItem[] =>
  event.shown.flatMap(({ memory: id, features }) => {
    const memory = find(id)
    const { moment, cue } = event
    return memory
      ? [{ kind: 'note', ...describeEvent(event, firstLine(cue, TEXT_CHARS), memory), moment, features }]
      : []
  })

const describeEvent = ({ at, session }: Event, cue: string, memory: Memory) => ({
  at,
  session,
  cue,
  memory: memory.id,
  title: firstLine(memory.statement?.short ?? memory.content, TEXT_CHARS),
})
