// Failures met and avoided, for `memctl report`: which errors were known before, and how often an error came back after
// a warning. The same count for warnings that chance held back says how often it comes back anyway.
import { wilsonInterval } from '../../improve/statistics.ts'
import { isAboutFailures, judgeCall } from '../../knowledge/updateRecords.ts'
import { fires } from '../../knowledge/when.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import type { ReportScan, ScannedCall, ScannedFailure } from './reportScan.ts'

/** Warnings, one for each memory and session that had it, by what followed until the end of the session. */
interface WarningOutcomes {
  /** A later call failed as the memory says. */
  readonly again: number
  /** None did, and a call like one that had failed so before passed. */
  readonly passed: number
  /** None did, and no such call was made. */
  readonly untried: number
}

/** The warnings that were shown, or those that chance held back. */
export interface WarningFigures extends WarningOutcomes {
  readonly count: number
  /** The 95 % interval of the share that came back; null without warnings. */
  readonly interval: readonly [number, number] | null
}

export interface FailureFigures {
  /** Failed calls, and those with an error that an entry from an earlier session had. */
  readonly met: number
  readonly known: number
  /** Of the failed calls with a known error: those for which a note was shown right then. */
  readonly noted: number
  readonly shown: WarningFigures
  readonly withheld: WarningFigures
}

/** Of the calls that failed, those with a known error: an entry of an earlier session has its signature or text. */
export function findKnownFailures(calls: readonly ScannedCall[], memories: MemoryMap): ReadonlySet<ScannedCall> {
  const entries = [...memories.values()].filter(isAboutError)
  const bySignature = groupBySignature(entries)
  // A signature is looked up; texts must be compared one by one.
  const byText = entries.filter(({ knowledge }) => knowledge?.when.some(({ at, has }) => at === 'failure' && has))
  const known = calls.filter(({ failure, session, at }) => {
    if (!failure) return false
    const isEarlier = (memory: Memory): boolean => memory.created < at && memory.session !== session
    const { signature } = failure
    const same = signature === undefined ? [] : (bySignature.get(signature) ?? [])
    return same.some(isEarlier) || byText.some((memory) => isEarlier(memory) && firesAt(memory, failure))
  })
  return new Set(known)
}

/** A lesson or fact that names an error. */
const isAboutError = ({ kind, errorSignature, knowledge }: Memory): boolean =>
  knowledge
    ? isAboutFailures(knowledge) && (errorSignature !== undefined || knowledge.when.some(({ at }) => at === 'failure'))
    : kind === 'lesson' && errorSignature !== undefined

const firesAt = ({ knowledge }: Memory, { failure }: ScannedFailure): boolean =>
  knowledge !== undefined && fires(knowledge.when, failure)

function groupBySignature(entries: readonly Memory[]): ReadonlyMap<string, Memory[]> {
  const groups = new Map<string, Memory[]>()
  for (const memory of entries) {
    for (const signature of listSignatures(memory)) {
      const group = groups.get(signature)
      if (group) group.push(memory)
      else groups.set(signature, [memory])
    }
  }
  return groups
}

const listSignatures = ({ errorSignature, knowledge }: Memory): ReadonlySet<string> =>
  new Set([errorSignature, ...(knowledge?.when.map(({ signature }) => signature) ?? [])].flatMap((each) => each ?? []))

export function countFailures(scan: ReportScan, memories: MemoryMap): FailureFigures {
  const { calls, recalls } = scan
  const known = findKnownFailures(calls, memories)
  const noted = new Set(
    recalls.flatMap(({ moment, withheld, call }) => (moment === 'failure' && !withheld && call) || []),
  )
  return {
    met: calls.filter(({ failure }) => failure !== undefined).length,
    known: known.size,
    noted: [...known].filter(({ call }) => noted.has(call)).length,
    ...followWarnings(scan, memories),
  }
}

/**
 * Only recalls whose showing was drawn by chance count, and of these the first of a memory in a session: the two groups
 * then differ by chance and by the showing alone.
 */
function followWarnings(
  { calls, recalls }: ReportScan,
  memories: MemoryMap,
): Pick<FailureFigures, 'shown' | 'withheld'> {
  const outcomes = { shown: { again: 0, passed: 0, untried: 0 }, withheld: { again: 0, passed: 0, untried: 0 } }
  const bySession = groupBySession(calls)
  const failedAlike = createFailureFinder(calls)
  const seen = new Set<string>()
  for (const { session, at, call: own, shown, withheld, isDrawn } of recalls) {
    if (!isDrawn) continue
    for (const id of shown) {
      const key = `${session} ${id}`
      const memory = memories.get(id)
      if (!memory || !isWarning(memory) || seen.has(key)) continue
      seen.add(key)
      // The client shows a note for a call only with its result, so this call says nothing.
      const later = (bySession.get(session) ?? []).filter((call) => call.at > at && call.call !== own)
      outcomes[withheld ? 'withheld' : 'shown'][followWarning(memory, later, failedAlike)]++
    }
  }
  return { shown: sumOutcomes(outcomes.shown), withheld: sumOutcomes(outcomes.withheld) }
}

function sumOutcomes(outcomes: WarningOutcomes): WarningFigures {
  const count = outcomes.again + outcomes.passed + outcomes.untried
  return { ...outcomes, count, interval: count === 0 ? null : wilsonInterval(outcomes.again, count) }
}

/** A lesson or a fact that says at which call or error it holds. */
const isWarning = ({ kind, errorSignature, knowledge }: Memory): boolean =>
  knowledge
    ? isAboutFailures(knowledge) && knowledge.when.some(({ at }) => at !== 'start')
    : kind === 'lesson' && errorSignature !== undefined

function followWarning(
  memory: Memory,
  later: readonly ScannedCall[],
  failedAlike: (memory: Memory) => ReadonlySet<string>,
): keyof WarningOutcomes {
  if (later.some((call) => explains(memory, call))) return 'again'
  const likenesses = failedAlike(memory)
  return later.some(({ failure, likeness }) => !failure && likenesses.has(likeness)) ? 'passed' : 'untried'
}

/** Whether the call failed as the memory says. */
function explains({ errorSignature, knowledge }: Memory, { failure }: ScannedCall): boolean {
  if (!failure) return false
  if (knowledge) return judgeCall(knowledge, failure.call, failure.failure).verdict === 'bad'
  return errorSignature !== undefined && failure.signature === errorSignature
}

/** Which calls failed as a memory says, in any session; each memory is looked for once. */
function createFailureFinder(calls: readonly ScannedCall[]): (memory: Memory) => ReadonlySet<string> {
  const failed = calls.filter(({ failure }) => failure !== undefined)
  const found = new Map<MemoryId, ReadonlySet<string>>()
  return (memory) => {
    const before = found.get(memory.id)
    if (before) return before
    const alike = failed.filter((call) => explains(memory, call)).map(({ likeness }) => likeness)
    const likenesses = new Set([...alike, ...(memory.commandShape === undefined ? [] : [memory.commandShape])])
    found.set(memory.id, likenesses)
    return likenesses
  }
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
