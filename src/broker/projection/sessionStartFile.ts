// The content of hot.json. Apart from the code that builds it, which hooks do not need in their bundles.

import { countObedience, describeObedience } from '../../knowledge/obedience.ts'
import { type Conversation, conversationKey, type MemoryId, type SessionId } from '../../model/id.ts'
import { CONTENT_CHARS_MAX } from '../../model/limits.ts'
import { isUserRequested, type Memory } from '../../model/memory.ts'
import type { MemoryHead } from '../../model/memoryHead.ts'
import { isPrivate } from '../../model/privacy.ts'
import { groupBy } from '../../model/sorting.ts'
import type { MemoryTable } from '../../organize/memoryTable.ts'
import { isWorthShowing } from '../../recall/selectWithinBudget.ts'
import { truncateMiddle } from '../../text/excerpt.ts'
import type { Projection, SessionState } from './projection.ts'

export interface SessionStartSnapshot {
  readonly generation: number
  /** The memories that a session start may show: the best of each kind, best first within a kind. */
  readonly standing: readonly Memory[]
  /** The memories that each conversation of recent sessions was shown, by its key. */
  readonly told: Readonly<Record<string, readonly MemoryId[]>>
  /** How often the person's rules were kept, as a phrase; absent while nothing has met one, and in old stores. */
  readonly obedience?: string
  /** Sessions with events that are not organized yet. */
  readonly open: readonly { readonly id: SessionId; readonly lastAt: string; readonly ended: boolean }[]
}

export const EMPTY_SESSION_START: SessionStartSnapshot = { generation: 0, standing: [], told: {}, open: [] }

/**
 * The memories that a conversation was shown, found in the bytes of hot.json: parsing all of it costs a cold hook 2 ms
 * and most of its young heap. A key in quotes comes before a list only in `told`: inside a text its quotes are escaped.
 */
export function shownIdsFromBytes(bytes: Buffer, conversation: Conversation): readonly MemoryId[] {
  const key = `${JSON.stringify(conversationKey(conversation))}:[`
  const at = bytes.lastIndexOf(key)
  if (at === -1) return []
  const start = at + Buffer.byteLength(key) - 1
  return JSON.parse(bytes.toString('utf8', start, bytes.indexOf(']', start) + 1)) as MemoryId[]
}

// Builds hot.json: all that a session start needs, so that it reads one small file and no index.

/** Memories of each kind, at most. A start shows few, the viewer may not see some, and ranking fifty takes 1 ms. */
const CANDIDATES_MAX: Readonly<Partial<Record<Memory['kind'], number>>> = {
  preference: 16,
  decision: 16,
  entry: 8,
  lesson: 4,
  summary: 6,
  consolidated: 2,
  experience: 2,
}

/** Sessions, latest first, whose shown memories are kept; earlier ones are long over. */
const SHOWN_SESSIONS_MAX = 20

/** `memories` are those of the projection, with what open sessions have learned. */
export function buildSessionStartSnapshot(
  projection: Projection,
  memories: MemoryTable,
  generation: number,
): SessionStartSnapshot {
  const sessions = [...projection.sessions.values()].sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
  return {
    generation,
    standing: selectCandidates(memories),
    told: Object.fromEntries(sessions.slice(0, SHOWN_SESSIONS_MAX).flatMap(listShown)),
    ...describeRules(projection),
    open: sessions
      .filter((session) => session.pending.length > 0)
      .map(({ id, lastAt, ended }) => ({ id, lastAt, ended })),
  }
}

const listShown = ({ id, told, toldAgents = {} }: SessionState): [string, readonly MemoryId[]][] => [
  [id, told],
  ...Object.entries(toldAgents).map(([agentId, shown]): [string, readonly MemoryId[]] => [
    conversationKey({ session: id, agentId }),
    shown,
  ]),
]

/** Only once sessions were shown a rule: before that there is nothing to say of memctl. */
function describeRules({ memories }: Projection): Pick<SessionStartSnapshot, 'obedience'> {
  const obedience = countObedience(memories.select(({ isOfPerson, status }) => isOfPerson && status === 'active'))
  const { kept, broken } = obedience.since
  return kept + broken === 0 ? {} : { obedience: describeObedience(obedience) }
}

/** The best of each kind: what is pinned, then summaries by time, others by importance and time. */
function selectCandidates(memories: MemoryTable): Memory[] {
  // A private memory is for an agent or a session that has started.
  const candidates = memories.heads().filter((head) => mayBeForStart(head) && !isPrivate(head))
  // What one role sees takes no place of others.
  const byKind = groupBy(candidates, (head) =>
    head.privacy === 'public' ? head.kind : `${head.kind} ${head.load().role}`,
  )
  return [...byKind.values()].flatMap((list) => {
    const kind = list[0]?.kind ?? 'entry'
    // Only of what is pinned it is 1.
    const weight = ({ importance }: MemoryHead): number => (kind === 'summary' ? Math.floor(importance) : importance)
    list.sort((a, b) => weight(b) - weight(a) || b.updatedMs - a.updatedMs || (a.id < b.id ? -1 : 1))
    return takeForStart(list, CANDIDATES_MAX[kind] ?? 0).map(trim)
  })
}

/** The first that are for a start; only these, and those before them, are read. */
function takeForStart(heads: readonly MemoryHead[], max: number): Memory[] {
  const taken: Memory[] = []
  for (const head of heads) {
    if (taken.length === max) break
    const memory = head.load()
    if (isForStart(memory)) taken.push(memory)
  }
  return taken
}

const mayBeForStart = ({ kind, status, hasKnowledge, isSuperseded, isRequested }: MemoryHead): boolean =>
  status === 'active' &&
  CANDIDATES_MAX[kind] !== undefined &&
  (kind === 'summary' || (isRequested && !hasKnowledge && !isSuperseded))

/** Summaries, and what somebody stored or pinned. Knowledge is in a file of its own. */
const isForStart = (memory: Memory): boolean =>
  memory.kind === 'summary' ||
  (memory.knowledge === undefined &&
    isUserRequested(memory) &&
    (memory.kind !== 'experience' || memory.pinned !== undefined) &&
    isWorthShowing(memory) &&
    memory.supersededBy === undefined)

/** Only the fields that a session start shows or ranks by, because it parses all of these. */
const trim = ({ editedFiles: _, leftOpen, counts: _counts, ...memory }: Memory): Memory => ({
  ...memory,
  content: truncateMiddle(memory.content, CONTENT_CHARS_MAX),
  ...(leftOpen && { leftOpen: leftOpen.slice(0, 3) }),
})
