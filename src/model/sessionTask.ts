// A task: one prompt and what happened until the next one, with the tool calls made for it.
import { type CallResult, type Event, type EventOf, isCallResult } from './event.ts'
import type { SessionId } from './id.ts'

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
export interface SessionSlice {
  readonly session: SessionId
  readonly events: readonly Event[]
}
