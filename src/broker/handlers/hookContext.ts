// What every handler works with: the open store and its policy, what is recorded, what was shown and deleted, and the
// files that notes are about.
import { CALL_RESULT_KINDS, type Event, type EventKind } from '../../model/event.ts'
import { type Conversation, isSameConversation, type MemoryId, type SessionId } from '../../model/id.ts'
import { RECENT_TAIL_BYTES, SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecallResult } from '../../model/recallQuery.ts'
import type { FileProbe } from '../../recall/renderContext.ts'
import { getIdField, getTextField, type HookPayload } from '../../record/hookPayload.ts'
import { NOVELTY_EVENTS_MAX } from '../../record/initialImportance.ts'
import { isCompaction, type RecordContext, recordPayload } from '../../record/recordPayload.ts'
import { redactDeep } from '../../record/redact/redact.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import {
  countBytesAfter,
  decodeUnverified,
  type LogFilter,
  type LogPosition,
  readTailEvents,
  readTailLines,
} from '../../store/log/eventLog.ts'
import { readGitBranch } from '../../store/project/gitFolder.ts'
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
  /** The client's process, if the hook knows it. */
  readonly client?: RecordContext['client']
  /** Whether Claude may read finished sessions, by the plugin's settings; absent where they do not say it. */
  readonly pluginAnswer?: boolean | undefined
  /** Milliseconds since the hook's process has started; absent where no hook runs. */
  readonly elapsedMs?: (() => number) | undefined
  /** Gets what is shown, holdout or not, and whether it blocks the call, for `memctl recall`; absent in a hook. */
  readonly onResult?: (result: RecallResult, blocks: boolean) => void
}

/** What a handler returns: text for the model, and what should start in the background. */
export interface HookOutput {
  readonly context?: string
  /** What the client shows to the person, and never to the model. */
  readonly message?: string | undefined
  /** Why the call is blocked this once, for the model; only for PreToolUse. */
  readonly denyReason?: string
  /** Maintenance: a session has ended, or there is much to read. */
  readonly needsMaintenance?: boolean
  /** Less: what the open sessions have learned is made available to other conversations. */
  readonly refresh?: boolean
}

export type HookHandler = (payload: HookPayload, context: HookContext) => HookOutput

export const NO_OUTPUT: HookOutput = {}

/** The output as it is printed: a secret that no event lost, or that a file has, is removed again. */
export const hideSecretsOf = (output: HookOutput): HookOutput => redactDeep(output)

export function openHookContext(store: Store, now: number, client?: RecordContext['client']): HookContext {
  const { policy, version } = readActivePolicy(store)
  return { store, now, policy, policyVersion: version, client }
}

/** Earlier calls of the same input or command that are read, at most: a loop may have made a hundred. */
const SAME_CALLS_MAX = 8

interface EventOptions {
  readonly detectSignals?: RecordContext['detectSignals']
  readonly readReport?: RecordContext['readReport']
  /** Gets the event and the earlier ones that were read for it, oldest first, so that they are read only once. */
  readonly onRecent?: (event: Event, recent: readonly Event[]) => void
}

/** The event of a payload. Its novelty and repeats are computed from earlier events of `kinds`. */
export function eventFromPayload(
  payload: HookPayload,
  context: HookContext,
  kinds: readonly EventKind[] = [],
  { detectSignals, readReport, onRecent }: EventOptions = {},
): Event | undefined {
  const { store, now, client } = context
  return recordPayload(payload, {
    now,
    root: store.project.root,
    branch:
      getTextField(payload, 'git_branch') ?? (needsBranch(payload) ? readGitBranch(store.project.root) : undefined),
    client,
    recent(event) {
      const compared = isCompaction(event) ? CALL_RESULT_KINDS : kinds
      if (compared.length === 0) return []
      const query = { bytesMax: RECENT_TAIL_BYTES, kinds: compared, alike: similarTo(event) }
      const recent = readRecentEvents(context, payload, query)
      onRecent?.(event, recent)
      return recent
    },
    detectSignals,
    readReport,
  })
}

function similarTo(event: Event): LogFilter {
  const newest = NOVELTY_EVENTS_MAX + 1 // One may be this very event, recorded by a plugin and by settings.
  if (!('input' in event)) return { newest, containing: [], containingMax: 0 }
  const input = `"input":${JSON.stringify(event.input)}`
  const command = event.commandShape
  const containing = command === undefined ? [input] : [input, `"commandShape":${JSON.stringify(command)}`]
  return { newest, containing, containingMax: SAME_CALLS_MAX }
}

/** Only these events store the branch; for others git's files need not be read. */
const needsBranch = (payload: HookPayload): boolean =>
  payload.hook_event_name === 'SessionStart' || payload.hook_event_name === 'UserPromptSubmit'

/** Commits the events; undefined ones are left out. The last one says how long the hook took so far. */
export function commitHookEvents(context: HookContext, ...events: readonly (Event | undefined)[]): void {
  const present = events.filter((event) => event !== undefined)
  const last = present.at(-1)
  if (last && context.elapsedMs) present[present.length - 1] = { ...last, hookMs: Math.round(context.elapsedMs()) }
  commitEvents(context.store, present)
}

