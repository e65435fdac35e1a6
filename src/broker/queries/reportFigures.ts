// Sums of `memctl report`: times of hooks, errors that came again.
import { fires } from '../../knowledge/when.ts'
import type { EventKind } from '../../model/event.ts'
import { isAboutFailures, isCurrent } from '../../model/knowledge.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import { groupBy } from '../../model/sorting.ts'
import { isGeneralSignature, isGenericError } from '../../text/errorSignature.ts'
import type { ReportScan, ScannedCall, ScannedFailure } from './reportScan.ts'

/** The median time of each kind of hook, in milliseconds; empty for logs without times. */
export const summarizeHooks = ({ hookTimes }: ReportScan): ReadonlyMap<EventKind, number> =>
  new Map([...hookTimes].map(([kind, times]) => [kind, times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0]))

// Failures that were met, for `memctl report`: which errors were known before, and which came again.

/** An error by its signature. */
interface RecurringError {
  readonly latest: ScannedCall
  readonly calls: number
  readonly sessions: number
}

export interface FailureFigures {
  /** Failed calls, and those with an error that an entry from an earlier session had. */
  readonly met: number
  readonly known: number
  /** Of the failed calls with a known error: those for which a note was shown right then. */
  readonly noted: number
  /** Errors that several sessions have met and no entry is about, those of most sessions first. */
  readonly again: readonly RecurringError[]
}

/** Of the calls that failed, those with a known error: an entry of an earlier session has its signature or text. */
function findKnownFailures(calls: readonly ScannedCall[], memories: MemoryMap): ScannedCall[] {
  const entries = [...memories.values()].filter(isAboutError)
  const signed = entries.flatMap((memory) => [...listSignatures(memory)].map((signature) => ({ signature, memory })))
  const bySignature = groupBy(signed, ({ signature }) => signature)
  // A signature is looked up; texts must be compared one by one.
  const byText = entries.filter(({ knowledge }) => knowledge?.when.some(({ at, has }) => at === 'failure' && has))
  return calls.filter(({ failure, session, at }) => {
    if (!failure) return false
    const isEarlier = (memory: Memory): boolean => memory.created < at && memory.session !== session
    const same = (bySignature.get(failure.signature ?? '') ?? []).map((each) => each.memory)
    return same.some(isEarlier) || byText.some((memory) => isEarlier(memory) && firesAt(memory, failure))
  })
}

/** A lesson or fact that names an error. */
const isAboutError = ({ kind, errorSignature, knowledge }: Memory): boolean =>
  knowledge
    ? isAboutFailures(knowledge) && (errorSignature !== undefined || knowledge.when.some(({ at }) => at === 'failure'))
    : kind === 'lesson' && errorSignature !== undefined

const firesAt = ({ knowledge }: Memory, { failure }: ScannedFailure): boolean =>
  knowledge !== undefined && fires(knowledge.when, failure)

const isAbout = (memory: Memory, failure: ScannedFailure): boolean =>
  listSignatures(memory).has(failure.signature ?? '') || firesAt(memory, failure)

const listSignatures = ({ errorSignature, knowledge }: Memory): ReadonlySet<string> =>
  new Set([errorSignature, ...(knowledge?.when.map(({ signature }) => signature) ?? [])].flatMap((each) => each ?? []))

export function countFailures({ calls, recalls }: ReportScan, memories: MemoryMap): FailureFigures {
  const known = findKnownFailures(calls, memories)
  const noted = new Set(
    recalls.flatMap(({ moment, withheld, call }) => (moment === 'failure' && !withheld && call) || []),
  )
  return {
    met: calls.filter(({ failure }) => failure !== undefined).length,
    known: known.length,
    noted: known.filter(({ call }) => noted.has(call)).length,
    again: listRecurring(calls, memories),
  }
}

/** Errors of the list, at most. */
const RECURRING_MAX = 20

/** Without signatures that many different errors have, and errors of the client's own tools, which say what to do. */
function listRecurring(calls: readonly ScannedCall[], memories: MemoryMap): RecurringError[] {
  const errors = groupBy(calls, ({ failure }) => {
    const { signature = '', line = '' } = failure ?? {}
    if (failure === undefined || isGeneralSignature(signature) || isGenericError(line)) return undefined
    // Several tools may print the same error.
    return signature.slice(signature.indexOf('|'))
  })
  errors.delete(undefined)
  const entries = [...memories.values()].filter(
    // What no session would be shown is a guess.
    (memory) => memory.knowledge && isCurrent(memory.knowledge) && memory.searchOnly !== true && isAboutError(memory),
  )
  return [...errors.values()]
    .flatMap((own) => {
      const [latest, sessions] = [own.at(-1), new Set(own.map(({ session }) => session)).size]
      const isKnown = entries.some((memory) => latest?.failure && isAbout(memory, latest.failure))
      return latest && sessions > 1 && !isKnown ? [{ latest, calls: own.length, sessions }] : []
    })
    .sort((a, b) => b.sessions - a.sessions || b.calls - a.calls)
    .slice(0, RECURRING_MAX)
}
