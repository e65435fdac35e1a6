// Hold: whether a call is held back this once, because this very command failed before until something else was run. Pure.
//
// Only for who chose it, and only while the note has been right as often as wrong: each session in which the command simply
// passed counts against it.
import type { CallEnded } from '../model/event.ts'
import { commandOf } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { coreOf, isStepDone, recurringCommand } from '../text/fixSteps.ts'
import { admits } from './admit.ts'
import type { Candidate, Rankable } from './candidate.ts'

/** Of the sessions that ran the command, in how many its error must have come; share, 0 to 1. */
const SHARE_MIN = 0.5

/** What this session has done so far. */
export interface SessionSoFar {
  readonly calls: readonly CallEnded[]
  /** What calls were held for already. */
  readonly held: ReadonlySet<MemoryId>
}

/** Whether a candidate may hold a call, as far as its row tells. */
export const mayHold = ({ memory, match }: Candidate, cue: Parameters<typeof admits>[0]): boolean =>
  match.command > 0 && isMended(memory) && admits(cue, memory)

const isMended = (memory: Pick<Rankable, 'kind' | 'outcome'>): boolean =>
  memory.kind === 'lesson' && memory.outcome === 'success'

/**
 * Whether the lesson holds the command. Not if the session has run it: then it passed, or its failure was told. Not if a step of the
 * fix is done, and not twice.
 */
export function holds(memory: Memory, command: string, { calls, held }: SessionSoFar): boolean {
  const { lesson, sessionCount } = memory
  const core = coreOf(command)
  if (core === undefined || lesson === undefined || recurringCommand(memory) !== core || held.has(memory.id))
    return false
  if (sessionCount < SHARE_MIN * (sessionCount + lesson.falseAlarms)) return false
  if (calls.some((call) => coreOf(commandOf(call)) === core)) return false
  return !isStepDone(lesson.fix, calls)
}
