// A store of a given size to measure with, made through the broker: its log, its sessions organised, its memories stored.
//
//   <folder>/m10000-e5000/home      what MEMCTL_HOME is for the hooks measured
//   <folder>/m10000-e5000/shop      the project they work in
//   <folder>/m10000-e5000/made.json written last: with it the store is whole, and made only once
import fs from 'node:fs'
import path from 'node:path'
import { commitEvents } from '../../broker/commit/commitEvents.ts'
import { eventFromPayload, openHookContext } from '../../broker/handlers/hookContext.ts'
import { runMaintenance } from '../../broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../broker/open/openStore.ts'
import { confirmProjectId } from '../../broker/open/projectTrust.ts'
import { loadProjection } from '../../broker/projection/projectionFiles.ts'
import type { LoadedProjection } from '../../broker/projection/saveMemories.ts'
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { compressColdFiles } from '../../store/log/compressLog.ts'
import { listPlainLogFiles, logFileName } from '../../store/log/eventLog.ts'
import { type Random, seededRandom } from './seededRandom.ts'
import { addSyntheticRecalls } from './syntheticRecalls.ts'
import { generateMemory, generateSession } from './syntheticSession.ts'

export interface FixtureSize {
  /** Memories stored, beside those that organising the sessions makes. */
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

/** Another made-up world means another store: counted up when the generator changes. */
const WORLD_VERSION = 2

const SEED = 20_260_101

/** The made-up history ends here and goes back this far. */
const END_MS = Date.UTC(2026, 0, 1)
const HISTORY_MS = 300 * 86_400_000

const SESSION_EVENTS = 120

/**
 * Sessions organised before the view is written: this many, and of a long history a twentieth. Writing the view of years after every
 * twenty sessions would take hours, and come to the same.
 */
const SESSIONS_AT_ONCE_MIN = 20
const VIEWS_MAX = 20

/** Memories stored at a time. */
const MEMORIES_AT_ONCE = 20_000

/** The store of this size in `folder`, made unless it is there. `tell` hears how far it is. */
export function buildFixture(
  folder: string,
  size: FixtureSize,
  version: string,
  tell: (what: string) => void = () => {},
): FixtureStore {
  const own = path.join(folder, `m${size.memories}-e${size.events}`)
  const place = { home: path.join(own, 'home'), root: path.join(own, 'shop') }
  const made = path.join(own, 'made.json')
  const { memories, events } = size
  const label = JSON.stringify({ version, world: WORLD_VERSION, seed: SEED, memories, events })
  const isMade = fs.existsSync(made) && fs.readFileSync(made, 'utf8') === label
  if (!isMade) {
    removeOld(own)
    fs.mkdirSync(path.join(place.root, '.memctl'), { recursive: true })
    fs.writeFileSync(path.join(place.root, '.memctl', 'project.yaml'), 'id: memctl-bench\n')
  }
  const env = { MEMCTL_HOME: place.home }
  if (!isMade) confirmProjectId(place.root, env)
  const store = openStore(place.root, env)
  if (!isMade) {
    grow(store, size, tell)
    fs.writeFileSync(made, label)
  }
  return { store, ...place }
}

/** Removes what an earlier bench left, and nothing else: a folder of another's making has no `shop` in it. */
function removeOld(own: string): void {
  if (!fs.existsSync(own)) return
  if (!fs.existsSync(path.join(own, 'shop', '.memctl', 'project.yaml'))) {
    throw new MemoryError('INPUT_INVALID', `${own} was not made by a bench`, {
      hint: 'Give another folder: `--store DIR`.',
    })
  }
  fs.rmSync(own, { recursive: true })
}

function grow(store: Store, size: FixtureSize, tell: (what: string) => void): void {
  const chance = seededRandom(SEED)
  const loaded = loadProjection(store)
  const sessions = Math.ceil(size.events / SESSION_EVENTS)
  const atOnce = Math.max(SESSIONS_AT_ONCE_MIN, Math.ceil(sessions / VIEWS_MAX))
  for (let first = 0; first < sessions; first += atOnce) {
    const last = Math.min(sessions, first + atOnce)
    const known = [...loaded.projection.memories.keys()]
    for (let i = first; i < last; i++) {
      const count = Math.min(SESSION_EVENTS, size.events - i * SESSION_EVENTS)
      appendSession(store, chance, `earlier-${i}`, count, timeAt(i, sessions), known)
    }
    keep(store, loaded, timeAt(last, sessions))
    tell(`${last} of ${sessions} sessions`)
  }
  for (let first = 0; first < size.memories; first += MEMORIES_AT_ONCE) {
    const last = Math.min(size.memories, first + MEMORIES_AT_ONCE)
    storeMemories(store, chance, first, last, size.memories)
    keep(store, loaded, END_MS)
    tell(`${last} of ${size.memories} memories`)
  }
  keep(store, loaded, END_MS)
  // As they lie after so many days: each session's end compresses a few.
  while (compressColdFiles(store.files, store.layout.events, loaded.manifest.cursor, END_MS).length > 0)
    tell('the cold log')
}

const timeAt = (i: number, of: number): number => END_MS - HISTORY_MS + Math.floor((HISTORY_MS * i) / Math.max(1, of))

/** Appends a made-up session as its hooks would have; it was shown some of these memories. */
export function appendSession(
  store: Store,
  chance: Random,
  session: string,
  events: number,
  startMs: number,
  shown: readonly MemoryId[],
): void {
  const setting = {
    root: store.project.root,
    session,
    branch: chance.isOneIn(2) ? 'main' : `feature/${chance.below(300)}`,
  }
  const told = eventsFromPayloads(store, generateSession(chance, setting, events, startMs))
  commitEvents(store, addSyntheticRecalls(chance, told, shown))
}

/** Recorded payloads as the events that the hooks would have appended. */
export function eventsFromPayloads(store: Store, recorded: ReturnType<typeof generateSession>): Event[] {
  const context = openHookContext(store, 0)
  return recorded.flatMap(({ at, payload }) => eventFromPayload(payload, { ...context, now: at }) ?? [])
}

function storeMemories(store: Store, chance: Random, first: number, last: number, total: number): void {
  const events = Array.from({ length: last - first }, (_, i) =>
    generateMemory(chance, first + i, total, timeAt(first + i, total)),
  )
  commitEvents(store, events)
}

function keep(store: Store, loaded: LoadedProjection, now: number): void {
  if (runMaintenance(store, { now, sessions: 'all' }, loaded).busy) {
    throw new MemoryError('STORE_BUSY', `${store.layout.folder} is being organised by another process`, {
      hint: 'Let that one end, or give another folder: `--store DIR`.',
    })
  }
}

/** How long each log file is. */
export type LogSizes = ReadonlyMap<number, number>

/** The log's length now, to come back to: hooks only append, so this is all they change. */
export function readLogSizes({ files, layout }: Store): LogSizes {
  const sizes = listPlainLogFiles(files, layout.events).map(
    (file) => [file, files.size(`${layout.events}/${logFileName(file)}`)!] as const,
  )
  return new Map(sizes)
}

/** Takes back what was appended since the mark. For a bench's own store alone: a log is never cut otherwise. */
export function truncateLog({ files, layout }: Store, mark: LogSizes): void {
  for (const file of listPlainLogFiles(files, layout.events)) {
    const name = `${layout.events}/${logFileName(file)}`
    const size = mark.get(file)
    if (size === undefined) files.remove(name)
    else if (files.size(name) !== size) files.truncate(name, size)
  }
}
