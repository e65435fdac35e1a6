// Failures met and avoided, for `memctl report`: which errors were known before, and what came after a warning. The same
// counts for withheld warnings say what happens without one.
import type { MemoryId, SessionId } from '../../model/id.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import type { ReportScan, ScannedCall, ScannedRecall } from './reportScan.ts'

/** What followed a warning, until the end of its session. */
export interface WarningOutcomes {
  /** A call like the one that had failed passed, and the error did not occur again. */
  readonly avoided: number
  /** A call failed with the error of the note. */
  readonly again: number
  /** No call like it ran. */
  readonly untried: number
}

export interface FailureFigures {
  /** Failed calls, and those whose error a memory from an earlier session had. */
  readonly met: number
  readonly known: number
  /** Of the failed calls with a known error: those for which a note was shown right then. */
  readonly fixShown: number
  readonly shown: WarningOutcomes
  readonly withheld: WarningOutcomes
}

/** Of the calls that failed, those whose error was known: a memory of an earlier session has its signature. */
export function findKnownFailures(calls: readonly ScannedCall[], memories: MemoryMap): ReadonlySet<ScannedCall> {
  const earliest = new Map<string, Memory>()
  for (const memory of memories.values()) {
    const error = memory.errorSignature
    if (error === undefined || memory.kind !== 'lesson') continue
    const before = earliest.get(error)
    if (!before || memory.created < before.created) earliest.set(error, memory)
  }
  const known = calls.filter(({ failed, error, session, at }) => {
    const memory = failed && error !== undefined ? earliest.get(error) : undefined
    return memory !== undefined && memory.created < at && memory.session !== session
  })
  return new Set(known)
}

/** Only lessons can be followed: they have the signature of their error. */
export function countFailures({ calls, recalls }: ReportScan, memories: MemoryMap): FailureFigures {
  const known = findKnownFailures(calls, memories)
  const callsBySession = groupBySession(calls)
  const shown = { avoided: 0, again: 0, untried: 0 }
  const withheld = { avoided: 0, again: 0, untried: 0 }
  const answered = new Set<string>()
  for (const recall of recalls) {
    if (recall.moment === 'failure' && !recall.withheld && recall.call !== undefined) answered.add(recall.call)
    // A warning that chance could not withhold has no control group.
    if (!recall.isDrawn) continue
    const lessons = recall.shown.flatMap((id) => toLesson(memories, id))
    if (lessons.length === 0) continue
    const outcome = followWarning(recall, lessons, callsBySession.get(recall.session) ?? [])
    ;(recall.withheld ? withheld : shown)[outcome]++
  }
  return {
    met: calls.filter(({ failed }) => failed).length,
    known: known.size,
    fixShown: [...known].filter(({ call }) => answered.has(call)).length,
    shown,
    withheld,
  }
}

function toLesson(memories: MemoryMap, id: MemoryId): Memory[] {
  const memory = memories.get(id)
  return memory?.kind === 'lesson' && memory.errorSignature !== undefined ? [memory] : []
}

function groupBySession(calls: readonly ScannedCall[]): ReadonlyMap<SessionId, ScannedCall[]> {
  const groups = new Map<SessionId, ScannedCall[]>()
  for (const call of calls) {
    const group = groups.get(call.session)
    if (group) group.push(call)
    else groups.set(call.session, [call])
  }
  return groups
}

/**
 * The call that a warning came with does not count: the client shows a note for a call only with its result. One error
 * that occurs again decides, whatever passed.
 */
function followWarning(
  recall: ScannedRecall,
  lessons: readonly Memory[],
  calls: readonly ScannedCall[],
): keyof WarningOutcomes {
  const errors = new Set(lessons.map(({ errorSignature }) => errorSignature))
  const own = calls.find(({ call }) => call === recall.call)
  const likenesses = new Set([
    ...(own ? [own.likeness] : []),
    ...lessons.flatMap(({ commandShape }) => commandShape ?? []),
  ])
  const later = calls.filter(({ at, call }) => at > recall.at && call !== recall.call)
  if (later.some(({ failed, error }) => failed && error !== undefined && errors.has(error))) return 'again'
  return later.some(({ failed, likeness }) => !failed && likenesses.has(likeness)) ? 'avoided' : 'untried'
}
