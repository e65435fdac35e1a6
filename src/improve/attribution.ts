// Attribution: what a session's recalls turned out to give. Each shown or held-out memory gets its use and its
// contribution.
import { type ContributionParts, computeContribution } from '../model/contribution.ts'
import { currentImportanceTerms } from '../model/currentImportance.ts'
import type { Event, EventOf } from '../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../model/id.ts'
import type { ImportanceTerms } from '../model/importance.ts'
import { isUserRequested, type Memory, type MemoryKind } from '../model/memory.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import type { Features, RecallMoment } from '../model/recallQuery.ts'
import type { ImpactKind } from '../model/strength.ts'
import { estimateTokens } from '../text/tokenCount.ts'
import type { Baselines } from './baseline.ts'
import { type MeasuredPart, measureParts, type RecalledTask, toContributionParts } from './contributionParts.ts'
import { measureTaskOutcome, type TaskOutcome } from './taskOutcome.ts'
import { detectUse, USED_THRESHOLD, type UsageEvidence } from './usageSignals.ts'

/** One memory of a recall, attributed. */
export interface AttributedMemory {
  readonly memory: MemoryId
  /** Absent for what a user asked for. Absent in old stores. */
  readonly kind?: MemoryKind | undefined
  readonly features: Features
  /** Confidence that it was used, 0 to 1. */
  readonly used: number
  readonly traces: UsageEvidence['traces']
  readonly parts: ContributionParts
  /** -1 to 1. */
  readonly contribution: number
  /** How each part was measured. Absent in old stores. */
  readonly measured?: readonly MeasuredPart[] | undefined
  /** The impacts of the agent-memory spec, for a memory that was used. */
  readonly impacts?: readonly ImpactKind[] | undefined
  /** Its length, if the moment has a budget. Absent in old stores. */
  readonly tokens?: number | undefined
  /** The terms of its importance; absent if a user set the importance. Absent in old stores. */
  readonly terms?: ImportanceTerms | undefined
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
  /** The memory that only the moment's limits left out, attributed as if it had been shown; absent if there is none. */
  readonly next?: AttributedMemory | undefined
}

type RecalledEvent = EventOf<'recalled'>
type FeedbackEvent = EventOf<'recall.judged'>

/** A recall, its task, and how the user reacted to the task. */
interface RecallContext extends RecalledTask {
  readonly isThanked: boolean
}

/** The attributions of the recalls among these events of one session, in order. A deleted memory is left out. */
export function attributeRecalls(
  events: readonly Event[],
  memories: ReadonlyMap<MemoryId, Memory>,
  baselines: Baselines,
  policy: ImprovePolicy,
): AttributedRecall[] {
  const knownErrors = findKnownErrors(events, memories)
  return events.flatMap((event, index) => {
    if (event.kind !== 'recalled' || event.shown.length === 0) return []
    const context = findContext(events, index, event)
    const feedback = findFeedback(events, event.id)
    const attributed = event.shown.flatMap(({ memory: id, features }) => {
      if (feedback) return [attributeByFeedback(id, features, feedback)]
      const memory = memories.get(id)
      return memory ? [attributeMemory(memory, features, context, { baselines, policy })] : []
    })
    const next = feedback || !event.next ? undefined : memories.get(event.next.memory)
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
    }
    if (!next || !event.next) return [recall]
    return [{ ...recall, next: attributeMemory(next, event.next.features, context, { baselines, policy }) }]
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

/**
 * A recall's task: the events up to the user's next prompt, because later work is another task. A recall at the
 * session's start is for the whole session.
 */
function findContext(events: readonly Event[], index: number, recalled: RecalledEvent): RecallContext {
  const rest = events.slice(index + 1)
  if (recalled.moment === 'start') return { recalled, prompt: undefined, after: rest, isThanked: false }
  // The recall at a prompt is logged before or after the prompt; in both cases the next other prompt ends the task.
  const ownIndex =
    recalled.moment === 'prompt' ? rest.findIndex((event) => event.kind === 'prompt' && event.at === recalled.at) : -1
  const prompt = rest[ownIndex] ?? events.slice(0, index).findLast((event) => event.kind === 'prompt')
  const nextIndex = rest.findIndex((event, i) => i > ownIndex && event.kind === 'prompt')
  const next = rest[nextIndex]
  const isThanked = next?.kind === 'prompt' && next.signals.some((signal) => signal.kind === 'thanks')
  return { recalled, prompt, after: next ? rest.slice(0, nextIndex) : rest, isThanked }
}

function findFeedback(events: readonly Event[], recall: EventId): FeedbackEvent | undefined {
  const feedback = events.findLast((event) => event.kind === 'recall.judged' && event.recall === recall)
  return feedback?.kind === 'recall.judged' ? feedback : undefined
}

const NO_PARTS: ContributionParts = { success: 0, time: 0, calls: 0, errors: 0 }

/** Explicit feedback needs no usage signals, and not even the memory itself. */
function attributeByFeedback(memory: MemoryId, features: Features, feedback: FeedbackEvent): AttributedMemory {
  const index = feedback.helped.indexOf(memory)
  const contribution = index === -1 ? 0 : (feedback.shares?.[index] ?? 1)
  return { memory, features, used: contribution, traces: [], parts: NO_PARTS, contribution }
}

/** What a user states leaves no usage signal when it is obeyed, so that it is not used costs nothing. */
const STATED_KINDS: ReadonlySet<MemoryKind> = new Set(['preference', 'decision', 'entry'])

function attributeMemory(
  memory: Memory,
  features: Features,
  context: RecallContext,
  { baselines, policy }: { readonly baselines: Baselines; readonly policy: ImprovePolicy },
): AttributedMemory {
  const { recalled, after, isThanked } = context
  const use = detectUse(memory, after, recalled.cue, recalled.moment)
  const measured = measureParts(memory, context, baselines)
  const parts = toContributionParts(measured)
  // A note that was of no use costs attention: showing nothing would have been better.
  const unused = STATED_KINDS.has(memory.kind) ? 0 : -policy.unusedCost
  return {
    memory: memory.id,
    ...(!isUserRequested(memory) && { kind: memory.kind }),
    features,
    used: use.confidence,
    traces: use.traces,
    parts,
    contribution: use.traces.length === 0 ? unused : computeContribution(parts, policy.contribution, use.confidence),
    measured,
    impacts: use.confidence < USED_THRESHOLD ? [] : listImpacts(parts, isThanked),
    ...(recalled.moment !== 'start' && { tokens: estimateTokens(memory.content) }),
    ...(!memory.pinned && memory.importanceTerms && { terms: roundTerms(currentImportanceTerms(memory)) }),
  }
}

function roundTerms(terms: ImportanceTerms): ImportanceTerms {
  const round = (value: number): number => Math.round(value * 1_000) / 1_000
  return {
    outcome: round(terms.outcome),
    reuse: round(terms.reuse),
    crossImpact: round(terms.crossImpact),
    novelty: round(terms.novelty),
    userSignal: round(terms.userSignal),
    costSaved: round(terms.costSaved),
  }
}

/** The impacts that events show: an avoided error, else a task that went well; and the user's thanks. */
function listImpacts(parts: ContributionParts, isThanked: boolean): ImpactKind[] {
  const impacts: ImpactKind[] = parts.errors > 0 ? ['prevented_error'] : parts.success > 0 ? ['task_success'] : []
  return isThanked ? [...impacts, 'user_positive'] : impacts
}
