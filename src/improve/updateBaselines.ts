// Observe: what a session teaches about how such work usually goes here (see baseline.ts).
import { type CallResult, type Event, isCallResult } from '../model/event.ts'
import { addObservation, type Baselines } from './baseline.ts'
import { didLastCheckPass, listStrata, secondsBetween, toLogScale, toRepeatScore } from './taskStrata.ts'

/** The baselines with a session part's observations: how each task went, and what each mended failure took. */
export function updateBaselines(baselines: Baselines, events: readonly Event[]): Baselines {
  let next = baselines
  for (const task of tasksIn(events)) next = taskObserved(next, task)
  return next
}

interface Task {
  readonly prompt: Event | undefined
  readonly events: readonly Event[]
}

/** A session's events cut where the person speaks. */
function tasksIn(events: readonly Event[]): Task[] {
  const tasks: { prompt: Event | undefined; events: Event[] }[] = []
  for (const event of events) {
    if (event.kind === 'recalled') continue
    if (event.kind === 'prompt' || tasks.length === 0) {
      tasks.push({ prompt: event.kind === 'prompt' ? event : undefined, events: [event] })
    } else tasks.at(-1)!.events.push(event)
  }
  return tasks
}

function taskObserved(baselines: Baselines, { prompt, events }: Task): Baselines {
  const calls = events.filter(isCallResult)
  const kinds = listStrata(prompt, calls)
  const ended = didLastCheckPass(calls)
  let { success, taskTime, taskCalls } = baselines
  if (ended !== undefined) success = addObservation(success, kinds, ended ? 1 : 0)
  if (prompt && calls.length > 0) {
    taskTime = addObservation(taskTime, kinds, toLogScale(secondsBetween(prompt, events.at(-1)!)))
    taskCalls = addObservation(taskCalls, kinds, toLogScale(calls.length))
  }
  return mendsObserved(
    { ...baselines, success, ...(taskTime && { taskTime }), ...(taskCalls && { taskCalls }) },
    prompt,
    calls,
  )
}

function mendsObserved(baselines: Baselines, prompt: Event | undefined, calls: readonly CallResult[]): Baselines {
  let next = baselines
  calls.forEach((call, at) => {
    if (call.kind !== 'call.failed' || !call.commandShape || call.interrupted || failedBefore(calls, at)) return
    const passed = calls.findIndex(
      (other, i) => i > at && other.kind === 'call.succeeded' && other.commandShape === call.commandShape,
    )
    if (passed === -1) return
    const kinds = listStrata(prompt, calls, call.commandShape)
    const between = calls.slice(at + 1, passed)
    const again = between.filter(
      (one) => one.kind === 'call.failed' && one.errorSignature === call.errorSignature,
    ).length
    next = {
      ...next,
      mendTime: addObservation(next.mendTime, kinds, toLogScale(secondsBetween(call, calls[passed]!))),
      mendCalls: addObservation(next.mendCalls, kinds, toLogScale(passed - at)),
      repeats: addObservation(next.repeats, kinds, toRepeatScore(again)),
    }
  })
  return next
}

/** A run of failures of one command is one trouble: it began with the first. */
function failedBefore(calls: readonly CallResult[], at: number): boolean {
  const before = calls.slice(0, at).findLast((other) => other.commandShape === calls[at]!.commandShape)
  return before?.kind === 'call.failed'
}
