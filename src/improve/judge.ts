// Judge: what a session's recalls turned out to give. Every memory shown or withheld gets its use and its contribution.
import { type ContributionParts, contributionOf } from '../model/contribution.ts'
import type { Features, Moment } from '../model/cue.ts'
import type { Event, EventOf } from '../model/event.ts'
import { areaIn } from '../model/exclusion.ts'
import type { EventId, MemoryId, SessionId } from '../model/id.ts'
import { IMPORTANCE_TERMS, type ImportanceTerms } from '../model/importance.ts'
import { isAskedFor, type Kind, type Memory } from '../model/memory.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import type { ImpactKind } from '../model/strength.ts'
import { termsNow } from '../model/termsNow.ts'
import { tokensOf } from '../text/tokens.ts'
import { type Aftermath, aftermathOf } from './aftermath.ts'
import type { Baselines } from './baseline.ts'
import { type Measured, measuredParts, partsOf } from './parts.ts'
import { USED_FROM, type Use, useOf } from './used.ts'

export interface JudgedMemory {
  readonly memory: MemoryId
  /** Absent for what somebody asked for, and in verdicts of the first stores. */
  readonly kind?: Kind | undefined
  readonly features: Features
  readonly used: number
  readonly traces: Use['traces']
  readonly parts: ContributionParts
  /** -1 to 1. */
  readonly contribution: number
  /** What the parts were measured by; absent in verdicts of the first stores. */
  readonly measured?: readonly Measured[] | undefined
  /** The impacts seen in it (seed 000), for a memory that was used. */
  readonly impacts?: readonly ImpactKind[] | undefined
  /** Its length, where a moment's budget decides whether it is said; absent in verdicts of the first stores. */
  readonly tokens?: number | undefined
  /** What its importance was made of; absent where somebody has said it, and in verdicts of the first stores. */
  readonly terms?: ImportanceTerms | undefined
}

/** What call a recall was about, by what rules may go by. */
export interface JudgedCall {
  readonly tool: string
  readonly shape?: string | undefined
  readonly area?: string | undefined
}

/** One recall with its verdict. */
export interface Judged {
  readonly recall: EventId
  /** Absent in verdicts of the first stores. */
  readonly session?: SessionId | undefined
  readonly moment: Moment
  readonly at: string
  /** Whose recall it was; absent for the main conversation's. */
  readonly role?: string | undefined
  readonly withheld: boolean
  /** The call it was about. */
  readonly call?: JudgedCall | undefined
  /** The chance it had of being withheld; absent where it had none. */
  readonly share?: number | undefined
  /** How the task went after it; absent in verdicts of the first stores. */
  readonly after?: Aftermath | undefined
  readonly memories: readonly JudgedMemory[]
  /** What only the moment's limits left out, judged as if it had been shown; absent where nothing was. */
  readonly next?: JudgedMemory | undefined
}

const SAID: ReadonlySet<Kind> = new Set(['preference', 'decision', 'entry'])

type Recalled = EventOf<'recalled'>

/** A recall with what it stood in: its task's prompt, what came after it in that task, and the person's next word. */
interface Stand {
  readonly recalled: Recalled
  readonly prompt: Event | undefined
  readonly after: readonly Event[]
  readonly thanked: boolean
}

/** The verdicts on a session part's recalls, in order. A memory that is gone is judged no more. */
export function judge(
  events: readonly Event[],
  memories: ReadonlyMap<MemoryId, Memory>,
  baselines: Baselines,
  policy: ImprovePolicy,
): Judged[] {
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
    const after = aftermathOf(event, stand.after, known)
    const who = role === 'main' ? {} : { role }
    const call = callOf(event, events)
    const told = { recall: id, session, moment, at: event.at, ...who, withheld, share, call, after, memories: judged }
    const next = event.next && memories.get(event.next.memory)
    if (!next || said) return [told]
    return [{ ...told, next: judgeOne(next, event.next!.features, stand, baselines, policy) }]
  })
}

/** The call as it was when it was recalled for: its start, or its failure. */
function callOf({ call }: Recalled, events: readonly Event[]): JudgedCall | undefined {
  const event = call && events.find((one) => 'call' in one && one.kind !== 'recalled' && one.call === call)
  if (!event || !('files' in event)) return undefined
  const { tool, commandShape, files } = event
  return { tool, shape: commandShape, area: files[0] === undefined ? undefined : areaIn(files[0]) }
}

const NO_PARTS: ContributionParts = { success: 0, time: 0, calls: 0, errors: 0 }

/** What somebody said outright needs no traces, nor the memory itself. */
function saidOf(memory: MemoryId, features: Features, { helped, shares }: EventOf<'recall.judged'>): JudgedMemory {
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
): JudgedMemory {
  const { recalled, prompt, after, thanked } = stand
  const use = useOf(memory, after, recalled.cue, recalled.moment)
  const measured = measuredParts(memory, recalled, prompt, after, baselines)
  const parts = partsOf(measured)
  const helped = contributionOf(parts, policy.contribution, use.confidence)
  // Reading a note that was of no use costs attention: silence would have been better. What the person asked for is no
  // such note: a preference that is kept leaves no trace.
  const unused = SAID.has(memory.kind) ? 0 : -policy.unusedCost
  const contribution = use.traces.length === 0 ? unused : helped
  const impacts = use.confidence < USED_FROM ? [] : impactsIn(parts, thanked)
  return {
    memory: memory.id,
    ...(isAskedFor(memory) ? {} : { kind: memory.kind }),
    features,
    used: use.confidence,
    traces: use.traces,
    parts,
    contribution,
    measured,
    impacts,
    ...(recalled.moment !== 'start' && { tokens: tokensOf(memory.content) }),
    ...(!memory.pinned && memory.importanceTerms && { terms: roundedTerms(memory) }),
  }
}

function roundedTerms(memory: Memory): ImportanceTerms {
  const terms = termsNow(memory)
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
  if (recalled.moment === 'start') return { recalled, prompt: undefined, after: rest, thanked: false }
  const next = rest.findIndex((event, i) => i > own && event.kind === 'prompt')
  const said = rest[next]
  const thanked = said?.kind === 'prompt' && said.signals.some((signal) => signal.kind === 'thanks')
  return { recalled, prompt, after: next === -1 ? rest : rest.slice(0, next), thanked }
}
