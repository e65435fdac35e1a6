// Which task each prompt of a session belongs to, by a name that other sessions use as well: the issue that the prompt
// or the branch names, or the entry of the task list that is being worked on.
import {
  findActiveEntry,
  listCallResults,
  type SessionTask,
  type TaskList,
  updateTaskList,
} from '../model/sessionTask.ts'
import { findBranchReference, findTaskReference, nameListedTask } from '../text/taskReference.ts'

/** A prompt up to this length that names nothing ("yes", "go on") belongs to the task before it. */
const REPLY_CHARS_MAX = 40

/** The tasks of a session by the id of their prompt. A prompt that names no task has none. */
export type TaskIdentities = ReadonlyMap<string, string>

/** The identity of each task, in this order: the prompt, the task list, the branch, the task before a short reply. */
export function identifyTasks(tasks: readonly SessionTask[]): TaskIdentities {
  const identities = new Map<string, string>()
  const list: TaskList = new Map()
  let before: string | undefined
  for (const task of tasks) {
    const { text = '', branch } = task.prompt ?? {}
    // What was worked on last is what a later session goes on with.
    let entry = findActiveEntry(list) ?? ''
    for (const call of listCallResults(task.events)) {
      if (call.agentId === undefined && updateTaskList(list, call)) entry = findActiveEntry(list) ?? entry
    }
    const isReply = text.trim().length <= REPLY_CHARS_MAX
    const identity =
      findTaskReference(text) ??
      findTaskReference(entry) ??
      findBranchReference(branch) ??
      (entry === '' ? undefined : nameListedTask(entry)) ??
      (isReply ? before : undefined)
    if (identity !== undefined) identities.set(task.id, identity)
    before = identity
  }
  return identities
}

/** The identity of most tasks of a session, of equally frequent ones the first; undefined if none has any. */
export function findMainTask(identities: TaskIdentities): string | undefined {
  const counts = new Map<string, number>()
  for (const identity of identities.values()) counts.set(identity, (counts.get(identity) ?? 0) + 1)
  return [...counts].reduce<readonly [string | undefined, number]>(
    (best, [identity, count]) => (count > best[1] ? [identity, count] : best),
    [undefined, 0],
  )[0]
}
