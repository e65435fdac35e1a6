// How surely a shown memory was used: each trace counts only beyond chance.

import { type Event, type EventOf, isCallResult } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import { type Baselines, classifyTask, findErrorRate } from './baseline.ts'
import { estimateConfidence, type TraceConfidence } from './traceRates.ts'
import {
  type ConversationText,
  findTraces,
  listCalls,
  readConversation,
  type UsageSignal,
  type UsePeriod,
} from './usageSignals.ts'

interface TraceEvidence extends TraceConfidence {
  readonly signal: UsageSignal
  /** Only answers have it. */
  readonly isSaid?: true | undefined
}

export type UsageEvidence = ReturnType<typeof judgeUse>

/**
 * What answers alone can prove: they show that the note was read, not that it was followed. No limit applies if the
 * user asked a question, because then the answer is the work.
 */
export const ANSWER_CONFIDENCE_MAX = 0.4

/** How sure it is that the memory was used in this period. */
export function judgeUse(memory: Memory, period: RecallPeriod, baselines: Baselines) {
  const findings = findTraces(memory, period, (known) => findRecurrence(known, period, baselines))
  const counted = findings.found.filter(({ discounted }) => discounted === undefined)
  const { prompt, recalled } = period
  const evidence = counted.map(({ signal, isSaid }) => ({
    signal,
    ...(isSaid && { isSaid }),
    ...estimateConfidence({
      rates: baselines.traces,
      moment: recalled.moment,
      kind: memory.kind,
      signal,
      prior: signal === 'errorGone' ? 1 - (findRecurrence(memory, period, baselines) ?? 0) : undefined,
    }),
  }))
  const said = combine(evidence.filter(({ isSaid }) => isSaid))
  const done = combine(evidence.filter(({ isSaid }) => !isSaid))
  const isQuestion = prompt !== undefined && classifyTask(prompt.text) === 'task look'
  const provenBySaying = isQuestion ? said : Math.min(ANSWER_CONFIDENCE_MAX, said)
  return {
    /** 0 to 1: the probability that at least one trace was caused by the note. */
    confidence: 1 - (1 - done) * (1 - provenBySaying),
    traces: counted.map(({ signal }) => signal),
    evidence,
    /** Traces that do not count, each with the reason. */
    discounted: findings.found.filter(({ discounted }) => discounted !== undefined),
    findings,
  }
}

/** 1 − Π (1 − confidence) */
const combine = (evidence: readonly TraceEvidence[]): number =>
  1 - evidence.reduce((doubt, { confidence }) => doubt * (1 - confidence), 1)

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

// The period in which a recall may be used: after it, up to the user's next prompt, because later work is another
// task. A recall at the session's start is for the whole session; one of a subagent for that subagent.

export interface RecallPeriod extends UsePeriod {
  /** The prompt of its task; absent at a start. */
  readonly prompt: EventOf<'prompt'> | undefined
  readonly trigger?: ReturnType<typeof findTrigger>
  /** All events of the session in the period. */
  readonly after: readonly Event[]
  /** The user's next words are thanks. */
  readonly isThanked: boolean
}

/** Finds the periods of one session's recalls. Each conversation is read once. */
export function createPeriodFinder(
  events: readonly Event[],
): (index: number, recalled: EventOf<'recalled'>) => RecallPeriod {
  const conversations = new Map<string | undefined, ConversationText>()
  const conversationOf = (agentId: string | undefined): ConversationText => {
    const conversation = conversations.get(agentId) ?? readConversation(events, agentId)
    conversations.set(agentId, conversation)
    return conversation
  }
  return (index, recalled) => {
    const { at, end, prompt, isThanked } = findBounds(events, index, recalled)
    const conversation = conversationOf(recalled.agentId)
    const calls = listCalls(conversation, at, end)
    const trigger = findTrigger(events, recalled)
    const isTrigger = (event: Event): boolean => isCallResult(event) && event.call === recalled.call
    return {
      recalled,
      conversation,
      at,
      end,
      prompt,
      isThanked,
      trigger,
      calls: calls.filter(([, call]) => !isTrigger(call)),
      triggerResult: calls.find(([, call]) => isTrigger(call))?.[1],
      after: events.slice(at + 1, end),
    }
  }
}

type Bounds = Pick<RecallPeriod, 'at' | 'end' | 'prompt' | 'isThanked'>

function findBounds(events: readonly Event[], index: number, recalled: EventOf<'recalled'>): Bounds {
  if (recalled.moment === 'start') return { at: index, end: events.length, prompt: undefined, isThanked: false }
  // The recall at a prompt is logged before or after the prompt; in both cases the next other prompt ends the task.
  const ownIndex =
    recalled.moment === 'prompt'
      ? events.findIndex((event, i) => i > index && event.kind === 'prompt' && event.at === recalled.at)
      : -1
  const at = Math.max(index, ownIndex)
  const prompt = events.slice(0, at + 1).findLast((event) => event.kind === 'prompt')
  const nextIndex = events.findIndex((event, i) => i > at && event.kind === 'prompt')
  const next = events[nextIndex]
  const isThanked = next?.kind === 'prompt' && next.signals.some(({ kind }) => kind === 'thanks')
  return { at, end: nextIndex === -1 ? events.length : nextIndex, prompt, isThanked }
}

/** The call that a recall came with, as it was at the recall: its start, or its failure. */
function findTrigger(events: readonly Event[], { call }: EventOf<'recalled'>) {
  if (call === undefined) return undefined
  for (const event of events) {
    if ((event.kind === 'call.started' || isCallResult(event)) && event.call === call) return event
  }
  return undefined
}
