// Judge: what a session's recalls turned out to give. Every memory shown or withheld gets its use and its contribution.
import { type ContributionParts, computeContribution } from '../model/contribution.ts'
import { currentImportanceTerms } from '../model/currentImportance.ts'
import type { Event, EventOf } from '../model/event.ts'
import { fileArea } from '../model/exclusion.ts'
import type { EventId, MemoryId, SessionId } from '../model/id.ts'
import { IMPORTANCE_TERMS, type ImportanceTerms } from '../model/importance.ts'
import { isUserRequested, type Memory, type MemoryKind } from '../model/memory.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import type { Features, RecallMoment } from '../model/recallQuery.ts'
import type { ImpactKind } from '../model/strength.ts'
import { estimateTokens } from '../text/tokenCount.ts'
import type { Baselines } from './baseline.ts'
import { type MeasuredPart, measureParts, toContributionParts } from './contributionParts.ts'
import { measureTaskOutcome, type TaskOutcome } from './taskOutcome.ts'
import { detectUse, USED_THRESHOLD, type UsageEvidence } from './usageSignals.ts'

export interface AttributedMemory {
  readonly memory: MemoryId
  /** Absent for what somebody asked for, and in verdicts of the first stores. */
  readonly kind?: MemoryKind | undefined
  readonly features: Features
  readonly used: number
  readonly traces: UsageEvidence['traces']
  readonly parts: ContributionParts
  /** -1 to 1. */
  readonly contribution: number
  /** What the parts were measured by; absent in verdicts of the first stores. */
  readonly measured?: readonly MeasuredPart[] | undefined
  /** The impacts seen in it (seed 000), for a memory that was used. */
  readonly impacts?: readonly ImpactKind[] | undefined
  /** Its length, where a moment's budget decides whether it is said; absent in verdicts of the first stores. */
  readonly tokens?: number | undefined
  /** What its importance was made of; absent where somebody has said it, and in verdicts of the first stores. */
  readonly terms?: ImportanceTerms | undefined
}

/** What call a recall was about, by what rules may go by. */
export interface AttributedCall {
  readonly tool: string
  readonly shape?: string | undefined
  readonly area?: string | undefined
}

/** One recall with its verdict. */
export interface AttributedRecall {
  readonly recall: EventId
  /** Absent in verdicts of the first stores. */
  readonly session?: SessionId | undefined
  readonly moment: RecallMoment
  readonly at: string
  /** Whose recall it was; absent for the main conversation's. */
  readonly role?: string | undefined
  readonly withheld: boolean
  /** The call it was about. */
  readonly call?: AttributedCall | undefined
  /** The chance it had of being withheld; absent where it had none. */
  readonly share?: number | undefined
  /** How the task went after it; absent in verdicts of the first stores. */
  readonly after?: TaskOutcome | undefined
  readonly memories: readonly AttributedMemory[]
  /** What only the moment's limits left out, judged as if it had been shown; absent where nothing was. */
  readonly next?: AttributedMemory | undefined
}

const SAID: ReadonlySet<MemoryKind> = new Set(['preference', 'decision', 'entry'])

type Recalled = EventOf<'recalled'>

/** A recall with what it stood in: its task's prompt, what came after it in that task, and the person's next word. */
interface Stand {
  readonly recalled: Recalled
  readonly prompt: Event | undefined
  readonly after: readonly Event[]
  readonly isThanked: boolean
}

/** The verdicts on a session part's recalls, in order. A memory that is gone is judged no more. */
export function attributeRecalls(
  events: readonly Event[],
  memories: ReadonlyMap<MemoryId, Memory>,
  baselines: Baselines,
  policy: ImprovePolicy,
): AttributedRecall[] {
  const known = knownErrors(events, memories)
  return events.flatMap((event, at) => {
    if (event.kind !== 'recalled' || event.shown.length === 0) return []
    const stand = standOf(events, at)
    const said = events.findLast((one) => one.kind === 'recall.judged' && one.recall === event.id)
    const judged = event.shown.flatMap((shown) => {
      if (said?.kind === 'recall.judged') return [saidOf(shown.memory, shown.features, said)]
      const memory = memories.get(shown.memory)
      return memory ? [judgeOne(memory, shown.features, stand, baselines, policy)] : []
    })
    const { id, session, moment, role, withheld, share } = event
    const after = measureTaskOutcome(event, stand.after, known)
    const who = role === 'main' ? {} : { role }
    const call = callOf(event, events)
    const told = { recall: id, session, moment, at: event.at, ...who, withheld, share, call, after, memories: judged }
    const next = event.next && memories.get(event.next.memory)
    if (!next || said) return [told]
    return [{ ...told, next: judgeOne(next, event.next!.features, stand, baselines, policy) }]
  })
}

