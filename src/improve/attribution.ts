// Attribution: what a session's recalls turned out to give. Each shown or held-out memory gets its use and its
// contribution.
import { type ContributionParts, computeContribution } from '../model/contribution.ts'
import type { Event } from '../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../model/id.ts'
import { isUserRequested, type Memory, type MemoryKind } from '../model/memory.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import { isPrivate } from '../model/privacy.ts'
import type { Features, RecallMoment } from '../model/recallQuery.ts'
import type { ImpactKind } from '../model/strength.ts'
import type { Baselines } from './baseline.ts'
import { type MeasuredPart, measureParts, toContributionParts } from './contributionParts.ts'
import { type ControlFinder, createControlFinder, type KnownMemories } from './controlMemories.ts'
import { areThanksUnusual, listImpacts } from './impacts.ts'
import { type Rating, readRatings } from './ratings.ts'
import { createPeriodFinder, type RecallPeriod } from './recallPeriod.ts'
import { commandKey, fileKey } from './taskHabits.ts'
import { measureTaskOutcome, type TaskOutcome } from './taskOutcome.ts'
import type { RateArm, RecallObservations, TraceObservation } from './traceRates.ts'
import { judgeUse, type UsageEvidence } from './usageCredit.ts'
import { listNamedShapes, USED_THRESHOLD } from './usageSignals.ts'

/** One memory of a recall, attributed. */
export interface AttributedMemory {
  readonly memory: MemoryId
  /** Absent for what a user asked for. Absent in old stores. */
  readonly kind?: MemoryKind | undefined
  readonly features: Features
  /** Confidence that it was used, 0 to 1; 0 for a holdout, which nobody saw. */
  readonly used: number
  /** The traces that count, and for each how surely the memory caused it. */
  readonly traces: UsageEvidence['traces']
  readonly evidence?: UsageEvidence['evidence'] | undefined
  /** The traces that do not count, each with the reason. Absent if there are none. */
  readonly discounted?: UsageEvidence['discounted'] | undefined
  readonly parts: ContributionParts
  /** -1 to 1. */
  readonly contribution: number
  /** How each part was measured. Absent in old stores. */
  readonly measured?: readonly MeasuredPart[] | undefined
  /** The impacts of the agent-memory spec, for a memory that was used. */
  readonly impacts?: readonly ImpactKind[] | undefined
  /** What a person said of it; this replaces what was computed. */
  readonly rating?: Rating | undefined
}

/** One recall, attributed. */
export interface AttributedRecall {
  readonly recall: EventId
  /** Absent in old stores. */
  readonly session?: SessionId | undefined
  readonly moment: RecallMoment
  readonly at: string
  /** The role of the viewer; absent for the main conversation. */
  readonly role?: string | undefined
  /** Whether it was a holdout: ranked but not shown. */
  readonly withheld: boolean
  /** The probability of a holdout; absent if none was drawn. */
  readonly share?: number | undefined
  /** How the task went on. Absent in old stores. */
  readonly after?: TaskOutcome | undefined
  readonly memories: readonly AttributedMemory[]
  /** For the baselines; not stored. */
  readonly observed?: RecallObservations | undefined
}

/** The attributions of the recalls among these events of one session, in order. A deleted memory is left out. */
export function attributeRecalls(
  events: readonly Event[],
  memories: KnownMemories,
  baselines: Baselines,
  policy: ImprovePolicy,
): AttributedRecall[] {
  const knownErrors = findKnownErrors(events, memories)
  const findPeriod = createPeriodFinder(events)
  const findControls = createControlFinder(memories)
  return events.flatMap((event, index) => {
    if (event.kind !== 'recalled' || event.shown.length === 0) return []
    const context = findPeriod(index, event)
    const ratings = readRatings(events, event.id)
    const attributed = event.shown.flatMap(({ memory: id, features }) => {
      const memory = memories.get(id)
      const rating = event.withheld ? undefined : ratings.get(id)
      const computed = memory && attributeMemory(memory, features, context, { baselines, policy })
      return computed ? [rating ? applyRating(computed, rating) : computed] : []
    })
    const recall: AttributedRecall = {
      recall: event.id,
      session: event.session,
      moment: event.moment,
      at: event.at,
      ...(event.role !== 'main' && { role: event.role }),
      withheld: event.withheld,
      share: event.share,
      after: measureTaskOutcome(event, context.after, knownErrors),
      memories: attributed,
      observed: observeTraces(context, { memories, baselines, findControls }),
    }
    return [recall]
  })
}

