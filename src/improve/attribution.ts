// Attribution: what a session's recalls turned out to give. Each shown or held-out memory gets its use and its
// contribution.
import { type ContributionParts, computeContribution } from '../model/contribution.ts'
import { type Event, type EventOf, eventTimeMs, isCallResult } from '../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../model/id.ts'
import { isUserRequested, type Memory, type MemoryKind } from '../model/memory.ts'
import { isPrivate } from '../model/privacy.ts'
import type { Features, RecallMoment } from '../model/recallQuery.ts'
import type { ImpactKind } from '../model/strength.ts'
import { hash32 } from '../text/hash.ts'
import type { Baselines } from './baseline.ts'
import { type MeasuredPart, measureParts, toContributionParts } from './contributionParts.ts'
import type { RateArm, RecallObservations, TraceObservation } from './traceRates.ts'
import { createPeriodFinder, judgeUse, type RecallPeriod, type UsageEvidence } from './usageCredit.ts'
import { USED_THRESHOLD, type UsageSignal } from './usageSignals.ts'

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
): AttributedRecall[] {
  // Of the errors of these events those that memories knew before the session: its own are learned only afterwards.
  const errors = events.flatMap((event) => (event.kind === 'call.failed' ? (event.errorSignature ?? []) : []))
  const knownErrors = memories.findMetErrors(new Set(errors))
  const findPeriod = createPeriodFinder(events)
  const findControls = createControlFinder(memories)
  return events.flatMap((event, index) => {
    if (event.kind !== 'recalled' || event.shown.length === 0) return []
    const context = findPeriod(index, event)
    const ratings = readRatings(events, event.id)
    const attributed = event.shown.flatMap(({ memory: id, features }) => {
      const memory = memories.get(id)
      const rating = event.withheld ? undefined : ratings.get(id)
      const computed = memory && attributeMemory(memory, features, context, baselines)
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
      observed: observeTraces(context, memories, baselines, findControls),
    }
    return [recall]
  })
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

/** The traces of the recalled memories, and those of others of their kind. */
function observeTraces(
  period: RecallPeriod,
  memories: KnownMemories,
  baselines: Baselines,
  findControls: ControlFinder,
): RecallObservations {
  const { recalled } = period
  const { moment, withheld } = recalled
  const known = recalled.shown.flatMap(({ memory }) => memories.get(memory) ?? [])
  const shown = known.filter((memory) => !isPrivate(memory)) // Private ones are in no count.
  const observe = (arm: RateArm, memory: Memory): TraceObservation => {
    const { findings, traces } = judgeUse(memory, period, baselines)
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
      ...findControls(recalled, memory).map((other) => observe('other', other)),
    ]),
    // What a holdout names is done without a note.
    noted: withheld ? [] : shown.flatMap(({ errorSignature, commandShape }) => (errorSignature && commandShape) || []),
  }
}

/** What it costs to show a memory that was not used, as a contribution. */
export const UNUSED_COST = 0.05

/** What a user states leaves no usage signal when it is obeyed, so that it is not used costs nothing. */
const STATED_KINDS: ReadonlySet<MemoryKind> = new Set(['preference', 'decision', 'entry'])

function attributeMemory(
  memory: Memory,
  features: Features,
  context: RecallPeriod,
  baselines: Baselines,
): AttributedMemory {
  const { recalled, isThanked } = context
  const { withheld } = recalled
  const use = judgeUse(memory, context, baselines)
  const measured = measureParts(memory, context, baselines)
  const parts = toContributionParts(measured)
  // A note that was of no use costs attention: showing nothing would have been better.
  const unusedCost = STATED_KINDS.has(memory.kind) ? 0 : UNUSED_COST
  const gain = computeContribution(parts, use.confidence) - (1 - use.confidence) * unusedCost
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
    impacts: withheld || use.confidence < USED_THRESHOLD ? [] : listImpacts(parts, use.traces, isThanked),
  }
}

// How a task went after a recall, for shown recalls and holdouts alike: the effect of showing is measured by it.

