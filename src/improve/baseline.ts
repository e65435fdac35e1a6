// Baselines: what is usual in this project for each kind of work, so that a contribution is measured against that.
//
// Running means that forget slowly, one for each stratum (see below). Shrinkage: the project's mean is drawn
// towards a prior, the mean of the task's kind towards the project's, that of the area of the files towards that, the
// command's towards that.
import {
  type CallResult,
  callCommand,
  EDIT_TOOLS,
  type Event,
  type EventOf,
  eventTimeMs,
  isCallResult,
} from '../model/event.ts'
import { type SessionTask, splitTasks } from '../model/sessionTask.ts'
import { isCheckCommand } from '../text/command.ts'
import { addTraceObservations, type RecallObservations, type TraceRates } from './traceRates.ts'

/** A running mean with its count; `n` is limited to COUNT_MAX, so that old observations lose weight. */
type RunningMean = Readonly<{ n: number; mean: number }>

/** Means by stratum. Times and counts are logarithms, so that one endless task does not change what is usual. */
type Means = Readonly<Record<string, RunningMean>>

export interface Baselines {
  /** Share of successes, 0 to 1. */
  readonly success: Means
  /** ln(1 s + time) from a failure to its pass. */
  readonly mendTime?: Means
  /** ln(1 + calls) from a failure to its pass. */
  readonly mendCalls?: Means
  /** ln(1 s + time) of a whole task. */
  readonly taskTime?: Means
  /** ln(1 + calls) of a whole task. */
  readonly taskCalls?: Means
  /** How often an error came back before its command passed: 0 for never, .75 for once, 1 for more. */
  readonly repeats?: Means
  /** How often each command meets its errors without a note. */
  readonly errors?: ErrorRates
  /** How often each usage signal occurs, with a note and without. */
  readonly traces?: TraceRates
}

export const NO_BASELINES: Baselines = { success: {} }

export const WHOLE_PROJECT = '*'

const COUNT_MAX = 50
const STRATA_MAX = 400

/** Number of observations at which a stratum's own mean counts one half. */
const PRIOR_COUNT = 5

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

/**
 * What is usual for work in these strata, broadest first, each mean shrunk towards the broader one: (n · own + 5 ·
 * broader) / (n + 5). The project's mean is shrunk towards `prior`. Undefined without a prior and without observations.
 */
export function estimateExpected(
  means: Means | undefined,
  strata: readonly string[],
  prior?: number,
): ExpectedValue | undefined {
  const all = means?.[WHOLE_PROJECT]
  const start = all?.mean ?? prior
  if (start === undefined) return undefined
  let value = all && prior !== undefined ? shrink(all, prior) : start
  const allCount = all?.n ?? 0
  let expected: ExpectedValue = { value, kind: WHOLE_PROJECT, n: allCount, own: start, all: allCount }
  for (const kind of strata) {
    const mean = ownValue(means, kind)
    if (!mean) continue
    value = shrink(mean, value)
    expected = { value, kind, n: mean.n, own: mean.mean, all: allCount }
  }
  return expected
}

const shrink = ({ n, mean }: RunningMean, towards: number): number =>
  (n * mean + PRIOR_COUNT * towards) / (n + PRIOR_COUNT)

/** How much a comparison with a baseline of `n` observations counts, 0 to 1. */
export const computeReliability = (n: number): number => n / (n + PRIOR_COUNT)

/**
 * The baselines with the observations of these events of one session: how each task went, what each fix took, and which
 * traces its recalls left.
 */
export function updateBaselines(
  baselines: Baselines,
  events: readonly Event[],
  recalls: readonly RecallObservations[] = [],
): Baselines {
  const recorded = events.filter((event) => event.kind !== 'recalled')
  const noted = new Set(recalls.flatMap((recall) => recall.noted))
  const tasks = splitTasks(recorded)
  const next = tasks.reduce((before, task) => addTask(before, task, noted), baselines)
  const observations = recalls.flatMap(({ traces }) => traces)
  return {
    ...next,
    errors: addErrorRates(next.errors, tasks, noted),
    ...(observations.length > 0 && { traces: addTraceObservations(next.traces, observations) }),
  }
}

function addTask(baselines: Baselines, { prompt, events }: SessionTask, noted: ReadonlySet<string>): Baselines {
  const calls = events.filter(isCallResult)
  const strata = listStrata(prompt, calls)
  const passed = didLastCheckPass(calls)
  const last = events.at(-1)
  let { success, taskTime, taskCalls } = baselines
  if (passed !== undefined) success = addObservation(success, strata, passed ? 1 : 0)
  if (prompt && last && calls.length > 0) {
    taskTime = addObservation(taskTime, strata, toLogScale(secondsBetween(prompt, last)))
    taskCalls = addObservation(taskCalls, strata, toLogScale(calls.length))
  }
  const next = { ...baselines, success, ...(taskTime && { taskTime }), ...(taskCalls && { taskCalls }) }
  return addFixes(next, prompt, calls, noted)
}

