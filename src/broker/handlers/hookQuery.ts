// What a hook searches for: the query of its event, and the task that other sessions know too.
import { type Event, isAgentCall, isCallResult } from '../../model/event.ts'
import { RECENT_TAIL_BYTES } from '../../model/limits.ts'
import type { RecallMoment, RecallQuery } from '../../model/recallQuery.ts'
import { findActiveEntry, type TaskList, updateTaskList } from '../../model/sessionTask.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { salientLine } from '../../text/errorSignature.ts'
import { firstLine } from '../../text/excerpt.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { pastedErrorSignature } from '../../text/promptText.ts'
import { findBranchReference, findTaskReference, nameListedTask } from '../../text/taskReference.ts'
import { type HookContext, readOwnEvents, readRecentEvents } from './hookContext.ts'

/** Characters of a query's text: the first ones of a prompt say what it is about. */
const QUERY_CHARS_MAX = 2_000

/** Characters of an edit's new text. */
const EDIT_CHARS_MAX = 300

export function buildHookQuery(moment: RecallMoment, event: Event, now: number, branch?: string): RecallQuery {
  const call = event.kind === 'call.started' || event.kind === 'call.failed' || event.kind === 'call.succeeded'
  return {
    moment,
    text: textOf(event).slice(0, QUERY_CHARS_MAX),
    files: call ? event.files : event.kind === 'prompt' ? findFilePaths(event.text).slice(0, 12) : [],
    commandShape: call ? event.commandShape : undefined,
    errorSignature: errorSignatureOf(event),
    branch: event.kind === 'prompt' || event.kind === 'session.started' ? (event.branch ?? branch) : branch,
    taskId: event.taskId,
    session: event.session,
    viewer: { role: event.role, agentId: event.agentId, session: event.session },
    now,
  }
}

function errorSignatureOf(event: Event): string | undefined {
  if (event.kind === 'prompt') return pastedErrorSignature(event.text)
  return event.kind === 'call.failed' ? event.errorSignature : undefined
}

function textOf(event: Event): string {
  switch (event.kind) {
    case 'prompt':
      return event.text
    case 'call.failed':
      return `${callText(event.input)}\n${firstLine(salientLine(event.error), 400)}`
    case 'call.started':
    case 'call.succeeded':
      return callText(event.input)
    default:
      return ''
  }
}

function callText(input: Readonly<Record<string, unknown>>): string {
  const { command, description, prompt, pattern, skill, new_string, content } = input
  const edits = [new_string, content].map((text) =>
    typeof text === 'string' ? text.slice(0, EDIT_CHARS_MAX) : undefined,
  )
  return [command, description, prompt, pattern, skill, ...edits].filter((text) => typeof text === 'string').join('\n')
}

/** Of a prompt: the issue that it names, or the branch; else the entry of the task list that is being worked on. */
export const findPromptTask = (event: Event, payload: HookPayload, context: HookContext): string | undefined =>
  findNamedTask(event) ?? findListedTask(payload, context)

const findNamedTask = (event: Event): string | undefined =>
  event.kind === 'prompt' ? (findTaskReference(event.text) ?? findBranchReference(event.branch)) : undefined

/** Calls of the tools for the task list that are read, at most. */
const LIST_CALLS_MAX = 24

function findListedTask(payload: HookPayload, context: HookContext): string | undefined {
  const containing = ['TodoWrite', 'TaskCreate', 'TaskUpdate'].map((tool) => `"tool":"${tool}"`)
  const calls = readOwnEvents(context, payload, {
    bytesMax: RECENT_TAIL_BYTES,
    kinds: ['call.succeeded'],
    alike: { newest: 0, containing, containingMax: LIST_CALLS_MAX },
  })
  const list: TaskList = new Map()
  for (const call of calls) if (isCallResult(call)) updateTaskList(list, call)
  const entry = findActiveEntry(list)
  return entry && (findTaskReference(entry) ?? nameListedTask(entry))
}

/** Of an agent that starts: the text of the latest Agent call that has no result yet, and the task it is about. */
export function latestAgentTask(payload: HookPayload, context: HookContext) {
  const events = readRecentEvents(context, payload, {
    bytesMax: RECENT_TAIL_BYTES,
    kinds: ['prompt', 'call.started', 'call.succeeded', 'call.failed'],
  })
  const ended = new Set(events.flatMap((event) => (isCallResult(event) ? [event.call] : [])))
  const open = events.flatMap((event) => (isAgentCall(event) && !ended.has(event.call) ? [event] : []))
  // Of several agents started at once, the type identifies the call.
  const own = open.findLast((call) => call.input['subagent_type'] === payload['agent_type']) ?? open.at(-1)
  const parts = [own?.input['description'], own?.input['prompt']]
  const text = parts.filter((part) => typeof part === 'string').join('\n')
  const prompt = events.findLast((event) => event.kind === 'prompt')
  return { text, taskId: findTaskReference(text) ?? (prompt && findNamedTask(prompt)) }
}
