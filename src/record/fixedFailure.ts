// Whether other conversations should know at once what a call that passed shows: it may have fixed an earlier failure,
// or a subagent has reported. Cheap, for hooks: organize decides what it shows.
import { callCommand, type Event, type EventOf, isCallResult } from '../model/event.ts'

/** A call soon after a failure may be what replaced it. As many as organize considers, and the failed one. */
const CALLS_AFTER_MAX = 5

/** `recent`: the latest calls of the session and those of the same command or input, oldest first. */
export function mayFixFailure(event: Event, recent: readonly Event[]): boolean {
  if (event.kind !== 'call.succeeded') return false
  const calls = recent.filter(isCallResult).filter((call) => call.agentId === event.agentId && call.id !== event.id)
  if (calls.slice(-CALLS_AFTER_MAX).some((call) => call.kind === 'call.failed' && call.tool === event.tool)) return true
  // Later only what passes for the first time since it failed.
  return calls.findLast((call) => isSameAim(call, event))?.kind === 'call.failed'
}

/** Whether an agent other than that of the event has called something since an agent last reported, so it may run. */
export function isAnotherAgentRunning({ agentId }: Event, recent: readonly Event[]): boolean {
  const last = recent.findLast((call) => isAgentResult(call) || (call.agentId ?? agentId) !== agentId)
  return last !== undefined && !isAgentResult(last)
}

/** Whether a subagent has reported to the main thread. */
export const isAgentResult = (event: Event): boolean => event.kind === 'call.succeeded' && isAgentTool(event.tool)

/** Whether the call starts a subagent. */
export const isAgentCall = (event: Event): boolean => event.kind === 'call.started' && isAgentTool(event.tool)

/** The tool was called Task before 2.1. */
const isAgentTool = (tool: string): boolean => tool === 'Agent' || tool === 'Task'

function isSameAim(call: EventOf<'call.succeeded' | 'call.failed'>, event: EventOf<'call.succeeded'>): boolean {
  if (call.tool !== event.tool) return false
  if (callCommand(event) !== '') return call.commandShape !== undefined && call.commandShape === event.commandShape
  return JSON.stringify(call.input) === JSON.stringify(event.input)
}
