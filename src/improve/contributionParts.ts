// Seed 003's four parts of a contribution, each against what is usual here for such work, 0 where nothing is known.
import type { ContributionParts } from '../model/contribution.ts'
import { type CallResult, type Event, type EventOf, isCallResult } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import { type Baselines, computeReliability, type ExpectedValue, estimateExpected } from './baseline.ts'
import { didLastCheckPass, listStrata, secondsBetween, toRepeatScore } from './taskStrata.ts'

/** One part as it was measured. Times are in seconds. */
export interface MeasuredPart {
  readonly part: keyof ContributionParts
  /** What this task came to: success 0 or 1, seconds, calls, or how often the error came back (0, .75, 1). */
  readonly now: number
  /** The same as is usual here. */
  readonly usual: number
  /** The narrowest kind of work anything is known of, how often it was met, and its mean before shrinking. */
  readonly kind: string
  readonly n: number
  readonly own: number
  /** −1 to 1: the part. */
  readonly value: number
}

/** Where nothing was observed yet, half of all work succeeds and half of all errors come back. */
const ANYWHERE = 0.5

/** The parts that can be told of a memory in the task after its recall. */
export function measureParts(
  memory: Memory,
  recalled: EventOf<'recalled'>,
  prompt: Event | undefined,
  after: readonly Event[],
  baselines: Baselines,
): MeasuredPart[] {
  const calls = after.filter(isCallResult)
  const kinds = listStrata(prompt, calls, undefined, memory.files[0])
  const passed = passAfter(memory, calls)
  const aimed = listStrata(prompt, calls, memory.commandShape, memory.files[0])
  return [
    ...successPart(calls, baselines, kinds),
    ...(passed ? hint(recalled, calls, passed, baselines, aimed) : wholeTask(recalled, after, calls, baselines, kinds)),
    ...errorsPart(memory, calls, passed, baselines, aimed),
  ]
}

/** Their values by name. */
export function toContributionParts(measured: readonly MeasuredPart[]): ContributionParts {
  const parts = { success: 0, time: 0, calls: 0, errors: 0 }
  for (const { part, value } of measured) parts[part] = value
  return parts
}

/** Success rate up: how the task ended by its last check, against how often such tasks end well. */
function successPart(calls: readonly CallResult[], baselines: Baselines, kinds: readonly string[]): MeasuredPart[] {
  const ended = didLastCheckPass(calls)
  if (ended === undefined) return []
  const now = ended ? 1 : 0
  const expected = estimateExpected(baselines.success, kinds, ANYWHERE)!
  return [measured('success', now, expected.value, expected, expected.own, 2 * (now - expected.value))]
}

/** Time shortened and fewer calls from a failure to its pass: from the recall at it, else from the first one after the recall. */
function hint(
  recalled: EventOf<'recalled'>,
  calls: readonly CallResult[],
  passed: CallResult,
  baselines: Baselines,
  kinds: readonly string[],
): MeasuredPart[] {
  const end = calls.indexOf(passed)
  const first = calls.findIndex((call) => call.kind === 'call.failed' && call.commandShape === passed.commandShape)
  const atFailure = recalled.moment === 'failure'
  // It passed at once: nothing was mended, and that the error stayed away is another part.
  if (!atFailure && (first === -1 || first > end)) return []
  const start = atFailure ? -1 : first
  return [
    ...spanPart('time', secondsBetween(calls[start] ?? recalled, passed), estimateExpected(baselines.mendTime, kinds)),
    ...spanPart('calls', end - start, estimateExpected(baselines.mendCalls, kinds)),
  ]
}

/** Time shortened and fewer calls of a task that a recall stood at the beginning of. */
function wholeTask(
  recalled: EventOf<'recalled'>,
  after: readonly Event[],
  calls: readonly CallResult[],
  baselines: Baselines,
  kinds: readonly string[],
): MeasuredPart[] {
  // At any other moment a part of the task is over already, and what is left of it compares with nothing.
  const answered = after.some((event) => event.kind === 'answer')
  if (recalled.moment !== 'prompt' || calls.length === 0 || !answered) return []
  return [
    ...spanPart('time', secondsBetween(recalled, after.at(-1)!), estimateExpected(baselines.taskTime, kinds)),
    ...spanPart('calls', calls.length, estimateExpected(baselines.taskCalls, kinds)),
  ]
}

/** How much less than usual, −1 to 1: (usual − now) / (usual + now), drawn towards 0 while little is known of what is usual. */
function spanPart(part: 'time' | 'calls', now: number, expected: ExpectedValue | undefined): MeasuredPart[] {
  if (!expected) return []
  const [value, own] = [Math.expm1(expected.value), Math.expm1(expected.own)]
  const saved = value + now <= 0 ? 0 : (value - now) / (value + now)
  return [measured(part, now, value, expected, own, computeReliability(expected.all) * saved)]
}

/** Errors avoided: how often the known error came back, against how often such errors do. */
function errorsPart(
  memory: Memory,
  calls: readonly CallResult[],
  passed: CallResult | undefined,
  baselines: Baselines,
  kinds: readonly string[],
): MeasuredPart[] {
  if (!memory.errorSignature) return []
  const again = calls.filter((call) => call.kind === 'call.failed' && call.errorSignature === memory.errorSignature)
  // Its command never ran again: that the error stayed away says nothing.
  if (again.length === 0 && !passed) return []
  const now = toRepeatScore(again.length)
  const expected = estimateExpected(baselines.repeats, kinds, ANYWHERE)!
  return [measured('errors', now, expected.value, expected, expected.own, 2 * (expected.value - now))]
}

/** The success of the very command that once failed with the memory's error. */
function passAfter(memory: Memory, calls: readonly CallResult[]): CallResult | undefined {
  if (!memory.commandShape || !memory.errorSignature) return undefined
  return calls.find((call) => call.kind === 'call.succeeded' && call.commandShape === memory.commandShape)
}

const measured = (
  part: MeasuredPart['part'],
  now: number,
  expected: number,
  { kind, n }: ExpectedValue,
  own: number,
  value: number,
): MeasuredPart => ({ part, now, usual: expected, kind, n, own, value: Math.min(1, Math.max(-1, value)) })
