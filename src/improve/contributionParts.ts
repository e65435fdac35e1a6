// The four parts of a contribution (self-improving-cycle spec), each against what is usual here for such work; 0 if
// nothing is known.
import type { ContributionParts } from '../model/contribution.ts'
import type { CallResult } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import {
  type Baselines,
  computeReliability,
  didLastCheckPass,
  type ExpectedValue,
  estimateErrorRate,
  estimateExpected,
  listStrata,
  secondsBetween,
  toRepeatScore,
} from './baseline.ts'
import { hasJustFailed, type RecallPeriod } from './usageCredit.ts'

/** One part as it was measured. Times are in seconds. */
export interface MeasuredPart {
  readonly part: keyof ContributionParts
  /** This task: success 0 or 1, seconds, calls, or how often the error came back (0, .75, 1). */
  readonly now: number
  /** What is usual here, in the same unit. */
  readonly usual: number
  /** The narrowest stratum with observations, their number, and their mean before shrinkage. */
  readonly kind: string
  readonly n: number
  readonly own: number
  /** The part, −1 to 1. */
  readonly value: number
}

/** Before any observation, half of all work succeeds. */
const SUCCESS_PRIOR = 0.5

/** Before any observation, how often an error comes back before its command passes; measured on recorded sessions. */
const REPEATS_PRIOR = 0.06

/** The parts that can be measured for a memory in the task after its recall. */
export function measureParts(memory: Memory, task: RecallPeriod, baselines: Baselines): MeasuredPart[] {
  // The call that the memory came with would have ended like this without it.
  const calls = task.calls.map(([, call]) => call)
  const strata = listStrata(task.prompt, calls, undefined, memory.files[0])
  const passed = findPass(memory, calls)
  const fixStrata = listStrata(task.prompt, calls, memory.commandShape, memory.files[0])
  const hasEvidence = passed !== undefined || calls.some((call) => isSameError(memory, call))
  return [
    ...measureSuccess(calls, estimateExpected(baselines.success, strata, SUCCESS_PRIOR)),
    ...(passed
      ? measureFix(task, calls, passed, {
          time: estimateExpected(baselines.mendTime, fixStrata),
          calls: estimateExpected(baselines.mendCalls, fixStrata),
        })
      : measureWholeTask(task, calls, {
          time: estimateExpected(baselines.taskTime, strata),
          calls: estimateExpected(baselines.taskCalls, strata),
        })),
    // If its command never ran again, the absence of the error means nothing.
    ...(hasEvidence ? measureErrors(memory, calls, expectErrors(memory, task, baselines, fixStrata)) : []),
  ]
}

/** The values of the parts by name; 0 for a part that was not measured. */
export function toContributionParts(measured: readonly MeasuredPart[]): ContributionParts {
  const parts = { success: 0, time: 0, calls: 0, errors: 0 }
  for (const { part, value } of measured) parts[part] = value
  return parts
}

type Expected = ExpectedValue | undefined

/** How usual times and numbers of calls are, on the scale of baselines. */
type ExpectedSpans = Readonly<Record<'time' | 'calls', Expected>>

/** Success rate up: how the task ended by its last check, against how often such tasks succeed. */
function measureSuccess(calls: readonly CallResult[], expected: Expected): MeasuredPart[] {
  const passed = didLastCheckPass(calls)
  if (passed === undefined || !expected) return []
  const now = passed ? 1 : 0
  const { kind, n, own, value } = expected
  return [{ part: 'success', now, usual: value, kind, n, own, value: clampPart(2 * (now - value)) }]
}

/** Time and calls saved from a failure to its pass: from a recall at the failure, else from the next failure. */
function measureFix(
  { recalled }: RecallPeriod,
  calls: readonly CallResult[],
  passed: CallResult,
  expected: ExpectedSpans,
): MeasuredPart[] {
  const end = calls.indexOf(passed)
  const first = calls.findIndex((call) => call.kind === 'call.failed' && call.commandShape === passed.commandShape)
  const isAtFailure = recalled.moment === 'failure'
  // It passed at once, so nothing was fixed; that the error did not come back is another part.
  if (!isAtFailure && (first === -1 || first > end)) return []
  const start = isAtFailure ? -1 : first
  return [
    ...measureSpan('time', secondsBetween(calls[start] ?? recalled, passed), expected.time),
    ...measureSpan('calls', end - start, expected.calls),
  ]
}

/** Time shortened and fewer calls of a whole task: only for a recall at its prompt, and once it is answered. */
function measureWholeTask(
  { recalled, after }: RecallPeriod,
  calls: readonly CallResult[],
  expected: ExpectedSpans,
): MeasuredPart[] {
  const isAnswered = after.some((event) => event.kind === 'answer')
  const last = after.at(-1)
  if (recalled.moment !== 'prompt' || calls.length === 0 || !isAnswered || !last) return []
  return [
    ...measureSpan('time', secondsBetween(recalled, last), expected.time),
    ...measureSpan('calls', calls.length, expected.calls),
  ]
}

/** How much less than usual, −1 to 1: (usual − now) / (usual + now), shrunk towards 0 for few observations. */
function measureSpan(part: 'time' | 'calls', now: number, expected: Expected): MeasuredPart[] {
  if (!expected) return []
  const usual = Math.expm1(expected.value)
  const saved = usual + now <= 0 ? 0 : (usual - now) / (usual + now)
  const value = clampPart(computeReliability(expected.all) * saved)
  return [{ part, now, usual, kind: expected.kind, n: expected.n, own: Math.expm1(expected.own), value }]
}

/** After a failure how often it comes back; else how often the error occurs when its command runs. */
function expectErrors(memory: Memory, task: RecallPeriod, baselines: Baselines, strata: readonly string[]): Expected {
  const { commandShape, errorSignature } = memory
  return hasJustFailed(memory, task) || !commandShape || !errorSignature
    ? estimateExpected(baselines.repeats, strata, REPEATS_PRIOR)
    : estimateErrorRate(baselines.errors, commandShape, errorSignature)
}

/** Errors avoided: how often the memory's error came back, against how often such errors do. */
function measureErrors(memory: Memory, calls: readonly CallResult[], expected: Expected): MeasuredPart[] {
  if (!memory.errorSignature || !expected) return []
  const now = toRepeatScore(calls.filter((call) => isSameError(memory, call)).length)
  const { kind, n, own, value } = expected
  return [{ part: 'errors', now, usual: value, kind, n, own, value: clampPart(2 * (value - now)) }]
}

const isSameError = ({ errorSignature }: Memory, call: CallResult): boolean =>
  call.kind === 'call.failed' && call.errorSignature === errorSignature

/** The first success of the command that once failed with the memory's error. */
function findPass({ commandShape, errorSignature }: Memory, calls: readonly CallResult[]): CallResult | undefined {
  if (!commandShape || !errorSignature) return undefined
  return calls.find((call) => call.kind === 'call.succeeded' && call.commandShape === commandShape)
}

const clampPart = (value: number): number => Math.min(1, Math.max(-1, value))