/** The call as it was when it was recalled for: its start, or its failure. */
function callOf({ call }: Recalled, events: readonly Event[]): AttributedCall | undefined {
  const event = call && events.find((one) => 'call' in one && one.kind !== 'recalled' && one.call === call)
  if (!event || !('files' in event)) return undefined
  const { tool, commandShape, files } = event
  return { tool, shape: commandShape, area: files[0] === undefined ? undefined : fileArea(files[0]) }
}

const NO_PARTS: ContributionParts = { success: 0, time: 0, calls: 0, errors: 0 }

/** What somebody said outright needs no traces, nor the memory itself. */
function saidOf(memory: MemoryId, features: Features, { helped, shares }: EventOf<'recall.judged'>): AttributedMemory {
  const at = helped.indexOf(memory)
  const help = at === -1 ? 0 : (shares?.[at] ?? 1)
  return { memory, features, used: help, traces: [], parts: NO_PARTS, contribution: help }
}

/** Which of the session's errors memories knew of when it was judged: its own are learnt only afterwards. */
function knownErrors(events: readonly Event[], memories: ReadonlyMap<MemoryId, Memory>): ReadonlySet<string> {
  const met = new Set(events.flatMap((event) => (event.kind === 'call.failed' ? (event.errorSignature ?? []) : [])))
  const known = new Set<string>()
  if (met.size === 0) return known
  for (const { errorSignature } of memories.values()) {
    if (errorSignature !== undefined && met.has(errorSignature)) known.add(errorSignature)
  }
  return known
}

function judgeOne(
  memory: Memory,
  features: Features,
  stand: Stand,
  baselines: Baselines,
  policy: ImprovePolicy,
): AttributedMemory {
  const { recalled, prompt, after, isThanked } = stand
  const use = detectUse(memory, after, recalled.cue, recalled.moment)
  const measured = measureParts(memory, recalled, prompt, after, baselines)
  const parts = toContributionParts(measured)
  const helped = computeContribution(parts, policy.contribution, use.confidence)
  // Reading a note that was of no use costs attention: silence would have been better. What the person asked for is no
  // such note: a preference that is kept leaves no trace.
  const unused = SAID.has(memory.kind) ? 0 : -policy.unusedCost
  const contribution = use.traces.length === 0 ? unused : helped
  const impacts = use.confidence < USED_THRESHOLD ? [] : impactsIn(parts, isThanked)
  return {
    memory: memory.id,
    ...(isUserRequested(memory) ? {} : { kind: memory.kind }),
    features,
    used: use.confidence,
    traces: use.traces,
    parts,
    contribution,
    measured,
    impacts,
    ...(recalled.moment !== 'start' && { tokens: estimateTokens(memory.content) }),
    ...(!memory.pinned && memory.importanceTerms && { terms: roundedTerms(memory) }),
  }
}

function roundedTerms(memory: Memory): ImportanceTerms {
  const terms = currentImportanceTerms(memory)
  const rounded = IMPORTANCE_TERMS.map((name) => [name, Math.round(terms[name] * 1_000) / 1_000])
  return Object.fromEntries(rounded) as unknown as ImportanceTerms
}

/** Seed 000's impacts as events tell them: an error avoided, else a task that went well; and a person who gave thanks. */
function impactsIn(parts: ContributionParts, thanked: boolean): ImpactKind[] {
  const by: ImpactKind[] = parts.errors > 0 ? ['prevented_error'] : parts.success > 0 ? ['task_success'] : []
  return thanked ? [...by, 'user_positive'] : by
}

/** What came after a recall, up to the person's next prompt: later work is another task's. A start's recall is for the whole session. */
function standOf(events: readonly Event[], at: number): Stand {
  const recalled = events[at] as Recalled
  const rest = events.slice(at + 1)
  // The recall at a prompt is logged before or after the prompt itself; either way the next other prompt ends it.
  const own =
    recalled.moment === 'prompt' ? rest.findIndex((event) => event.kind === 'prompt' && event.at === recalled.at) : -1
  const before = events.slice(0, at).findLast((event) => event.kind === 'prompt')
  const prompt = own === -1 ? before : rest[own]
  if (recalled.moment === 'start') return { recalled, prompt: undefined, after: rest, isThanked: false }
  const next = rest.findIndex((event, i) => i > own && event.kind === 'prompt')
  const said = rest[next]
  const thanked = said?.kind === 'prompt' && said.signals.some((signal) => signal.kind === 'thanks')
  return { recalled, prompt, after: next === -1 ? rest : rest.slice(0, next), isThanked: thanked }
}
