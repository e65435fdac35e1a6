// A task: one prompt and what it set off, with the calls it made. A session's events cut where the person speaks.
import { type CallResult, callCommand, type Event, type EventOf, isCallResult } from '../model/event.ts'
import type { Outcome } from '../model/memory.ts'
import { isCheckCommand } from '../text/command.ts'

export interface SessionTask {
  readonly id: string
  /** Undefined for what happened before the first prompt of this part of the session. */
  readonly prompt?: EventOf<'prompt'> | undefined
  /** Every event of the task, the prompt first, subagents' included. */
  readonly events: readonly Event[]
}

const EDITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/** The session's events cut into tasks, in order. Without a prompt_id the prompt's own event id names the task. */
export function splitTasks(events: readonly Event[]): SessionTask[] {
  const tasks: { id: string; prompt?: EventOf<'prompt'>; events: Event[] }[] = []
  for (const event of events) {
    if (event.kind === 'prompt') tasks.push({ id: event.taskId ?? event.id, prompt: event, events: [event] })
    else if (tasks.length === 0) tasks.push({ id: event.taskId ?? event.id, events: [event] })
    else tasks.at(-1)!.events.push(event)
  }
  return tasks
}

export const listCallResults = (events: readonly Event[]): CallResult[] => events.filter(isCallResult)

/** Files changed, in the order they were first changed. */
export function listEditedFiles(events: readonly Event[]): string[] {
  const edits = listCallResults(events).filter((call) => call.kind === 'call.succeeded' && EDITING.has(call.tool))
  return [...new Set(edits.flatMap((call) => call.files))]
}

/** Files named by any call, changed ones first. */
export function listTouchedFiles(events: readonly Event[]): string[] {
  return [...new Set([...listEditedFiles(events), ...listCallResults(events).flatMap((call) => call.files)])]
}

/** How it ended: its last check command (test, build, lint), then the person's next words where they say so. */
export function inferOutcome(events: readonly Event[], next?: EventOf<'prompt'>): Outcome {
  const signals = new Set(next?.signals.map((signal) => signal.kind))
  if (signals.has('correction') || signals.has('complaint')) return 'failure'
  if (signals.has('thanks')) return 'success'
  const check = listCallResults(events).findLast((call) => isCheckCommand(callCommand(call)))
  return check?.outcome ?? 'unknown'
}

/** The last thing the main conversation said. */
export function findLastAnswer(events: readonly Event[]): string {
  const answer = events.findLast((event) => event.kind === 'answer' && event.text !== '')
  return answer?.kind === 'answer' ? answer.text : ''
}
