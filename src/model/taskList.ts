// The task list of a session: what the client's tools TodoWrite, TaskCreate and TaskUpdate have made of it.
import type { CallResult } from './event.ts'

/** An entry: its text, and its state as the client names it (pending, in_progress, completed, …). */
export interface TaskListEntry {
  text: string
  state: string
}

/** The entries by their id in the client; of TodoWrite by their position. */
export type TaskList = Map<string, TaskListEntry>

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

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
