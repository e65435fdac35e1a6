// A visit: one hook payload meets the store. What every handler needs, read once, and what it may answer.
import type { Event, EventKind } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { MICRO_TAIL_BYTES, SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Policy } from '../../model/policy.ts'
import { ALIKE_MAX } from '../../record/importance.ts'
import { type Payload, textField } from '../../record/payload.ts'
import { record, type Witness } from '../../record/record.ts'
import { readJson } from '../../store/jsonRead.ts'
import { type Alike, bytesPast, type LogPosition, recentEvents, recentLines } from '../../store/log.ts'
import { branchOf } from '../../store/project.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { servingPolicy } from '../policy/served.ts'
import type { Store } from '../store.ts'
import { type Hot, toldInBytes } from '../view/hotFile.ts'
import { tellByLine } from './told.ts'

export interface Visit {
  readonly store: Store
  /** Milliseconds since 1970: the clock, or a recording's. */
  readonly now: number
  readonly policy: Policy
  readonly policyVersion: number
  /** The client's process, where the hook can tell. */
  readonly client?: Witness['client']
}

/** What a handler wants: a context for the model, and whether organising should begin in the background. */
export interface Answer {
  readonly context?: string
  /** Why the call at hand is held this once, for the model; only before a call. */
  readonly hold?: string
  readonly background?: boolean
}

export type Handler = (payload: Payload, visit: Visit) => Answer

export const SILENT: Answer = {}

export function visitTo(store: Store, now: number, client?: Witness['client']): Visit {
  const { policy, version } = servingPolicy(store)
  return { store, now, policy, policyVersion: version, client }
}

/** Earlier calls of the same input or command that are looked at: a loop may have made a hundred. */
const HOLDING_MAX = 8

/** The payload as an event; `kinds` are the earlier events its novelty and repeats are sought among. */
export function eventOf(payload: Payload, visit: Visit, kinds: readonly EventKind[] = []): Event | undefined {
  const { store, now, policy, client } = visit
  return record(payload, {
    now,
    root: store.project.root,
    branch: textField(payload, 'git_branch') ?? (needsBranch(payload) ? branchOf(store.project.root) : undefined),
    client,
    recent: (event) =>
      kinds.length > 0 ? recent(visit, payload, { bytesMax: MICRO_TAIL_BYTES, kinds, alike: alikeTo(event) }) : [],
    weights: policy.importance,
  })
}

/** What novelty compares it with, and the calls of the same input or command: all that the micro step asks of the past. */
function alikeTo(event: Event): Alike {
  const newest = ALIKE_MAX + 1 // One may be this very event, told by a plugin and by settings.
  if (!('input' in event)) return { newest, holding: [], holdingMax: 0 }
  const input = `"input":${JSON.stringify(event.input)}`
  const command = event.commandShape
  const holding = command === undefined ? [input] : [input, `"commandShape":${JSON.stringify(command)}`]
  return { newest, holding, holdingMax: HOLDING_MAX }
}

/** Only these events say the branch; for the others reading git's files would be for nothing. */
const needsBranch = (payload: Payload): boolean =>
  payload.hook_event_name === 'SessionStart' || payload.hook_event_name === 'UserPromptSubmit'

/** Commits what happened. Undefined events are left out. */
export function append(visit: Visit, ...events: readonly (Event | undefined)[]): void {
  commitEvents(
    visit.store,
    events.filter((event) => event !== undefined),
  )
}

/** Which of a session's latest events are read. */
interface RecentQuery {
  /** How far back in the log, in bytes. */
  readonly bytesMax: number
  /** All kinds where left out. */
  readonly kinds?: readonly EventKind[]
  readonly alike?: Alike
}

/** This session's latest events, oldest first. */
export function recent(visit: Visit, payload: Payload, { bytesMax, kinds, alike }: RecentQuery): Event[] {
  const { files, layout } = visit.store
  return recentEvents(files, layout.events, payload.session_id as SessionId, bytesMax, kinds, alike)
}

/** What this session has been shown: as the snapshot says, and what the log has since. */
export function toldIn(visit: Visit, payload: Payload, cursor: LogPosition): ReadonlySet<MemoryId> {
  const { files, layout } = visit.store
  const session = payload.session_id as SessionId
  const told = new Set(toldBefore(visit, session))
  const bytes = Math.min(SNAPSHOT_TAIL_BYTES, bytesPast(files, layout.events, cursor))
  const lines = [...recentLines(files, layout.events, session, bytes, ['recalled', 'session.started'])]
  for (const line of lines.reverse()) tellByLine(told, session, line)
  return told
}

function toldBefore(visit: Visit, session: SessionId): readonly MemoryId[] {
  try {
    const bytes = visit.store.files.read(visit.store.layout.hot)
    return bytes ? toldInBytes(bytes, session) : []
  } catch {
    return [] // Damaged: as good as none.
  }
}

/** The hot cache; undefined where none has been written yet. A damaged one is as good as none: `doctor` tells. */
export function hotOf(visit: Visit): Hot | undefined {
  try {
    return readJson<Hot>(visit.store.files, visit.store.layout.hot)
  } catch {
    return undefined
  }
}
