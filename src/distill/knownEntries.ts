// The entries that exist and fit a session: with a trigger that fired in it, with words of it, or new. The
// model sees them with a short key, so that it confirms or replaces them instead of writing them again.
import { callOccasion, failureOccasion, matchTrigger, type Occasion, promptOccasion } from '../knowledge/when.ts'
import { type Event, isCallResult } from '../model/event.ts'
import type { MemoryId, SessionId } from '../model/id.ts'
import { isCurrent, type Knowledge } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { openTaskKey } from '../text/hash.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

export interface KnownEntry {
  /** `k` and the beginning of the memory's id: the same in every request. */
  readonly key: string
  readonly memory: MemoryId
  readonly knowledge: Knowledge
  /** The person typed it in the session that is read, and a pattern took it for lasting. */
  readonly isTypedHere: boolean
}

/** Found by a pattern in what the person typed. */
export const isTyped = ({ author, asked, state }: Knowledge): boolean =>
  author === 'person' && !asked && state === 'standing'

const KNOWN_MAX = 20

const KEY_CHARS = 5

/** The entries that fit best, the best first. Of two with the same key the later one is left out. */
export function selectKnown(
  memories: Iterable<Memory>,
  events: readonly Event[],
  digest: string,
): readonly KnownEntry[] {
  const candidates = [...memories].flatMap(({ id, knowledge, privacy, searchOnly, updated, session }) =>
    // A way that may be chance is no entry yet.
    knowledge && isCurrent(knowledge) && privacy === 'public' && !searchOnly
      ? [{ id, knowledge, updated, session }]
      : [],
  )
  if (candidates.length === 0) return []
  const occasions = listOccasions(events)
  const terms = new Set(extractTerms(digest))
  const newest = Math.max(...candidates.map(({ updated }) => Date.parse(updated)))
  const scored = candidates.map((candidate) => {
    const { knowledge, updated } = candidate
    const age = (newest - Date.parse(updated)) / 86_400_000
    const fit = firesIn(knowledge, occasions) ? 1 : 0
    return { ...candidate, score: fit + sharedTerms(knowledge.line, terms) + 0.5 / (1 + age / 7) }
  })
  scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  const known = new Map<string, KnownEntry>()
  for (const { id, knowledge, session } of scored) {
    if (known.size === KNOWN_MAX) break
    const key = `k${id.slice(0, KEY_CHARS)}`
    const isTypedHere = isTyped(knowledge) && session === events[0]?.session
    if (!known.has(key)) known.set(key, { key, memory: id, knowledge, isTypedHere })
  }
  return [...known.values()]
}

/** A task that an earlier session left open. */
export interface OpenTask {
  /** By `openTaskKey`. */
  readonly key: string
  readonly task: string
}

/** Sessions of which open tasks are shown, the latest ones, and tasks in all. */
const OPEN_SESSIONS_MAX = 12
const OPEN_TASKS_MAX = 12

/** What the latest sessions before this one left open, the latest first. Failing checks are closed by passing ones. */
export const selectOpenTasks = (memories: Iterable<Memory>, session: SessionId, began: string): readonly OpenTask[] =>
  [...memories]
    .filter((each) => each.kind === 'summary' && each.privacy === 'public' && each.status === 'active')
    .filter((each) => each.session !== session && each.updated < began && (each.leftOpen ?? []).length > 0)
    .sort((a, b) => (a.updated < b.updated ? 1 : -1))
    .slice(0, OPEN_SESSIONS_MAX)
    .flatMap(({ id, leftOpen = [] }) => leftOpen.map((task) => ({ key: openTaskKey(id, task), task })))
    .slice(0, OPEN_TASKS_MAX)

/** What happened in a session that a trigger can be about. */
const listOccasions = (events: readonly Event[]): Occasion[] =>
  events.flatMap((event) => {
    if (event.kind === 'prompt') return [promptOccasion(event.text)]
    if (!isCallResult(event)) return []
    const call = callOccasion(event)
    return event.kind === 'call.failed' ? [call, failureOccasion(event, event.error, event.errorSignature)] : [call]
  })

/** Whether a trigger fired, or its rule was kept. */
const firesIn = ({ when }: Knowledge, occasions: readonly Occasion[]): boolean =>
  when.some((trigger) => occasions.some((occasion) => matchTrigger(trigger, occasion) !== undefined))

/** The share of the line's terms that the digest has. */
function sharedTerms(line: string, terms: ReadonlySet<string>): number {
  const own = [...new Set(extractTerms(line))]
  return own.length === 0 ? 0 : own.filter((term) => terms.has(term)).length / own.length
}