export type TaskOutcome = ReturnType<typeof measureTaskOutcome>

/** `after` are the task's events after the recall, `knownErrors` the error signatures known before the session. */
export function measureTaskOutcome(recalled: Event, after: readonly Event[], knownErrors: ReadonlySet<string>) {
  const failures = after.flatMap((event) => (event.kind === 'call.failed' && !event.interrupted ? [event] : []))
  const last = after.at(-1)
  return {
    /** Whether a tool call failed; interruptions do not count. */
    failed: failures.length > 0,
    /** Whether a call failed with an error that memories knew before the recall. */
    repeated: failures.some((call) => call.errorSignature !== undefined && knownErrors.has(call.errorSignature)),
    /** Tool calls that ended. */
    calls: after.filter(isCallResult).length,
    /** Milliseconds from the recall to the last event. */
    ms: last ? Math.max(0, eventTimeMs(last) - eventTimeMs(recalled)) : 0,
  }
}

// Impacts of the agent-memory spec that events show, for a memory that was used. A usual success is no impact.

/** The success part at which a success is more than what is usual: nine of ten such tasks succeed anyway. */
const SUCCESS_PART_MIN = 0.2

/**
 * The impacts that events show: an error that usually occurs and did not, else a task that went better than usual; and
 * the user's thanks.
 */
function listImpacts(parts: ContributionParts, traces: readonly UsageSignal[], isThanked: boolean): ImpactKind[] {
  const isPrevented = traces.includes('errorGone') && parts.errors > 0
  const impacts: ImpactKind[] = isPrevented
    ? ['prevented_error']
    : parts.success >= SUCCESS_PART_MIN
      ? ['task_success']
      : []
  return isThanked ? [...impacts, 'user_positive'] : impacts
}

// Ratings: what a person said of single notes that were shown. The last word on a note counts.

export type Rating = 'useful' | 'not useful'

export function readRatings(events: readonly Event[], recall: EventId): ReadonlyMap<MemoryId, Rating> {
  const ratings = new Map<MemoryId, Rating>()
  for (const event of events) {
    if (event.kind !== 'recall.judged' || event.recall !== recall || event.by !== 'person') continue
    for (const id of event.helped) ratings.set(id, 'useful')
    for (const id of event.unhelped ?? []) ratings.set(id, 'not useful')
  }
  return ratings
}

// Memories that a recall did not show, chosen at random: what they leave in the same work is chance.

/** Memories compared with each recalled one. */
const CONTROLS = 2

/** Draws for one of them: what does not qualify is drawn again. */
const DRAWS_MAX = 4

/** The controls of a recalled memory: known before the recall, of the same kind, from another session, not ranked. */
type ControlFinder = (recalled: EventOf<'recalled'>, memory: Memory) => Memory[]

/** All memories by their ids. A table has them in order and by their errors: to read all for a session is quadratic. */
interface KnownMemories extends ReadonlyMap<MemoryId, Memory> {
  findMetErrors(errors: ReadonlySet<string>): ReadonlySet<string>
  listActiveIds(kind: MemoryKind): readonly MemoryId[]
}

/** The choice depends only on ids, so that a rebuild chooses the same. */
function createControlFinder(memories: KnownMemories): ControlFinder {
  const pools = new Map<MemoryKind, readonly MemoryId[]>()
  return (recalled, memory) => {
    const { kind } = memory
    const pool = pools.get(kind) ?? memories.listActiveIds(kind)
    pools.set(kind, pool)
    const ranked = new Set([...recalled.shown.map((shown) => shown.memory), ...recalled.others, recalled.next?.memory])
    const chosen = new Set<Memory>()
    for (let draw = 0; draw < CONTROLS * DRAWS_MAX && chosen.size < CONTROLS; draw++) {
      const id = pool[hash32(`${recalled.id}\0${memory.id}\0${draw}`) % pool.length]
      const other = id && memories.get(id)
      if (other && !ranked.has(other.id) && other.created < recalled.at && other.session !== recalled.session)
        chosen.add(other)
    }
    return [...chosen]
  }
}
