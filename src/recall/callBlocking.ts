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
 * Whether the lesson blocks the command. Not if the session has run it: then it passed, or its failure was shown. Not
 * if a step of the fix is done, and not twice.
 */
export function shouldBlockCall(
  memory: Memory,
  command: string,
  { calls, alreadyBlocking }: SessionCallHistory,
): boolean {
  const { lesson, sessionCount } = memory
  const core = oneLineCommandCore(command)
  if (core === undefined || lesson === undefined || recurringCommand(memory) !== core || alreadyBlocking.has(memory.id))
    return false
  if (sessionCount < FAILURE_SHARE_MIN * (sessionCount + lesson.falseAlarms)) return false
  if (calls.some((call) => oneLineCommandCore(callCommand(call)) === core)) return false
  return !isStepDone(lesson.fix, calls)
}