/**
 * Adds each command that failed and passed later. Repeated failures of a command count once, from the first. How often
 * the error came back is not counted if a note described it: the note may have prevented that.
 */
function addFixes(
  baselines: Baselines,
  prompt: EventOf<'prompt'> | undefined,
  calls: readonly CallResult[],
  noted: ReadonlySet<string>,
): Baselines {
  let next = baselines
  for (const [index, call] of calls.entries()) {
    if (call.kind !== 'call.failed' || !call.commandShape || call.interrupted) continue
    const before = calls.slice(0, index).findLast((other) => other.commandShape === call.commandShape)
    if (before?.kind === 'call.failed') continue
    const later = calls.slice(index + 1)
    const passedAt = later.findIndex(
      (other) => other.kind === 'call.succeeded' && other.commandShape === call.commandShape,
    )
    const passed = later[passedAt]
    if (!passed) continue
    const strata = listStrata(prompt, calls, call.commandShape)
    const repeats = later
      .slice(0, passedAt)
      .filter((other) => other.kind === 'call.failed' && other.errorSignature === call.errorSignature).length
    next = {
      ...next,
      mendTime: addObservation(next.mendTime, strata, toLogScale(secondsBetween(call, passed))),
      mendCalls: addObservation(next.mendCalls, strata, toLogScale(passedAt + 1)),
      ...(!noted.has(call.commandShape) && { repeats: addObservation(next.repeats, strata, toRepeatScore(repeats)) }),
    }
  }
  return next
}

/** What a record has by this name. A command may be called `constructor`, which every object inherits. */
const ownValue = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined

/** The means with one more observation, in each of these strata and in the whole project. */
export function addObservation(means: Means | undefined, strata: readonly string[], value: number): Means {
  const next = new Map(Object.entries(means ?? {}))
  for (const kind of new Set([...strata, WHOLE_PROJECT])) {
    const known = next.get(kind) ?? { n: 0, mean: 0 }
    const n = Math.min(COUNT_MAX, known.n + 1)
    // Deleted and added again, so that the stratum whose last observation is the oldest comes first.
    next.delete(kind)
    next.set(kind, { n, mean: known.mean + (value - known.mean) / n })
  }
  for (const kind of [...next.keys()]) {
    if (next.size <= STRATA_MAX) break
    if (kind !== WHOLE_PROJECT) next.delete(kind)
  }
  return Object.fromEntries(next)
}

// Strata: the kinds of work that a task belongs to, broadest first: what the prompt asks for, the area of the files,
// the command.

/** Words of each kind of prompt, in English and Japanese; the first match counts. work.<n>.json stores the names. */
const TASK_KINDS: readonly (readonly [string, RegExp])[] = [
  [
    'task mend',
    /\b(?:fix(?:es|ed)?|bug|broken|fail(?:s|ed|ing|ure)?|error|crash(?:es|ed)?|wrong|red)\b|直し|修正|失敗|エラー|壊れ|バグ/i,
  ],
  ['task test', /\b(?:tests?|coverage|spec)\b|テスト/i],
  ['task tidy', /\b(?:refactor|rename|clean ?up|simplif(?:y|ies)|move|format|lint)\b|整理|リファクタ|名前を変/i],
  ['task tell', /\b(?:docs?|readme|document|explain|describe|comment)\b|説明|ドキュメント|文書/i],
  ['task look', /^(?:what|why|how|where|who|which|is|are|does|do|can you (?:tell|show))\b|[?？]\s*$|調べ|教えて/i],
  ['task make', /\b(?:add|create|implement|build|make|write|support|introduce)\b|追加|作成|作って|実装/i],
]

/** The kind of work that a prompt asks for. */
export function classifyTask(prompt: string): string {
  const head = prompt.trim().slice(0, 400)
  return TASK_KINDS.find(([, words]) => words.test(head))?.[0] ?? 'task other'
}

/** The area of a file: its folder, two levels at most. */
export const areaStratum = (file: string): string => `area ${file.split('/').slice(0, -1).slice(0, 2).join('/') || '.'}`

/** The strata of a task, broadest first. `command` is the one it is about, else its last check command is used. */
export function listStrata(
  prompt: Event | undefined,
  calls: readonly CallResult[],
  command?: string,
  file?: string,
): string[] {
  const edited = calls.find((call) => EDIT_TOOLS.has(call.tool) && call.files.length > 0)?.files[0] ?? file
  const shape = command ?? findLastCheck(calls)?.commandShape
  return [
    ...(prompt?.kind === 'prompt' ? [classifyTask(prompt.text)] : []),
    ...(edited === undefined ? [] : [areaStratum(edited)]),
    ...(shape === undefined ? [] : [shape]),
  ]
}

