// The desk: a project's memories as the log has them at this moment, for who stays a while or changes them.
//
// The view on disk is as old as the last session's end. A desk loads it once, and before every look folds what the log has
// since, whoever wrote it: so a write is seen by the next look, in this process and in every other. It writes events, never files of the
// view: those are made when a session ends.
import { MemoryError } from '../model/errors.ts'
import type { Event, Happening } from '../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../model/limits.ts'
import type { Memory } from '../model/memory.ts'
import { appendEvents, bytesPast } from '../store/log.ts'
import { hashPair } from '../text/hash.ts'
import { syncChoice } from './hookConfig.ts'
import type { Store } from './store.ts'
import { catchUp, upkeep } from './upkeep.ts'
import { load } from './view/save.ts'
import type { Loaded } from './view/saveMemories.ts'

/** The session of events that belong to none. */
export const NO_SESSION = 'memctl' as SessionId

/** A view may be replaced while its files are being read: then there is a newer one already. */
const LOAD_ATTEMPTS = 4

/** When it happened and by whom. `nonce` tells apart what happens twice in a millisecond. */
export interface Told {
  readonly now: number
  readonly nonce: string
  readonly session?: string | undefined
  /** Who called, as it says of itself. */
  readonly agentId?: string | undefined
}

export interface Desk {
  readonly store: Store
  /** Every memory, in the order in which they were first made, with all that the log has now. */
  memories(): ReadonlyMap<MemoryId, Memory>
  /** The view behind it and where it lies on disk, as `memories` left it. */
  readonly loaded: Loaded
  /** Appends what happened, and folds it. */
  tell(happening: Happening, told: Told): void
  /**
   * Writes the view where the log has outgrown it. Where hooks record sessions, it is left to the worker they start: it is not killed with its
   * client, and must not find the lock taken by who is.
   */
  settle(now: number): void
}

/** Opens the desk of a store: reads its whole view. Throws STORE_INVALID and STORE_NEWER like every reader. */
export function openDesk(store: Store): Desk {
  let loaded = loadedNow(store)
  catchUp(store, loaded)
  return {
    store,
    get loaded() {
      return loaded
    },
    memories() {
      catchUp(store, loaded)
      return loaded.view.memories
    },
    tell(happening, told) {
      appendEvents(store.files, store.layout.events, [eventOf(happening, told)], syncChoice(store) === 'always')
      catchUp(store, loaded)
    },
    settle(now) {
      if (loaded.view.sessions.size > 0) return
      if (bytesPast(store.files, store.layout.events, loaded.manifest.cursor) <= SNAPSHOT_TAIL_BYTES) return
      upkeep(store, { now, sessions: [] })
      loaded = loadedNow(store)
    },
  }
}

function loadedNow(store: Store): Loaded {
  for (let attempt = 1; ; attempt++) {
    try {
      return load(store)
    } catch (error) {
      const invalid = error instanceof MemoryError && error.code === 'STORE_INVALID'
      if (!invalid || attempt === LOAD_ATTEMPTS) throw error
    }
  }
}

function eventOf(happening: Happening, { now, nonce, session, agentId }: Told): Event {
  const [high, low] = hashPair([happening.kind, session, now, nonce].join('\0'))
  return {
    id: (high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')) as EventId,
    at: new Date(now).toISOString(),
    session: (session ?? NO_SESSION) as SessionId,
    ...(agentId === undefined ? {} : { agentId }),
    role: 'main',
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
    ...happening,
  }
}
