// A generated store of a given size for measurements: its sessions are organized and its memories stored by the broker.
//
//   <folder>/m10000-e5000/home      MEMCTL_HOME of the measured hooks
//   <folder>/m10000-e5000/shop      the project they work in
//   <folder>/m10000-e5000/made.json written last: the store is complete and is used again
import fs from 'node:fs'
import path from 'node:path'
import { commitEvents } from '../../broker/commit/commitEvents.ts'
import { eventFromPayload, openHookContext } from '../../broker/handlers/hookContext.ts'
import { runMaintenance } from '../../broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../broker/open/openStore.ts'
import { confirmProjectId } from '../../broker/open/projectTrust.ts'
import { loadProjection } from '../../broker/projection/projectionFiles.ts'
import type { LoadedProjection } from '../../broker/projection/saveMemories.ts'
import type { Event, EventOf } from '../../model/event.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { compressColdFiles } from '../../store/log/compressLog.ts'
import { listPlainLogFiles, logFileName } from '../../store/log/eventLog.ts'
import { detectUserSignals } from '../../text/intent/userSignals.ts'
import { type Random, seededRandom } from './seededRandom.ts'
import { generateMemory, generateSession } from './syntheticSession.ts'

export interface FixtureSize {
  /** Stored memories, besides those derived from the sessions. */
  readonly memories: number
  /** Hook events of earlier sessions. */
  readonly events: number
}

export interface FixtureStore {
  readonly store: Store
  readonly home: string
  /** The project's folder. */
  readonly root: string
}

/** Version of the generated data: raise it when a generator changes. */
const DATA_VERSION = 2

const SEED = 20_260_101

/** The end and the length of the generated history. */
const END_MS = Date.UTC(2026, 0, 1)
const HISTORY_MS = 300 * 86_400_000

const SESSION_EVENTS = 120

/**
 * Sessions that are organized before each snapshot, at least; a long history is divided into SNAPSHOTS_MAX parts. More
 * snapshots would take hours, with the same result.
 */
const BATCH_SESSIONS_MIN = 20
const SNAPSHOTS_MAX = 20

/** Memories stored per snapshot. */
const BATCH_MEMORIES = 20_000

/** The store of this size in `folder`, generated unless it exists. `onProgress` is called after each step. */
export function buildFixture(
  folder: string,
  size: FixtureSize,
  version: string,
  onProgress: (step: string) => void = () => {},
): FixtureStore {
  const own = path.join(folder, `m${size.memories}-e${size.events}`)
  const folders = { home: path.join(own, 'home'), root: path.join(own, 'shop') }
  const made = path.join(own, 'made.json')
  const { memories, events } = size
  const label = JSON.stringify({ version, world: DATA_VERSION, seed: SEED, memories, events })
  const exists = fs.existsSync(made) && fs.readFileSync(made, 'utf8') === label
  if (!exists) {
    removeOld(own)
    fs.mkdirSync(path.join(folders.root, '.memctl'), { recursive: true })
    fs.writeFileSync(path.join(folders.root, '.memctl', 'project.yaml'), 'id: memctl-bench\n')
  }
  const env = { MEMCTL_HOME: folders.home }
  if (!exists) confirmProjectId(folders.root, env)
  const store = openStore(folders.root, env)
  if (!exists) {
    generate(store, size, onProgress)
    fs.writeFileSync(made, label)
  }
  return { store, ...folders }
}

/** Removes the store of an earlier bench. Throws INPUT_INVALID for any other folder: it has no `shop`. */
function removeOld(own: string): void {
  if (!fs.existsSync(own)) return
  if (!fs.existsSync(path.join(own, 'shop', '.memctl', 'project.yaml'))) {
    throw new MemoryError('INPUT_INVALID', `${own} was not created by a bench`, {
      hint: 'Name another folder: `--store DIR`.',
    })
  }
  fs.rmSync(own, { recursive: true })
}

function generate(store: Store, size: FixtureSize, onProgress: (step: string) => void): void {
  const random = seededRandom(SEED)
  const loaded = loadProjection(store)
  const sessions = Math.ceil(size.events / SESSION_EVENTS)
  const batch = Math.max(BATCH_SESSIONS_MIN, Math.ceil(sessions / SNAPSHOTS_MAX))
  for (let first = 0; first < sessions; first += batch) {
    const last = Math.min(sessions, first + batch)
    const known = [...loaded.projection.memories.keys()]
    for (let i = first; i < last; i++) {
      const count = Math.min(SESSION_EVENTS, size.events - i * SESSION_EVENTS)
      appendSession(store, random, { session: `earlier-${i}`, events: count, startMs: timeAt(i, sessions) }, known)
    }
    organizeAll(store, loaded, timeAt(last, sessions))
    onProgress(`${last} of ${sessions} sessions`)
  }
  for (let first = 0; first < size.memories; first += BATCH_MEMORIES) {
    const last = Math.min(size.memories, first + BATCH_MEMORIES)
    const events = Array.from({ length: last - first }, (_, i) =>
      generateMemory(random, first + i, size.memories, timeAt(first + i, size.memories)),
    )
    commitEvents(store, events)
    organizeAll(store, loaded, END_MS)
    onProgress(`${last} of ${size.memories} memories`)
  }
  organizeAll(store, loaded, END_MS)
  // In a real store each session's end compresses a few files.
  while (compressColdFiles(store.files, store.layout.events, loaded.manifest.cursor, END_MS).length > 0)
    onProgress('the cold log')
}