/** Whether the task's last check command passed; undefined if it ran none. */
export function didLastCheckPass(calls: readonly CallResult[]): boolean | undefined {
  const check = findLastCheck(calls)
  return check ? check.kind === 'call.succeeded' : undefined
}

const findLastCheck = (calls: readonly CallResult[]): CallResult | undefined =>
  calls.findLast((call) => isCheckCommand(callCommand(call)))

/** A count or a time in seconds as baselines store it: ln(1 + value). */
const toLogScale = (value: number): number => Math.log1p(Math.max(0, value))

export const secondsBetween = (from: Event, to: Event): number =>
  Math.max(0, eventTimeMs(to) - eventTimeMs(from)) / 1000

/** How often an error came back, as baselines store it: 0 for never, .75 for once, 1 for more. */
export const toRepeatScore = (times: number): number => (times === 0 ? 0 : times === 1 ? 0.75 : 1)

// How often each command meets each of its errors: what the absence of an error is compared with.

/** Of a command: in how many tasks it ran, and in how many of them each of its errors occurred. */
type CommandErrors = Readonly<{ n: number; met: Readonly<Record<string, number>> }>

/** By command shape; the command that ran last is the last one. */
type ErrorRates = Readonly<Record<string, CommandErrors>>

/** Tasks of a command that are remembered: at this number all its counts are halved, so that old ones lose weight. */
const COMMAND_TASKS_MAX = 50

const COMMANDS_MAX = 200
const ERRORS_MAX = 20

/** Tasks that ran a command before its errors' rates are known. */
const COMMAND_TASKS_MIN = 5

/** The share of a command's tasks in which the error occurred, 0 to 1; undefined if too few are known. */
export function findErrorRate(rates: ErrorRates | undefined, shape: string, signature: string): number | undefined {
  const known = ownValue(rates, shape)
  return known && known.n >= COMMAND_TASKS_MIN ? (known.met[signature] ?? 0) / known.n : undefined
}

/** Before any observation: in how many of its command's tasks a known error occurs; measured on recorded sessions. */
const RATE_PRIOR = 0.1

/** Tasks at which a command's own rate counts one half. */
const RATE_PRIOR_COUNT = 5

/** How often an error usually occurs in a task that runs its command, shrunk towards what is usual anywhere. */
export function estimateErrorRate(rates: ErrorRates | undefined, shape: string, signature: string): ExpectedValue {
  const { n, met: counts } = ownValue(rates, shape) ?? { n: 0, met: {} }
  const met = counts[signature] ?? 0
  const value = (met + RATE_PRIOR_COUNT * RATE_PRIOR) / (n + RATE_PRIOR_COUNT)
  return { value, kind: shape, n, own: n === 0 ? RATE_PRIOR : met / n, all: n }
}

/** The rates with these tasks of one session. Commands in `noted` are left out: a note warned of them. */
function addErrorRates(
  rates: ErrorRates | undefined,
  tasks: readonly SessionTask[],
  noted: ReadonlySet<string>,
): ErrorRates {
  const next = new Map(Object.entries(rates ?? {}))
  for (const { events } of tasks) {
    const errors = new Map<string, Set<string>>()
    for (const call of events.filter(isCallResult)) {
      if (!call.commandShape || noted.has(call.commandShape)) continue
      const met = errors.get(call.commandShape) ?? new Set()
      errors.set(call.commandShape, met)
      if (call.kind === 'call.failed' && call.errorSignature && !call.interrupted) met.add(call.errorSignature)
    }
    for (const [shape, met] of errors) {
      const known = next.get(shape) ?? { n: 0, met: {} }
      next.delete(shape)
      next.set(shape, countErrors(known, met))
    }
  }
  return Object.fromEntries([...next].slice(-COMMANDS_MAX))
}

function countErrors(known: CommandErrors, errors: ReadonlySet<string>): CommandErrors {
  const factor = known.n >= COMMAND_TASKS_MAX ? 0.5 : 1
  const met = new Map(Object.entries(known.met).map(([signature, count]) => [signature, count * factor]))
  for (const signature of errors) met.set(signature, (met.get(signature) ?? 0) + 1)
  const frequent = [...met].filter(([, count]) => count >= 0.5).sort(([, a], [, b]) => b - a)
  return { n: known.n * factor + 1, met: Object.fromEntries(frequent.slice(0, ERRORS_MAX)) }
}
