// What is done in this project anyway: in how many tasks each command runs and each file is changed without a note.
import { type CallResult, EDIT_TOOLS, isCallResult } from '../model/event.ts'
import type { SessionTask } from '../model/sessionTask.ts'

/** `hits`: tasks in which it was done. `noted`: tasks that do not count, because a shown note named it. */
type HabitCount = readonly [hits: number, noted: number]

export interface TaskHabits {
  readonly tasks: number
  /** By `commandKey` or `fileKey`; what was met last is the last one. */
  readonly keys: Readonly<Record<string, HabitCount>>
}

const NO_HABITS: TaskHabits = { tasks: 0, keys: {} }

/** At this number of tasks all counts are halved, so that old ones lose weight. */
const TASKS_MAX = 200

const KEYS_MAX = 500

/** Tasks at which a habit's own rate counts one half: the one task that a note was derived from makes no habit. */
const PRIOR_COUNT = 30

export const commandKey = (shape: string): string => `command ${shape}`
export const fileKey = (file: string): string => `file ${file}`

/** How probable it is that this is done in at least one of `tasks` tasks; `prior` is the probability in one, 0 to 1. */
export function estimateHabit(habits: TaskHabits | undefined, key: string, prior: number, tasks: number): number {
  const [hits, noted] = habits?.keys[key] ?? [0, 0]
  const counted = Math.max(hits, (habits?.tasks ?? 0) - noted)
  const rate = (hits + PRIOR_COUNT * prior) / (counted + PRIOR_COUNT)
  return 1 - (1 - rate) ** Math.max(1, tasks)
}

/** The habits with the tasks of one session, in which shown notes named the keys in `named`. */
export function addTasks(
  habits: TaskHabits | undefined,
  tasks: readonly SessionTask[],
  named: ReadonlySet<string>,
): TaskHabits {
  const before = habits ?? NO_HABITS
  const factor = before.tasks >= TASKS_MAX ? 0.5 : 1
  const keys = new Map<string, HabitCount>(
    Object.entries(before.keys).map(([key, [hits, noted]]) => [key, [hits * factor, noted * factor]]),
  )
  const update = (key: string, hits: number, noted: number): void => {
    const known = keys.get(key) ?? [0, 0]
    keys.delete(key)
    keys.set(key, [known[0] + hits, known[1] + noted])
  }
  for (const key of named) update(key, 0, tasks.length)
  for (const task of tasks) for (const key of listDone(task)) if (!named.has(key)) update(key, 1, 0)
  return {
    tasks: before.tasks * factor + tasks.length,
    keys: Object.fromEntries([...keys].slice(-KEYS_MAX)),
  }
}

const listDone = ({ events }: SessionTask): ReadonlySet<string> => new Set(events.filter(isCallResult).flatMap(keysOf))

const keysOf = (call: CallResult): string[] => [
  ...(call.commandShape !== undefined && call.kind === 'call.succeeded' ? [commandKey(call.commandShape)] : []),
  ...(EDIT_TOOLS.has(call.tool) ? call.files.map(fileKey) : []),
]