const timeAt = (i: number, of: number): number => END_MS - HISTORY_MS + Math.floor((HISTORY_MS * i) / Math.max(1, of))

export interface GeneratedSession {
  readonly session: string
  /** Number of hook events. */
  readonly events: number
  readonly startMs: number
}

/** Appends a generated session as its hooks would; its recalls show some of these memories. */
export function appendSession(
  store: Store,
  random: Random,
  { session, events, startMs }: GeneratedSession,
  shown: readonly MemoryId[],
): void {
  const setting = {
    root: store.project.root,
    session,
    branch: random.isOneIn(2) ? 'main' : `feature/${random.below(300)}`,
  }
  const recorded = eventsFromPayloads(store, generateSession(random, setting, events, startMs))
  commitEvents(store, addSyntheticRecalls(random, recorded, shown))
}

/** Memories that a generated recall shows, at most. */
const SHOWN_MAX = 3

/** One in this many prompts and failures has no recall. */
const SILENT_OF = 2

/** The events with generated recalls of these memories after some prompts and failures, so that improving has input. */
function addSyntheticRecalls(random: Random, events: readonly Event[], memories: readonly MemoryId[]): Event[] {
  if (memories.length === 0) return [...events]
  return events.flatMap((event): Event[] => {
    if (event.kind !== 'prompt' && event.kind !== 'call.failed') return [event]
    return random.isOneIn(SILENT_OF) ? [event] : [event, generateRecall(random, event, memories)]
  })
}

function generateRecall(
  random: Random,
  cause: EventOf<'prompt'> | EventOf<'call.failed'>,
  memories: readonly MemoryId[],
): EventOf<'recalled'> {
  const { at, session, role, taskId } = cause
  const shown = Array.from({ length: 1 + random.below(SHOWN_MAX) }, () => ({
    memory: random.pick(memories),
    score: randomShare(random),
    features: {
      words: randomShare(random),
      files: randomShare(random),
      recency: randomShare(random),
      importance: randomShare(random),
    },
  }))
  return {
    id: random.hex(16) as EventId,
    at,
    session,
    role,
    taskId,
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
    kind: 'recalled',
    moment: cause.kind === 'prompt' ? 'prompt' : 'failure',
    cue: cause.kind === 'prompt' ? cause.text.slice(0, 300) : cause.error.slice(0, 300),
    shown,
    withheld: false,
    others: [],
    policy: 0,
  }
}

const randomShare = (random: Random): number => Math.round(random.next() * 1000) / 1000

/** The events that hooks append for these payloads. */
export function eventsFromPayloads(store: Store, recorded: ReturnType<typeof generateSession>): Event[] {
  const context = openHookContext(store, 0)
  return recorded.flatMap(
    ({ at, payload }) =>
      eventFromPayload(payload, { ...context, now: at }, [], { detectSignals: detectUserSignals }) ?? [],
  )
}

function organizeAll(store: Store, loaded: LoadedProjection, now: number): void {
  if (runMaintenance(store, { now, sessions: 'all' }, loaded).busy) {
    throw new MemoryError('STORE_BUSY', `${store.layout.folder} is locked by another process`, {
      hint: 'Wait until it ends, or name another folder: `--store DIR`.',
    })
  }
}

/** The size of each log file in bytes, by its number. */
export type LogSizes = ReadonlyMap<number, number>

/** The log's sizes now, for `truncateLog`: hooks only append, so they change nothing else. */
export function readLogSizes({ files, layout }: Store): LogSizes {
  const sizes = listPlainLogFiles(files, layout.events).map(
    (file) => [file, files.size(`${layout.events}/${logFileName(file)}`) ?? 0] as const,
  )
  return new Map(sizes)
}

/** Removes what was appended since `mark`. Only for generated stores: no other log is ever truncated. */
export function truncateLog({ files, layout }: Store, mark: LogSizes): void {
  for (const file of listPlainLogFiles(files, layout.events)) {
    const name = `${layout.events}/${logFileName(file)}`
    const size = mark.get(file)
    if (size === undefined) files.remove(name)
    else if (files.size(name) !== size) files.truncate(name, size)
  }
}
