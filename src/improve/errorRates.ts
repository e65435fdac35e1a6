// How often each command meets each of its errors: what the absence of an error is compared with.
import { type Event, isCallResult } from '../model/event.ts'
import { splitTasks } from '../model/sessionTask.ts'

/** Of a command: in how many tasks it ran, and in how many of them each of its errors occurred. */
interface CommandErrors {
  readonly n: number
  readonly met: Readonly<Record<string, number>>
}

/** By command shape; the command that ran last is the last one. */
export type ErrorRates = Readonly<Record<string, CommandErrors>>

/** Tasks of a command that are remembered: at this number all its counts are halved, so that old ones lose weight. */
const COMMAND_TASKS_MAX = 50

const COMMANDS_MAX = 200
const ERRORS_MAX = 20

/** Tasks that ran a command before its errors' rates are known. */
const COMMAND_TASKS_MIN = 5

/** The share of a command's tasks in which the error occurred, 0 to 1; undefined if too few are known. */
export function findErrorRate(rates: ErrorRates | undefined, shape: string, signature: string): number | undefined {
  const known = rates?.[shape]
  return known && known.n >= COMMAND_TASKS_MIN ? (known.met[signature] ?? 0) / known.n : undefined
}

/** Before any observation: in how many of its command's tasks a known error occurs; measured on recorded sessions. */
const RATE_PRIOR = 0.1

/** Tasks at which a command's own rate counts one half. */
const RATE_PRIOR_COUNT = 5

/** How often an error usually occurs in a task that runs its command, shrunk towards what is usual anywhere. */
export function estimateErrorRate(rates: ErrorRates | undefined, shape: string, signature: string): ExpectedValue {
  const n = rates?.[shape]?.n ?? 0
  const met = rates?.[shape]?.met[signature] ?? 0
  const value = (met + RATE_PRIOR_COUNT * RATE_PRIOR) / (n + RATE_PRIOR_COUNT)
  return { value, kind: shape, n, own: n === 0 ? RATE_PRIOR : met / n, all: n }
}

/** The rates with the tasks of these events of one session. Commands in `noted` are left out: a note warned of them. */
export function addErrorRates(
  rates: ErrorRates | undefined,
  events: readonly Event[],
  noted: ReadonlySet<string>,
): ErrorRates {
  const next: Record<string, CommandErrors> = { ...rates }
  for (const task of splitTasks(events)) {
    const errors = new Map<string, Set<string>>()
    for (const call of task.events.filter(isCallResult)) {
      if (!call.commandShape || noted.has(call.commandShape)) continue
      const met = errors.get(call.commandShape) ?? new Set()
      errors.set(call.commandShape, met)
      if (call.kind === 'call.failed' && call.errorSignature && !call.interrupted) met.add(call.errorSignature)
    }
    for (const [shape, met] of errors) {
      const known = next[shape] ?? { n: 0, met: {} }
      delete next[shape]
      next[shape] = addTask(known, met)
    }
  }
  const shapes = Object.keys(next)
  for (const shape of shapes.slice(0, Math.max(0, shapes.length - COMMANDS_MAX))) delete next[shape]
  return next
}

function addTask(known: CommandErrors, errors: ReadonlySet<string>): CommandErrors {
  const factor = known.n >= COMMAND_TASKS_MAX ? 0.5 : 1
  const met = new Map(Object.entries(known.met).map(([signature, count]) => [signature, count * factor]))
  for (const signature of errors) met.set(signature, (met.get(signature) ?? 0) + 1)
  const frequent = [...met].filter(([, count]) => count >= 0.5).sort(([, a], [, b]) => b - a)
  return { n: known.n * factor + 1, met: Object.fromEntries(frequent.slice(0, ERRORS_MAX)) }
}

// What is usual for some work, with the observations behind it.

/** What is usual, and the observations that it is computed from. */
export interface ExpectedValue {
  readonly value: number
  /** The narrowest stratum with observations; `*` is the whole project. */
  readonly kind: string
  /** The number of observations there, and their mean before shrinkage. */
  readonly n: number
  readonly own: number
  /** Observations in the whole project. */
  readonly all: number
}
