// The identity of the task that a hook's query is about: the one that memories of other sessions have as well.
import { type Event, isCallResult } from '../../model/event.ts'
import { RECENT_TAIL_BYTES } from '../../model/limits.ts'
import { findActiveEntry, type TaskList, updateTaskList } from '../../model/sessionTask.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { findBranchReference, findTaskReference, nameListedTask } from '../../text/taskReference.ts'
import { type HookContext, readRecentEvents } from './hookContext.ts'

/** Of a prompt: the issue that it names, or the branch; else the entry of the task list that is being worked on. */
export const findPromptTask = (event: Event, payload: HookPayload, context: HookContext): string | undefined =>
  findNamedTask(event) ?? findListedTask(payload, context)

const findNamedTask = (event: Event): string | undefined =>
  event.kind === 'prompt' ? (findTaskReference(event.text) ?? findBranchReference(event.branch)) : undefined

/** Calls of the tools for the task list that are read, at most. */
const LIST_CALLS_MAX = 24

function findListedTask(payload: HookPayload, context: HookContext): string | undefined {
  const containing = ['TodoWrite', 'TaskCreate', 'TaskUpdate'].map((tool) => `"tool":"${tool}"`)
  const calls = readRecentEvents(context, payload, {
    bytesMax: RECENT_TAIL_BYTES,
    kinds: ['call.succeeded'],
    alike: { newest: 0, containing, containingMax: LIST_CALLS_MAX },
  })
  const list: TaskList = new Map()
  for (const call of calls) if (isCallResult(call) && call.agentId === undefined) updateTaskList(list, call)
  const entry = findActiveEntry(list)
  return entry && (findTaskReference(entry) ?? nameListedTask(entry))
}

/** What an agent was called for: description and prompt; and the task that they, or the prompt before, are about. */
interface AgentTask {
  readonly text: string
  readonly taskId: string | undefined
}

/** Of an agent that starts: its task is in the latest Agent call that has no result yet. */
export function latestAgentTask(payload: HookPayload, context: HookContext): AgentTask {
  const events = readRecentEvents(context, payload, {
    bytesMax: RECENT_TAIL_BYTES,
    kinds: ['prompt', 'call.started', 'call.succeeded', 'call.failed'],
  })
  const ended = new Set(events.flatMap((event) => (isCallResult(event) ? [event.call] : [])))
  const open = events.flatMap((event) =>
    event.kind === 'call.started' && ['Agent', 'Task'].includes(event.tool) && !ended.has(event.call) ? [event] : [],
  )
  // Of several agents started at once, the type identifies the call.
  const own = open.findLast((call) => call.input['subagent_type'] === payload['agent_type']) ?? open.at(-1)
  const parts = [own?.input['description'], own?.input['prompt']]
  const text = parts.filter((part) => typeof part === 'string').join('\n')
  const prompt = events.findLast((event) => event.kind === 'prompt')
  return { text, taskId: findTaskReference(text) ?? (prompt && findNamedTask(prompt)) }
}
