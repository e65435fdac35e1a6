// What is sent about a session: the digest of what the model has not read yet, and the entries that fit it.
import { isDeepStrictEqual } from 'node:util'
import { buildModelRequest } from '../../distill/instructions.ts'
import { selectKnown, selectOpenTasks } from '../../distill/knownEntries.ts'
import { listMetAgain } from '../../distill/metAgain.ts'
import { buildSessionDigest } from '../../distill/sessionDigest.ts'
import { type ProvenCall, provenCall } from '../../knowledge/proof.ts'
import { isCallResult } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { isCurrent } from '../../model/knowledge.ts'
import type { MemoryMap } from '../../model/memory.ts'
import { redactThoroughly } from '../../record/redact/secondPass.ts'
import { removePrivateParts } from '../../record/sanitizePayload.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail, loadProjection } from '../projection/projectionFiles.ts'
import { eventsNewestFirst } from '../queries/browse.ts'
import { readUndistilledEvents } from './distillUsage.ts'

export type PreparedSession = NonNullable<ReturnType<typeof prepareSession>>

/**
 * The digest of a session and its events, the entries that the request shows, and the latest calls of the log, by which
 * the answer is proven. Undefined if there is nothing to read: the person said nothing, or the model has read it.
 */
export function prepareSession(
  store: Store,
  session: SessionId,
  tokensMax: number,
  calls: readonly ProvenCall[] = readProvenCalls(store),
) {
  const events = readUndistilledEvents(store, session)
  const metBefore = countSessions(calls, session, events[0]?.at ?? '')
  const read = buildSessionDigest(events, { redact: removeSecrets, tokensMax, metBefore })
  if (!read) return undefined
  const memories = [...readCommittedMemories(store).values()]
  const known = selectKnown(memories, events, read.text)
  const entries = memories.flatMap(({ knowledge, searchOnly }) =>
    knowledge && isCurrent(knowledge) && !searchOnly ? [knowledge] : [],
  )
  const metAgain = listMetAgain(read.items, { calls, session, began: events[0]?.at ?? '', known: entries })
  const digest = { ...read, metAgain }
  const open = selectOpenTasks(memories, session, events[0]?.at ?? '')
  return { session, events, digest, known, open, calls, request: buildModelRequest(digest, known, open) }
}

/**
 * Whether the store still has all that the model was shown. While it answers, the person may have had a part forgotten,
 * and a worker may have removed a secret.
 */
export function isStillThere(store: Store, { session, events, known, open }: PreparedSession): boolean {
  const now = new Map(readUndistilledEvents(store, session).map((event) => [event.id, event]))
  const memories = readCommittedMemories(store)
  const tasks = new Set([...memories.values()].flatMap(({ leftOpen = [] }) => leftOpen))
  return (
    events.every((event) => isDeepStrictEqual(now.get(event.id), event)) &&
    known.every(({ memory, knowledge }) => memories.get(memory)?.knowledge?.line === knowledge.line) &&
    open.every(({ task }) => tasks.has(task))
  )
}

/** The memories of the log, without what open sessions would keep if they ended now. */
export function readCommittedMemories(store: Store): MemoryMap {
  const loaded = loadProjection(store)
  applyLogTail(store, loaded)
  return loaded.projection.memories
}

/** The events were cleaned when they were recorded. A later version of memctl may know more kinds of secrets. */
const removeSecrets = (text: string): string => redactThoroughly(removePrivateParts(text))

/** Calls, and characters of their inputs and errors. */
const CALLS_MAX = 5_000
const CHARS_MAX = 8_000_000

/** The latest calls that ended, oldest first: a longer log takes no longer. */
export function readProvenCalls(store: Store): ProvenCall[] {
  const calls = new Map<string, ProvenCall>()
  let chars = 0
  for (const event of eventsNewestFirst(store)) {
    if (!isCallResult(event) || calls.has(event.id)) continue
    const call = provenCall(event)
    chars += call.call.text.length + (call.failure?.error?.length ?? 0)
    if (calls.size >= CALLS_MAX || chars > CHARS_MAX) break
    calls.set(event.id, call)
  }
  return [...calls.values()].reverse()
}

/** In how many other sessions each error was met before this time, by its signature. */
function countSessions(calls: readonly ProvenCall[], session: SessionId, time: string): ReadonlyMap<string, number> {
  const met = new Map<string, Set<SessionId>>()
  for (const { signature, session: other, at } of calls)
    if (signature !== undefined && other !== session && at < time)
      met.set(signature, (met.get(signature) ?? new Set()).add(other))
  return new Map([...met].map(([signature, sessions]) => [signature, sessions.size]))
}
