// Observe: what a session teaches about how such work usually goes here (see baseline.ts).
import { type CallEnded, commandOf, type Event, isCallEnded, timeOf } from '../model/event.ts'
import { isCheckCommand } from '../text/command.ts'
import { type Baselines, observed } from './baseline.ts'

/** The baselines with a session part's observations: how each check ended, and what each mended failure took. */
export function baselinesAfter(baselines: Baselines, events: readonly Event[]): Baselines {
  const calls = events.filter(isCallEnded)
  let { success, mendMs, mendCalls } = baselines
  calls.forEach((call, at) => {
    if (!call.commandShape) return
    if (isCheckCommand(commandOf(call))) {
      success = observed(success, call.commandShape, call.kind === 'call.succeeded' ? 1 : 0)
    }
    if (call.kind !== 'call.failed' || failedBefore(calls, at)) return
    const passed = calls.findIndex(
      (other, i) => i > at && other.kind === 'call.succeeded' && other.commandShape === call.commandShape,
    )
    if (passed === -1) return
    mendMs = observed(mendMs, call.commandShape, timeOf(calls[passed]!) - timeOf(call))
    mendCalls = observed(mendCalls, call.commandShape, passed - at)
  })
  return { success, mendMs, mendCalls }
}

/** A run of failures of one command is one trouble: it began with the first. */
function failedBefore(calls: readonly CallEnded[], at: number): boolean {
  const before = calls.slice(0, at).findLast((other) => other.commandShape === calls[at]!.commandShape)
  return before?.kind === 'call.failed'
}