/** The errors of these events that memories knew before the session: its own are learned only afterwards. */
function findKnownErrors(events: readonly Event[], memories: ReadonlyMap<MemoryId, Memory>): ReadonlySet<string> {
  const met = new Set(events.flatMap((event) => (event.kind === 'call.failed' ? (event.errorSignature ?? []) : [])))
  const known = new Set<string>()
  if (met.size === 0) return known
  for (const { errorSignature } of memories.values()) {
    if (errorSignature !== undefined && met.has(errorSignature)) known.add(errorSignature)
  }
  return known
}

/** What a person says outweighs every trace, and is as good or bad as a contribution can be. */
export function applyRating(computed: AttributedMemory, rating: Rating): AttributedMemory {
  const { evidence: _evidence, discounted: _discounted, ...kept } = computed
  const isUseful = rating === 'useful'
  return {
    ...kept,
    rating,
    used: isUseful ? 1 : 0,
    traces: [],
    contribution: isUseful ? 1 : -1,
    impacts: isUseful ? ['user_positive'] : [],
  }
}

interface ObservationContext {
  readonly memories: ReadonlyMap<MemoryId, Memory>
  readonly baselines: Baselines
  readonly findControls: ControlFinder
}

/** The traces of the recalled memories, and those of others of their kind. */
function observeTraces(period: RecallPeriod, context: ObservationContext): RecallObservations {
  const { recalled } = period
  const { moment, withheld } = recalled
  const known = recalled.shown.flatMap(({ memory }) => context.memories.get(memory) ?? [])
  const shown = known.filter((memory) => !isPrivate(memory)) // Private ones are in no count.
  const observe = (arm: RateArm, memory: Memory): TraceObservation => {
    const { findings, traces } = judgeUse(memory, period, context.baselines)
    return {
      arm,
      moment,
      kind: memory.kind,
      possible: findings.possible,
      found: traces.filter((signal) => findings.possible.includes(signal)),
    }
  }
  return {
    traces: shown.flatMap((memory) => [
      observe(withheld ? 'withheld' : 'shown', memory),
      ...context.findControls(recalled, memory).map((other) => observe('other', other)),
    ]),
    // What a holdout names is done without a note.
    noted: withheld ? [] : shown.flatMap(({ errorSignature, commandShape }) => (errorSignature && commandShape) || []),
    named: withheld
      ? []
      : shown.flatMap((memory) => [...listNamedShapes(memory).map(commandKey), ...memory.files.map(fileKey)]),
  }
}

/** What a user states leaves no usage signal when it is obeyed, so that it is not used costs nothing. */
const STATED_KINDS: ReadonlySet<MemoryKind> = new Set(['preference', 'decision', 'entry'])

function attributeMemory(
  memory: Memory,
  features: Features,
  context: RecallPeriod,
  { baselines, policy }: { readonly baselines: Baselines; readonly policy: ImprovePolicy },
): AttributedMemory {
  const { recalled, isThanked } = context
  const { withheld } = recalled
  const use = judgeUse(memory, context, baselines)
  const measured = measureParts(memory, context, baselines)
  const parts = toContributionParts(measured)
  // A note that was of no use costs attention: showing nothing would have been better.
  const unusedCost = STATED_KINDS.has(memory.kind) ? 0 : policy.unusedCost
  const gain = computeContribution(parts, policy.contribution, use.confidence) - (1 - use.confidence) * unusedCost
  return {
    memory: memory.id,
    ...(!isUserRequested(memory) && { kind: memory.kind }),
    features,
    // A holdout was seen by nobody: it earns nothing, and its traces tell what is chance.
    used: withheld ? 0 : use.confidence,
    traces: use.traces,
    evidence: use.evidence,
    ...(use.discounted.length > 0 && { discounted: use.discounted }),
    parts,
    contribution: withheld ? 0 : gain,
    measured,
    impacts:
      withheld || use.confidence < USED_THRESHOLD
        ? []
        : listImpacts(parts, use.traces, isThanked && areThanksUnusual(baselines)),
  }
}
