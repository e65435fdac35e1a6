// Judge: what a session's recalls turned out to give. Every memory shown or withheld gets its use and its contribution.
import type { ContributionParts } from '../model/contribution.ts'
import { contributionOf } from '../model/contribution.ts'
import type { Features, Moment } from '../model/cue.ts'
import { type CallEnded, commandOf, type Event, type EventOf, isCallEnded, timeOf } from '../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../model/id.ts'
import type { Kind, Memory } from '../model/memory.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import { isCheckCommand } from '../text/command.ts'
import { type Aftermath, aftermathOf } from './aftermath.ts'
import { ALL, type Baselines, usual } from './baseline.ts'
import { type Use, useOf } from './used.ts'

export interface JudgedMemory {
  readonly memory: MemoryId
  readonly features: Features
  readonly used: number
  readonly traces: Use['traces']
  readonly parts: ContributionParts
  /** -1 to 1. */
  readonly contribution: number
}

/** One recall with its verdict. */
export interface Judged {
  readonly recall: EventId
  /** Absent in verdicts of the first stores. */
  readonly session?: SessionId | undefined
  readonly moment: Moment
  readonly at: string
  readonly withheld: boolean
  /** The chance it had of being withheld; absent where it had none. */
  readonly share?: number | undefined
  /** How the task went after it; absent in verdicts of the first stores. */
  readonly after?: Aftermath | undefined
  readonly memories: readonly JudgedMemory[]
}

const SAID: ReadonlySet<Kind> = new Set(['preference', 'decision', 'entry'])

type Recalled = EventOf<'recalled'>

/** The verdicts on a session part's recalls, in order. A memory that is gone is judged no more. */
export function judge(
  events: readonly Event[],
  memories: ReadonlyMap<MemoryId, Memory>,
  baselines: Baselines,
  policy: ImprovePolicy,
): Judged[] {
  const known = knownErrors(memories)
  return events.flatMap((event, at) => {
    if (event.kind !== 'recalled' || event.shown.length === 0) return []
    const after = afterwards(events, at)
    const judged = event.shown.flatMap((shown) => {
      const memory = memories.get(shown.memory)
      return memory ? [judgeOne(memory, shown.features, event, after, baselines, policy)] : []
    })
    const { id, session, moment, withheld, share } = event
    const aftermath = aftermathOf(event, after, known)
    return [{ recall: id, session, moment, at: event.at, withheld, share, after: aftermath, memories: judged }]
  })
}

/** The errors that memories knew of when the session was judged: its own are learnt only afterwards. */
const knownErrors = (memories: ReadonlyMap<MemoryId, Memory>): ReadonlySet<string> =>
  new Set([...memories.values()].flatMap((memory) => memory.errorSignature ?? []))

function judgeOne(
  memory: Memory,
  features: Features,
  recalled: Recalled,
  after: readonly Event[],
  baselines: Baselines,
  policy: ImprovePolicy,
): JudgedMemory {
  const use = useOf(memory, after, recalled.cue)
  const parts = partsOf(memory, recalled, after, baselines)
  const helped = contributionOf(parts, policy.contribution, use.confidence)
  // Reading a note that was of no use costs attention: silence would have been better. What the person asked for is no
  // such note: a preference that is kept leaves no trace.
  const unused = SAID.has(memory.kind) ? 0 : -policy.unusedCost
  const contribution = use.traces.length === 0 ? unused : helped
  return { memory: memory.id, features, used: use.confidence, traces: use.traces, parts, contribution }
}

/** Seed 003's four parts, each against what is usual here, 0 where nothing is known. */
function partsOf(memory: Memory, recalled: Recalled, after: readonly Event[], baselines: Baselines): ContributionParts {
  const calls = after.filter(isCallEnded)
  const kind = workKind(memory)
  const ended = endOf(calls)
  const success = ended === undefined ? 0 : (ended ? 1 : 0) - (usual(baselines.success, ALL) ?? 0.5)
  const passed = passAfter(memory, calls)
  const ms = passed ? timeOf(passed) - timeOf(recalled) : undefined
  const steps = passed ? calls.indexOf(passed) + 1 : undefined
  return {
    success: clipped(2 * success),
    time: saved(usual(baselines.mendMs, kind), ms),
    calls: saved(usual(baselines.mendCalls, kind), steps),
    errors: errorsAvoided(memory, calls),
  }
}

/** The kind of work a memory is about: the command that fails, else the file, else just a task. */
export const workKind = (memory: Memory): string => memory.commandShape ?? memory.files[0] ?? 'task'

/** How the task ended: by its last check command; undefined where nothing was checked. */
function endOf(calls: readonly CallEnded[]): boolean | undefined {
  const check = calls.findLast((call) => isCheckCommand(commandOf(call)))
  return check ? check.kind === 'call.succeeded' : undefined
}

function passAfter(memory: Memory, calls: readonly CallEnded[]): CallEnded | undefined {
  if (!memory.commandShape || !memory.errorSignature) return undefined
  return calls.find((call) => call.kind === 'call.succeeded' && call.commandShape === memory.commandShape)
}

/** The known error did not come back although its command ran 1, it came back once −.5, twice or more −1. */
function errorsAvoided(memory: Memory, calls: readonly CallEnded[]): number {
  if (!memory.errorSignature) return 0
  const again = calls.filter(
    (call) => call.kind === 'call.failed' && call.errorSignature === memory.errorSignature,
  ).length
  if (again > 0) return again === 1 ? -0.5 : -1
  return passAfter(memory, calls) ? 1 : 0
}

/** How much less than usual, −1 to 1: (usual − now) / (usual + now). */
function saved(usualValue: number | undefined, now: number | undefined): number {
  if (usualValue === undefined || now === undefined || usualValue + now <= 0) return 0
  return clipped((usualValue - now) / (usualValue + now))
}

/** What came after a recall, up to the person's next prompt: later work is another task's. A start's recall is for the whole session. */
function afterwards(events: readonly Event[], at: number): Event[] {
  const recalled = events[at] as Recalled
  const rest = events.slice(at + 1)
  if (recalled.moment === 'start') return rest
  // The recall at a prompt is logged before or after the prompt itself; either way the next other prompt ends it.
  const own =
    recalled.moment === 'prompt' ? rest.findIndex((event) => event.kind === 'prompt' && event.at === recalled.at) : -1
  const next = rest.findIndex((event, i) => i > own && event.kind === 'prompt')
  return next === -1 ? rest : rest.slice(0, next)
}

const clipped = (value: number): number => Math.min(1, Math.max(-1, value))
