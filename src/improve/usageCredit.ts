// How surely a shown memory was used: each trace counts only beyond chance.
import type { Memory } from '../model/memory.ts'
import type { Baselines } from './baseline.ts'
import { findErrorRate } from './errorRates.ts'
import type { RecallPeriod } from './recallPeriod.ts'
import { estimateHabit } from './taskHabits.ts'
import { classifyTask } from './taskStrata.ts'
import { estimateConfidence, TRACE_RATE_PRIOR, type TraceConfidence } from './traceRates.ts'
import { findTraces, type TraceFinding, type TraceFindings, type UsageSignal, type UsePeriod } from './usageSignals.ts'

/** A trace that counts, and how much. */
export interface TraceEvidence extends TraceConfidence {
  readonly signal: UsageSignal
  /** Only answers have it. */
  readonly isSaid?: true | undefined
}

export interface UsageEvidence {
  /** 0 to 1: the probability that at least one trace was caused by the note. */
  readonly confidence: number
  readonly traces: readonly UsageSignal[]
  readonly evidence: readonly TraceEvidence[]
  /** Traces that do not count, each with the reason. */
  readonly discounted: readonly TraceFinding[]
  readonly findings: TraceFindings
}

/**
 * What answers alone can prove: they show that the note was read, not that it was followed. No limit applies if the
 * user asked a question, because then the answer is the work.
 */
export const ANSWER_CONFIDENCE_MAX = 0.4

/** How sure it is that the memory was used in this period. */
export function judgeUse(memory: Memory, period: RecallPeriod, baselines: Baselines): UsageEvidence {
  const findings = findTraces(memory, period, (known) => findRecurrence(known, period, baselines))
  const counted = findings.found.filter(({ discounted }) => discounted === undefined)
  const { moment } = period.recalled
  const tasks = 1 + period.after.filter((event) => event.kind === 'prompt').length
  const evidence = counted.map(({ signal, keys, isSaid }) => ({
    signal,
    ...(isSaid && { isSaid }),
    ...estimateConfidence({
      rates: baselines.traces,
      moment,
      kind: memory.kind,
      signal,
      prior: signal === 'errorGone' ? 1 - (findRecurrence(memory, period, baselines) ?? 0) : undefined,
      // Of several commands or files, the least usual one says most.
      habit: keys && Math.min(...keys.map((key) => estimateHabit(baselines.habits, key, habitPrior(signal), tasks))),
    }),
  }))
  const said = combine(evidence.filter(({ isSaid }) => isSaid))
  const done = combine(evidence.filter(({ isSaid }) => !isSaid))
  const provenBySaying = isQuestion(period) ? said : Math.min(ANSWER_CONFIDENCE_MAX, said)
  return {
    confidence: 1 - (1 - done) * (1 - provenBySaying),
    traces: counted.map(({ signal }) => signal),
    evidence,
    discounted: findings.found.filter(({ discounted }) => discounted !== undefined),
    findings,
  }
}

const habitPrior = (signal: UsageSignal): number => TRACE_RATE_PRIOR.work[signal]

/** 1 − Π (1 − confidence) */
const combine = (evidence: readonly TraceEvidence[]): number =>
  1 - evidence.reduce((doubt, { confidence }) => doubt * (1 - confidence), 1)

const isQuestion = ({ prompt }: RecallPeriod): boolean =>
  prompt !== undefined && classifyTask(prompt.text) === 'task look'

/** Commands that failed and passed again before their rate of repeats is known. */
const FIXES_MIN = 5

/**
 * How often the memory's error occurs without the note, 0 to 1: after a failure with it, how often such failures
 * repeat before the command passes; else in how many tasks that run the command. Undefined if too little is known.
 */
function findRecurrence(memory: Memory, period: RecallPeriod, baselines: Baselines): number | undefined {
  const { commandShape, errorSignature } = memory
  if (!commandShape || !errorSignature) return undefined
  if (!hasJustFailed(memory, period)) return findErrorRate(baselines.errors, commandShape, errorSignature)
  const repeats = baselines.repeats?.[commandShape]
  return repeats && repeats.n >= FIXES_MIN ? repeats.mean : undefined
}

/** Whether the call that the recall came with failed with the memory's command. */
export function hasJustFailed(
  { commandShape }: Pick<Memory, 'commandShape'>,
  { recalled, trigger, triggerResult }: UsePeriod,
): boolean {
  if (commandShape === undefined) return false
  if (recalled.moment === 'failure') return trigger?.commandShape === commandShape
  return triggerResult?.kind === 'call.failed' && triggerResult.commandShape === commandShape
}
