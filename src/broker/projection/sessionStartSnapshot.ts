// Builds hot.json: all that a session start needs, so that it reads one small file and no index.
import { USED_THRESHOLD } from '../../improve/usageSignals.ts'
import { conversationKey } from '../../model/conversation.ts'
import type { MemoryId } from '../../model/id.ts'
import { CONTENT_CHARS_MAX } from '../../model/limits.ts'
import { isUserRequested, type Memory } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'
import type { Statement } from '../../model/statement.ts'
import { isWorthShowing } from '../../recall/selectWithinBudget.ts'
import { truncateMiddle } from '../../text/excerpt.ts'
import { isLastingInstruction } from '../../text/statement/lastingInstruction.ts'
import type { Projection, SessionState } from './projection.ts'
import type { SessionStartSnapshot } from './sessionStartFile.ts'

/** Memories of each kind, at most. A start shows few, the viewer may not see some, and ranking fifty takes 1 ms. */
const CANDIDATES_MAX: Readonly<Partial<Record<Memory['kind'], number>>> = {
  preference: 16,
  decision: 16,
  entry: 8,
  lesson: 4,
  summary: 6,
  consolidated: 2,
}

/** Sessions, latest first, whose shown memories are kept; earlier ones are long over. */
const SHOWN_SESSIONS_MAX = 20

/** `memories` are those of the projection, with what open sessions have learned. */
export function buildSessionStartSnapshot(
  projection: Projection,
  memories: Iterable<Memory>,
  generation: number,
): SessionStartSnapshot {
  const sessions = [...projection.sessions.values()].sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
  return {
    generation,
    standing: selectCandidates(memories),
    told: Object.fromEntries(sessions.slice(0, SHOWN_SESSIONS_MAX).flatMap(listShown)),
    unusedStarts: countUnusedStarts(projection),
    open: sessions
      .filter((session) => session.pending.length > 0)
      .map(({ id, lastAt, ended }) => ({ id, lastAt, ended })),
  }
}

/** What each conversation of a session was shown, by its key. */
const listShown = ({ id, told, toldAgents = {} }: SessionState): [string, readonly MemoryId[]][] => [
  [id, told],
  ...Object.entries(toldAgents).map(([agentId, shown]): [string, readonly MemoryId[]] => [
    conversationKey({ session: id, agentId }),
    shown,
  ]),
]

function countUnusedStarts({ judged }: Projection): number {
  const starts = judged.filter(({ moment, withheld }) => moment === 'start' && !withheld)
  const lastUsed = starts.findLastIndex(({ memories }) => memories.some(({ used }) => used >= USED_THRESHOLD))
  return new Set(starts.slice(lastUsed + 1).map(({ session, recall }) => session ?? recall)).size
}

/** The best of each kind: summaries by time, others by importance, then by time. */
function selectCandidates(memories: Iterable<Memory>): Memory[] {
  const byKind = new Map<string, Memory[]>()
  for (const memory of memories) {
    if (memory.status !== 'active' || CANDIDATES_MAX[memory.kind] === undefined || !isForStart(memory)) continue
    // A private memory is for an agent or a session that has started. What one role sees takes no place of others.
    if (isPrivate(memory)) continue
    const key = memory.privacy === 'public' ? memory.kind : `${memory.kind} ${memory.role}`
    const list = byKind.get(key)
    if (list) list.push(memory)
    else byKind.set(key, [memory])
  }
  return [...byKind.values()].flatMap((list) => {
    const kind = list[0]?.kind ?? 'entry'
    const newest = (a: Memory, b: Memory) =>
      a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1
    const weight = (memory: Memory): number =>
      kind === 'summary' ? 0 : 10 * (memory.statement?.strength ?? 0) + memory.importance
    list.sort((a, b) => weight(b) - weight(a) || newest(a, b))
    return list.slice(0, CANDIDATES_MAX[kind]).map(trim)
  })
}

/** Of what was derived only summaries, and of what was said only what still stands. */
const isForStart = (memory: Memory): boolean =>
  memory.kind === 'summary' || (isUserRequested(memory) && isWorthShowing(memory) && isForEveryStart(memory))

/** What was not said, such as an entry, or what holds for every session. */
const isForEveryStart = (memory: Memory): boolean =>
  memory.statement === undefined ||
  (memory.statement.supersededBy === undefined && (memory.pinned !== undefined || isLasting(memory, memory.statement)))

/** A memory that changes is a new object, so what was found out about one holds. */
const lasting = new WeakMap<Memory, boolean>()

function isLasting(memory: Memory, statement: Statement): boolean {
  const known = lasting.get(memory)
  if (known !== undefined) return known
  const found = isLastingInstruction(statement, memory.content)
  lasting.set(memory, found)
  return found
}

/** Only the fields that a session start shows or ranks by, because it parses all of these. */
const trim = ({ editedFiles: _, leftOpen, counts: _counts, lesson, ...memory }: Memory): Memory => ({
  ...memory,
  content: truncateMiddle(memory.content, CONTENT_CHARS_MAX),
  ...(leftOpen && { leftOpen: leftOpen.slice(0, 3) }),
  // The file of a lesson is part of its fix, which stays.
  ...(lesson && { lesson: { ...lesson, error: '', failedAttempts: [], calls: [] } }),
})
