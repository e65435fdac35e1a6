// Which agent of a session calls a tool. All agents of a session share one server, and a call must not name itself. But
// Claude Code sends the id of the tool call, and its hook has recorded which agent made it.
import type { SessionId } from '../model/id.ts'
import { readTailEvents } from '../store/log/eventLog.ts'
import type { CallingAgent, ToolContext } from '../tools/definition/toolContext.ts'

/** Field of a call's `_meta` (measured in 2.1.197). */
const CALL_ID = 'claudecode/toolUseId'

/** How far back in the log the call may be, in bytes: parallel agents write between its hook and its arrival. */
const TAIL_BYTES_MAX = 1_048_576

/** The subagent that made this call; undefined for the main conversation and where no hook has recorded the call. */
export function findCallingAgent(
  { store, session }: ToolContext,
  meta: Readonly<Record<string, unknown>> | undefined,
): CallingAgent | undefined {
  const call = meta?.[CALL_ID]
  if (typeof call !== 'string' || call === '' || session === undefined) return undefined
  const events = readTailEvents(
    store.files,
    store.layout.events,
    { session: session as SessionId, bytesMax: TAIL_BYTES_MAX, kinds: ['call.started'] },
    { newest: 0, containing: [`"call":${JSON.stringify(call)}`], containingMax: 1 },
  )
  const event = events.find((started) => started.kind === 'call.started' && started.call === call)
  return event?.agentId === undefined ? undefined : { agentId: event.agentId, role: event.role }
}
