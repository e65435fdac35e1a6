// Hold: whether a call is held back this once, because this very command failed before until something else was run. Pure.
//
// Only for who chose it, and only while the note has been right as often as wrong: each session in which the command simply
// passed counts against it.
import type { CallResult } from '../model/event.ts'
import { callCommand } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { isStepDone, oneLineCommandCore, recurringCommand } from '../text/fixSteps.ts'
import { canRecall } from './canRecall.ts'
import type { RankableMemory, RecallCandidate } from './recallCandidate.ts'

/** Of the sessions that ran the command, in how many its error must have come; share, 0 to 1. */
const SHARE_MIN = 0.5

/** What this session has done so far. */
export interface SessionCallHistory {
  readonly calls: readonly CallResult[]
  /** What calls were held for already. */
  readonly alreadyBlocking: ReadonlySet<MemoryId>
}

/** Whether a candidate may hold a call, as far as its row tells. */
export const mayBlockCall = ({ memory, match }: RecallCandidate, cue: Parameters<typeof canRecall>[0]): boolean =>
  match.command > 0 && isMended(memory) && canRecall(cue, memory)

const isMended = (memory: Pick<RankableMemory, 'kind' | 'outcome'>): boolean =>
  memory.kind === 'lesson' && memory.outcome === 'success'

/**
 * Whether the lesson holds the command. Not if the session has run it: then it passed, or its failure was told. Not if a step of the
 * fix is done, and not twice.
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
  if (sessionCount < SHARE_MIN * (sessionCount + lesson.falseAlarms)) return false
  if (calls.some((call) => oneLineCommandCore(callCommand(call)) === core)) return false
  return !isStepDone(lesson.fix, calls)
}
