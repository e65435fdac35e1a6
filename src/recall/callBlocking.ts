// When a call is blocked once: its command failed in an earlier session until something else was run first. Pure.
//
// Only for users who configured it, and only while the lesson was right at least as often as wrong: each session in
// which the command passed counts against it.
import { type CallResult, callCommand } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'
import { isStepDone, oneLineCommandCore, recurringCommand } from '../text/fixSteps.ts'
import { canRecall } from './canRecall.ts'
import type { RecallCandidate } from './recallCandidate.ts'

/** Share of the sessions that ran the command in which its error must have come, 0 to 1. */
const FAILURE_SHARE_MIN = 0.5

/** What this session has done so far. */
export interface SessionCallHistory {
  readonly calls: readonly CallResult[]
  /** The lessons that have blocked a call of this session. */
  readonly alreadyBlocking: ReadonlySet<MemoryId>
}

/** Whether a candidate may block a call, as far as its row says. */
export const mayBlockCall = ({ memory, match }: RecallCandidate, query: RecallQuery): boolean =>
  match.command > 0 && memory.kind === 'lesson' && memory.outcome === 'success' && canRecall(query, memory)

/**
 * Whether the lesson would change the call: the command, or what it begins with, fails until something else is run. Not
 * if the session has run it: then it passed, or its failure was shown; and not if a step of the fix is done.
 */
export function wouldChangeCall(memory: Memory, command: string, history: () => SessionCallHistory): boolean {
  const { lesson, sessionCount } = memory
  const failing = recurringCommand(memory)
  if (lesson === undefined || failing === undefined || !beginsWith(command, failing)) return false
  if (sessionCount < FAILURE_SHARE_MIN * (sessionCount + lesson.falseAlarms)) return false
  const { calls } = history()
  return !calls.some((call) => beginsWith(callCommand(call), failing)) && !isStepDone(lesson.fix, calls)
}

function beginsWith(command: string, beginning: string): boolean {
  const core = oneLineCommandCore(command)
  return core === beginning || (core?.startsWith(`${beginning} `) ?? false)
}

/**
 * Whether the lesson blocks the command: it would change this very command, it has not blocked one before, and it is
 * not only a teammate's: what nobody met on this machine is shown, and blocks nothing.
 */
export const shouldBlockCall = (memory: Memory, command: string, history: SessionCallHistory): boolean =>
  memory.team?.own !== false &&
  oneLineCommandCore(command) === recurringCommand(memory) &&
  !history.alreadyBlocking.has(memory.id) &&
  wouldChangeCall(memory, command, () => history)
