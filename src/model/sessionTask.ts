// A task: one prompt and what happened until the next one, with the tool calls made for it.
import { type CallResult, type Event, type EventOf, isCallResult } from './event.ts'
import type { SessionId } from './id.ts'
import { isObject } from './unknownJson.ts'

export interface SessionTask {
  readonly id: string
  /** Undefined for what happened before the first of these prompts. */
  readonly prompt?: EventOf<'prompt'> | undefined
  /** Every event of the task, the prompt first, those of subagents included. */
  readonly events: readonly Event[]
}

/** A session's events, split before each prompt. Without a prompt_id the prompt's event id names the task. */
export function splitTasks(events: readonly Event[]): SessionTask[] {
  const tasks: { id: string; prompt?: EventOf<'prompt'>; events: Event[] }[] = []
  for (const event of events) {
    const last = tasks.at(-1)
    if (event.kind === 'prompt') tasks.push({ id: event.taskId ?? event.id, prompt: event, events: [event] })
    else if (last) last.events.push(event)
    else tasks.push({ id: event.taskId ?? event.id, events: [event] })
  }
  return tasks
}

/** Whether a prompt is a slash command of memctl, such as `/memctl:remember …`. */
export const isOwnCommand = ({ text }: Pick<EventOf<'prompt'>, 'text'>): boolean => text.startsWith('/memctl:')

/** The calls that ended, with success or with a failure. */
export const listCallResults = (events: readonly Event[]): CallResult[] => events.filter(isCallResult)

/** A session's events since it was last organized, in the order of the log. */
export type SessionSlice = Readonly<{ session: SessionId; events: readonly Event[] }>

// The task list of a session: what the client's tools TodoWrite, TaskCreate and TaskUpdate have made of it.

/**
 * The entries by their id in the client; of TodoWrite by their position. `state` is as the client names it: pending,
 * in_progress, completed, …
 */
export type TaskList = Map<string, { text: string; state: string }>

/** Applies a call to the list; false for a call of any other tool, and for one that failed. */
export function updateTaskList(list: TaskList, call: CallResult): boolean {
  if (call.kind === 'call.failed') return false
  const { input, output, tool } = call
  switch (tool) {
    case 'TodoWrite':
      list.clear()
      if (Array.isArray(input['todos']))
        (input['todos'] as unknown[]).forEach((todo, i) => {
          const { content, status } = (todo ?? {}) as Record<string, unknown>
          list.set(String(i), { text: asText(content), state: asText(status) })
        })
      return true
    case 'TaskCreate':
      list.set(/#(\w+)/.exec(output)?.[1] ?? `new ${list.size}`, { text: asText(input['subject']), state: 'pending' })
      return true
    case 'TaskUpdate': {
      const entry = list.get(asText(input['taskId']))
      if (entry) {
        entry.state = asText(input['status']) || entry.state
        entry.text = asText(input['subject']) || entry.text
      }
      return true
    }
    default:
      return false
  }
}

/** The text of the entry that is being worked on; undefined if there is none. */
export const findActiveEntry = (list: TaskList): string | undefined =>
  [...list.values()].find(({ state, text }) => state === 'in_progress' && text !== '')?.text

/** A text of a call's input; empty for anything else. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

// The menus of a session: the questions of the client's tool AskUserQuestion.

const ANSWER_END = /"(?=[,.}]|\s+(?:user notes|selected)|$)|\n… \d+ characters cut …/

/** The questions that were answered, with their options and what the person chose or typed. */
export function listChoices(event: Event) {
  if (event.kind !== 'call.succeeded' || event.tool !== 'AskUserQuestion') return []
  return listObjects(event.input['questions']).flatMap(({ header, question, options }) => {
    // The client answers in a sentence or in JSON.
    const starts = [`"${question}"="`, `${JSON.stringify(question)}:"`]
    const [found = ''] = starts.flatMap((start) => event.output.split(start)[1] ?? [])
    const answer = found.split(ANSWER_END)[0]?.trim() ?? ''
    const known = { header: String(header), question: String(question), options: listObjects(options) }
    return answer === '' ? [] : [{ ...known, answer }]
  })
}

const listObjects = (value: unknown) => (Array.isArray(value) ? value : []).filter(isObject)
