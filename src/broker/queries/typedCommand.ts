// What a person typed behind the name of a slash command, from the session's own record: as it was typed. What the
// client passes on has backslashes before exclamation marks.
//
// Client 2.1.329 runs the hook before the command; 2.1.197 runs it afterwards, so the record may be of an earlier one.
// There a command is the person's if no call of the session is open: the agent's own call is recorded before it runs.
import type { SessionId } from '../../model/id.ts'
import { readTailEvents } from '../../store/log/eventLog.ts'
import type { Store } from '../open/openStore.ts'

/** The prompt is the last one of the session; parallel sessions and subagents may write after it. */
const TAIL_BYTES = 1_048_576

/** The text behind `/memctl:NAME` in the last prompt of a session; undefined if the last prompt is another one. */
export function readTypedCommand({ files, layout }: Store, session: SessionId, name: string): string | undefined {
  const query = { session, bytesMax: TAIL_BYTES, kinds: ['prompt'] } as const
  const events = readTailEvents(files, layout.events, query, { newest: 1, containing: [], containingMax: 0 })
  const last = events.findLast((event) => event.kind === 'prompt' && event.agentId === undefined)
  if (last?.kind !== 'prompt') return undefined
  const [head, typed] = /^\s*\/(\S+)/.exec(last.text) ?? []
  return head !== undefined && typed === `memctl:${name}` ? last.text.slice(head.length).trim() : undefined
}

/** Calls of a session that are looked at: an agent's own call that runs a command is among the latest ones. */
const CALLS_MAX = 40

/**
 * Whether a call of the session has no result yet. Then an agent may have started this command; else the client has,
 * for the person, also where the hook has not recorded it yet.
 */
export function hasOpenCall({ files, layout }: Store, session: SessionId): boolean {
  const query = {
    session,
    bytesMax: TAIL_BYTES,
    kinds: ['prompt', 'call.started', 'call.succeeded', 'call.failed'],
  } as const
  const events = readTailEvents(files, layout.events, query, { newest: CALLS_MAX, containing: [], containingMax: 0 })
  const open = new Set<string>()
  for (const event of events) {
    // A prompt comes when no call runs: one without a result was interrupted.
    if (event.kind === 'prompt' && event.role === 'main') open.clear()
    else if (event.kind === 'call.started') open.add(event.call)
    else if (event.kind === 'call.succeeded' || event.kind === 'call.failed') open.delete(event.call)
  }
  return open.size > 0
}
