// A visit: one hook payload meets the store. What every handler needs, read once, and what it may answer.
import type { Event, EventKind } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { RECENT_TAIL_BYTES, SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Policy } from '../../model/policy.ts'
import { getTextField, type HookPayload } from '../../record/hookPayload.ts'
import { NOVELTY_EVENTS_MAX } from '../../record/initialImportance.ts'
import { type RecordContext, recordPayload } from '../../record/recordPayload.ts'
import { readJson } from '../../store/disk/readJson.ts'
import {
  countBytesAfter,
  type LogFilter,
  type LogPosition,
  readTailEvents,
  readTailLines,
} from '../../store/log/eventLog.ts'
import { readGitBranch } from '../../store/project/project.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { type SessionStartSnapshot, shownIdsFromBytes } from '../projection/sessionStartFile.ts'
import { addShownFromLine } from '../projection/shownMemories.ts'

export interface HookContext {
  readonly store: Store
  /** Milliseconds since 1970: the clock, or a recording's. */
  readonly now: number
  readonly policy: Policy
  readonly policyVersion: number
  /** The client's process, where the hook can tell. */
  readonly client?: RecordContext['client']
}

/** What a handler wants: a context for the model, and whether organising should begin in the background. */
export interface HookOutput {
  readonly context?: string
  /** Why the call at hand is held this once, for the model; only before a call. */
  readonly denyReason?: string
  readonly needsMaintenance?: boolean
}

export type HookHandler = (payload: HookPayload, context: HookContext) => HookOutput

export const NO_OUTPUT: HookOutput = {}

export function openHookContext(store: Store, now: number, client?: RecordContext['client']): HookContext {
  const { policy, version } = readActivePolicy(store)
  return { store, now, policy, policyVersion: version, client }
}

/** Earlier calls of the same input or command that are looked at: a loop may have made a hundred. */
const HOLDING_MAX = 8

/** The payload as an event; `kinds` are the earlier events its novelty and repeats are sought among. */
export function eventFromPayload(
  payload: HookPayload,
  context: HookContext,
  kinds: readonly EventKind[] = [],
  detectSignals?: RecordContext['detectSignals'],
): Event | undefined {
  const { store, now, policy, client } = context
  return recordPayload(payload, {
    now,
    root: store.project.root,
    branch:
      getTextField(payload, 'git_branch') ?? (needsBranch(payload) ? readGitBranch(store.project.root) : undefined),
    client,
    recent: (event) =>
      kinds.length > 0
        ? readRecentEvents(context, payload, { bytesMax: RECENT_TAIL_BYTES, kinds, alike: alikeTo(event) })
        : [],
    weights: policy.importance,
    detectSignals,
  })
}

/** What novelty compares it with, and the calls of the same input or command: all that the micro step asks of the past. */
function alikeTo(event: Event): LogFilter {
  const newest = NOVELTY_EVENTS_MAX + 1 // One may be this very event, told by a plugin and by settings.
  if (!('input' in event)) return { newest, containing: [], containingMax: 0 }
  const input = `"input":${JSON.stringify(event.input)}`
  const command = event.commandShape
  const holding = command === undefined ? [input] : [input, `"commandShape":${JSON.stringify(command)}`]
  return { newest, containing: holding, containingMax: HOLDING_MAX }
}

/** Only these events say the branch; for the others reading git's files would be for nothing. */
const needsBranch = (payload: HookPayload): boolean =>
  payload.hook_event_name === 'SessionStart' || payload.hook_event_name === 'UserPromptSubmit'

/** Commits what happened. Undefined events are left out. */
export function commitHookEvents(context: HookContext, ...events: readonly (Event | undefined)[]): void {
  commitEvents(
    context.store,
    events.filter((event) => event !== undefined),
  )
}

/** Which of a session's latest events are read. */
interface RecentQuery {
  /** How far back in the log, in bytes. */
  readonly bytesMax: number
  /** All kinds where left out. */
  readonly kinds?: readonly EventKind[]
  readonly alike?: LogFilter
}

/** This session's latest events, oldest first. */
export function readRecentEvents(
  context: HookContext,
  payload: HookPayload,
  { bytesMax, kinds, alike }: RecentQuery,
): Event[] {
  const { files, layout } = context.store
  return readTailEvents(files, layout.events, { session: payload.session_id as SessionId, bytesMax, kinds }, alike)
}

/** What this session has been shown: as the snapshot says, and what the log has since. */
export function readShownMemories(
  context: HookContext,
  payload: HookPayload,
  cursor: LogPosition,
): ReadonlySet<MemoryId> {
  const { files, layout } = context.store
  const session = payload.session_id as SessionId
  const told = new Set(toldBefore(context, session))
  const bytesMax = Math.min(SNAPSHOT_TAIL_BYTES, countBytesAfter(files, layout.events, cursor))
  const lines = [...readTailLines(files, layout.events, { session, bytesMax, kinds: ['recalled', 'session.started'] })]
  for (const line of lines.reverse()) addShownFromLine(told, session, line)
  return told
}

function toldBefore(context: HookContext, session: SessionId): readonly MemoryId[] {
  try {
    const bytes = context.store.files.read(context.store.layout.hot)
    return bytes ? shownIdsFromBytes(bytes, session) : []
  } catch {
    return [] // Damaged: as good as none.
  }
}

/** The hot cache; undefined where none has been written yet. A damaged one is as good as none: `doctor` tells. */
export function readSessionStartSnapshot(context: HookContext): SessionStartSnapshot | undefined {
  try {
    return readJson<SessionStartSnapshot>(context.store.files, context.store.layout.hot)
  } catch {
    return undefined
  }
}