interface RecentQuery {
  /** How far back in the log, in bytes. */
  readonly bytesMax: number
  /** All kinds by default. */
  readonly kinds?: readonly EventKind[]
  readonly alike?: LogFilter
}

/** This session's latest events, of all its agents, oldest first. */
export function readRecentEvents(context: HookContext, payload: HookPayload, { bytesMax, kinds, alike }: RecentQuery) {
  const { files, layout } = context.store
  return readTailEvents(files, layout.events, { session: payload.session_id as SessionId, bytesMax, kinds }, alike)
}

const conversationOf = (payload: HookPayload): Conversation => ({
  session: payload.session_id as SessionId,
  agentId: getIdField(payload, 'agent_id'),
})

/** Those of the hook's own conversation: no other may be shown what a subagent does. */
export function readOwnEvents(context: HookContext, payload: HookPayload, query: RecentQuery): Event[] {
  const own = conversationOf(payload)
  return readRecentEvents(context, payload, query).filter((event) => isSameConversation(event, own))
}

/** The memories that this conversation was shown: those in the snapshot, and those in the log since. */
export function readShownMemories(context: HookContext, payload: HookPayload, cursor: LogPosition) {
  const { files, layout } = context.store
  const conversation = conversationOf(payload)
  const { session } = conversation
  const shown = new Set(shownInSnapshot(context, conversation))
  const bytesMax = Math.min(SNAPSHOT_TAIL_BYTES, countBytesAfter(files, layout.events, cursor))
  const lines = [...readTailLines(files, layout.events, { session, bytesMax, kinds: ['recalled', 'session.started'] })]
  for (const line of lines.reverse()) addShownFromLine(shown, conversation, line)
  return shown
}

function shownInSnapshot(context: HookContext, conversation: Conversation): readonly MemoryId[] {
  try {
    const bytes = context.store.files.read(context.store.layout.hot)
    return bytes ? shownIdsFromBytes(bytes, conversation) : []
  } catch {
    return [] // A damaged file counts as missing: `doctor` reports it.
  }
}

/** What this conversation was shown at a call or a failure, among its latest events. */
export function readShownAtCalls(payload: HookPayload, context: HookContext): ReadonlySet<MemoryId> {
  const events = readOwnEvents(context, payload, { bytesMax: SNAPSHOT_TAIL_BYTES, kinds: ['recalled'] })
  const shown = events.flatMap((event) =>
    event.kind === 'recalled' && !event.withheld && event.call !== undefined ? event.shown : [],
  )
  return new Set(shown.map(({ memory }) => memory))
}

/** The snapshot for a session start; undefined if it is missing or damaged. `doctor` reports a damaged one. */
export const readSessionStartSnapshot = ({ store }: HookContext): SessionStartSnapshot | undefined =>
  readJsonIfIntact(store.files, store.layout.hot)

/** The memories that the log deletes after `cursor`, in any session. */
export function findDeletedSince({ files, layout }: Store, cursor: LogPosition): ReadonlySet<MemoryId> {
  const deleted = new Set<MemoryId>()
  const bytesMax = Math.min(SNAPSHOT_TAIL_BYTES, countBytesAfter(files, layout.events, cursor))
  if (bytesMax === 0) return deleted
  for (const line of readTailLines(files, layout.events, { session: undefined, bytesMax, kinds: ['memory.deleted'] })) {
    const event = decodeUnverified(line)
    if (event?.kind === 'memory.deleted') for (const id of event.memories) deleted.add(id)
  }
  return deleted
}

/** System calls for one recall: each takes a cold hook 7 µs, the first one in a process 0.2 ms. */
const PROBES_MAX = 2

/** Probes files of the store's project. A store without a home folder (a replay) has no files to probe. */
export function createFileProbe({ files, home, project }: Store): FileProbe {
  let left = home === undefined ? 0 : PROBES_MAX
  const writtenAt = (path: string): number | undefined => {
    left--
    return files.mtimeMs(path)
  }
  // Paths are recorded composed; a disk that came from macOS may have them decomposed.
  const decomposedAt = (file: string): number | undefined =>
    /[^\0-\x7f]/.test(file) ? files.mtimeMs(`${project.root}/${file.normalize('NFD')}`) : undefined
  return (file) => {
    // A teammate's memory may name any path; outside of the project nothing is touched.
    if (left === 0 || /\.\.|^[\\/]|:/.test(file)) return undefined
    const written = writtenAt(`${project.root}/${file}`) ?? decomposedAt(file)
    if (written !== undefined) return { kind: 'there', written }
    // Only if its top folder exists, the file is gone. Otherwise the path is relative to another folder of that
    // session.
    if (left === 0) return undefined
    const top = file.includes('/') ? `/${file.slice(0, file.indexOf('/'))}` : ''
    return writtenAt(project.root + top) === undefined ? undefined : { kind: 'gone' }
  }
}
