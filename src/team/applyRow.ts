// Apply: the memory of this machine after a row of the hub has arrived, and what it remembers of the row.
//
// Rules. What nobody has changed here becomes what the team has. Of a change on both sides, the fix of a failure beats
// none, the ways of both are kept, and of a person's words the later ones count. What was changed here and is kept is
// sent with the next changes. Strength, help, importance and the ids of sessions and calls are this machine's own.
import { type Knowledge, type KnowledgeState, type KnownWay, newKnowledgeRecord } from '../model/knowledge.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { isInPersonsWords } from '../model/provenance.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import { WAYS_MAX } from './sharedFields.ts'
import {
  type CleanText,
  canShare,
  countsOf,
  hashFields,
  hashMemory,
  markReceived,
  readOwnFields,
  type SharePolicy,
} from './shareMemory.ts'
import {
  type Counts,
  combineCounts,
  othersOf,
  type SharedFields,
  type SharedKnowledge,
  type TeamEntry,
  type TeamRow,
} from './teamRow.ts'

export interface ApplySettings {
  readonly policy: SharePolicy
  readonly cleanText: CleanText
}

export interface ApplyInput {
  readonly row: TeamRow
  /** The memory here; undefined if there is none. */
  readonly local: Memory | undefined
  /** What is remembered of the row. */
  readonly entry: TeamEntry | undefined
  /** A person deleted it here, and the hub does not know yet. */
  readonly isDeleted: boolean
  readonly settings: ApplySettings
}

export interface Applied {
  /** The memory as it is to be stored; undefined if it is to be removed, or stays absent. */
  readonly memory: Memory | undefined
  readonly entry: TeamEntry
  /** The person's own text, if a teammate has changed or superseded it, or somebody has deleted it. */
  readonly lost?: string | undefined
}

/** The memory and the entry after a row has arrived. */
export function applyRow(input: ApplyInput): Applied {
  const { row, local, entry, isDeleted, settings } = input
  const { memory: _, fields, counts: __, ...rest } = row
  const waiting = fields === undefined ? entry?.waiting : undefined
  const known = { ...rest, ...(waiting !== undefined && { waiting }) }
  const next = { ...known, sent: combineCounts(row.sent, {}, Math.max), others: othersOf(row), seen: entry?.seen ?? '' }
  const isOfTeam = local === undefined || takesChanges(local, settings.policy)
  if (row.state === 'forgotten') {
    // Whoever knows its words knows its id: what was never shared is nobody else's to forget.
    if (entry?.state === 'active' || isOfTeam) return { memory: undefined, entry: { ...next, seen: '' } }
    return { memory: local, entry: { ...next, state: 'deleted', seen: '', own: false } }
  }
  if (row.state === 'deleted') {
    // Learned again, or private now: it stays.
    const isKept = local !== undefined && (entry?.state !== 'active' || !isOfTeam)
    const lost = local && !isKept && isOwnText(local, input) ? local.content : undefined
    return { memory: isKept ? withoutTeam(local) : undefined, entry: { ...next, own: false }, lost }
  }
  if (local === undefined) {
    const isWanted = fields !== undefined && !isDeleted
    const memory = isWanted ? newTeamMemory(row, fields) : undefined
    const seen = fields ? hashFields(fields) : next.seen
    // What replaces it also changes its state, which is one of the fields.
    if (memory && row.successor === null) markReceived(memory)
    return { memory, entry: { ...next, seen } }
  }
  if (!isOfTeam) return { memory: local, entry: { ...next, seen: hashFields(fields) } }
  const text = fields === undefined ? { memory: local, seen: next.seen } : mergeText(local, fields, input)
  const counted = withCounts(text.memory, mergeCounts(local, entry, row))
  const memory = withPin(withSuccessor(counted, mergedSuccessor(local, entry, row)), row.pinned === true)
  const own = row.own || (local.team?.own ?? true)
  const isReplaced = wordsOf(memory) !== wordsOf(local) || isSilenced(local, memory)
  const lost = isReplaced && isOwnText(local, input) ? local.content : undefined
  return { memory: { ...memory, team: markOf(memory, { ...next, own }) }, entry: { ...next, seen: text.seen }, lost }
}

/** What this machine shares, and what it has from others, whether or not it shares such memories itself. */
const takesChanges = (local: Memory, policy: SharePolicy): boolean =>
  canShare(local, policy, true) || (isReceived(local) && local.privacy !== 'private')

/** In the words of a teammate, or met by teammates only. */
const isReceived = ({ team }: Memory): boolean => team !== undefined && (team.isTheirs === true || !team.own)

/** The words that a person reads of a memory, or that a note has. How a failure was overcome has its own counts. */
const wordsOf = ({ content, lessons, learnings, knowledge }: Memory | SharedFields): string =>
  JSON.stringify([content, lessons, learnings, knowledge?.line, knowledge?.quote, knowledge?.reason])

/** Only of the person's words: what sessions find is superseded all the time. */
const isSilenced = (local: Memory, { supersededBy }: Memory): boolean =>
  supersededBy !== undefined && local.supersededBy === undefined && isInPersonsWords(local)

/** Not derived from calls, and not as a teammate has written it. */
const isOwnText = (local: Memory, { entry, settings }: ApplyInput): boolean =>
  !isOfCalls(local.knowledge) && !(local.team?.isTheirs && hashMemory(local, settings.cleanText) === entry?.seen)

/** What a list and a note say of a memory that the team has. */
function markOf(memory: Memory, { by, people, copies, own }: TeamEntry): Memory['team'] {
  const isTheirs = memory.team?.isTheirs
  return { by, people: Math.max(1, people), replicas: Math.max(1, copies), own, ...(isTheirs && { isTheirs }) }
}

/** A memory that is stored as a whole, while the team has it: it keeps the mark, and what was counted. */
export function adoptMemory(memory: Memory, entry: TeamEntry | undefined): Memory {
  if (entry?.state !== 'active') return withoutMark(memory)
  const known = combineCounts(entry.others, entry.sent, (a, b) => a + b)
  const counted = withCounts(memory, combineCounts(countsOf(memory), known, Math.max))
  return { ...counted, team: markOf({ ...memory, team: undefined }, { ...entry, own: true }) }
}

/** The memory of what was sent: it is this machine's own text, and has the mark. */
export const markSent = (memory: Memory, entry: TeamEntry, isText: boolean): Memory => ({
  ...memory,
  team: markOf(isText && memory.team?.isTheirs ? { ...memory, team: undefined } : memory, entry),
})

/**
 * The memory after its machine has left the hub; undefined if it was only received. What the others counted is taken
 * off, so that joining again does not count it twice.
 */
export function leaveTeam(local: Memory, entry: TeamEntry, { cleanText }: ApplySettings): Memory | undefined {
  if (local.team === undefined) return local
  if (!entry.own && hashMemory(local, cleanText) === entry.seen) return undefined
  const own = combineCounts(countsOf(local), entry.others, (all, others) => Math.max(0, all - others))
  return withoutTeam(withCounts(withPin(local, false), own))
}

const TEAM_PIN = 'pinned by the team'

/** A pin of the person's own stays as it is. */
function withPin(memory: Memory, isPinned: boolean): Memory {
  if (memory.pinned !== undefined && memory.pinned.reason !== TEAM_PIN) return memory
  if (isPinned === (memory.pinned !== undefined)) return memory
  const { updated: at } = memory
  return isPinned
    ? { ...memory, pinned: { reason: TEAM_PIN, at }, importance: 1 }
    : { ...memory, pinned: undefined, importance: UNPINNED_IMPORTANCE }
}

/** That of a new memory, until it is computed again. */
const UNPINNED_IMPORTANCE = 0.5

const withoutMark = (memory: Memory): Memory => (memory.team ? { ...memory, team: undefined } : memory)

/** Of a memory that the team no longer has: the words of a teammate stay those of a teammate. */
const withoutTeam = (memory: Memory): Memory =>
  memory.team?.isTheirs ? { ...memory, team: { ...memory.team, own: false } } : withoutMark(memory)

/** The memory after a text has arrived. `seen` is for its entry: with the text of the hub there is nothing to send. */
function mergeText(local: Memory, theirs: SharedFields, { entry, row, settings }: ApplyInput) {
  const [here, there] = [hashMemory(local, settings.cleanText), hashFields(theirs)]
  if (here === there) return { memory: local, seen: there }
  const taken = { memory: withFields(local, theirs, row), seen: there }
  if (here === entry?.seen) return entry.revision === row.revision ? { memory: local, seen: here } : taken
  // The same, before and after its secrets were removed.
  if (hashFields(readOwnFields(local, settings.cleanText)) === there) return { memory: local, seen: here }
  const isDerived = isOfCalls(local.knowledge) && isOfCalls(theirs.knowledge)
  const ours = isDerived ? isOurFix(local, theirs) : isOurLater(local, theirs, { entry, row })
  const { memory } = ours ? { memory: local } : taken
  const [first, second] = ours ? [local.knowledge, theirs.knowledge] : [theirs.knowledge, local.knowledge]
  const ways = isDerived ? uniteWays(first?.ways ?? [], second?.ways ?? []) : undefined
  const { knowledge } = memory
  return { memory: ways && knowledge ? { ...memory, knowledge: { ...knowledge, ways } } : memory, seen: there }
}

/** Derived without a model, in nobody's words. */
const isOfCalls = (knowledge: Pick<Knowledge, 'type' | 'quote' | 'asked'> | undefined): boolean =>
  knowledge !== undefined &&
  (knowledge.type === 'lesson' || knowledge.type === 'fact') &&
  knowledge.quote === undefined &&
  knowledge.asked === undefined

/** Of two lessons the one with a fix counts; of two with or two without, the first. */
const isOurFix = (local: Memory, theirs: SharedFields): boolean =>
  (local.knowledge?.ways ?? []).length > 0 && (theirs.knowledge?.ways ?? []).length === 0

/** A change of the text that was read comes after it, whatever the clocks say; else they decide. */
function isOurLater(local: Memory, theirs: SharedFields, { entry, row }: Pick<ApplyInput, 'entry' | 'row'>): boolean {
  if (entry?.revision === row.revision) return true
  const isKnown = local.knowledge !== undefined
  return isKnown === (theirs.knowledge !== undefined) ? local.updated > theirs.updated : isKnown
}

/** Every way of both, those of the first in their order. The same way has worked as often as the higher count says. */
function uniteWays(first: readonly KnownWay[], second: readonly KnownWay[]): readonly KnownWay[] | undefined {
  const united = first.map((way) => {
    const same = second.find((other) => other.way === way.way)
    return same ? { ...way, sessions: Math.max(way.sessions, same.sessions), last: latest(way.last, same.last) } : way
  })
  const added = second.filter((way) => !first.some((other) => other.way === way.way))
  return united.length + added.length === 0 ? undefined : [...united, ...added].slice(0, WAYS_MAX)
}

const latest = (a: string, b: string): string => (a > b ? a : b)

/** What is here, and what the others have counted since. After a restored backup the hub knows more of this machine. */
function mergeCounts(local: Memory, entry: TeamEntry | undefined, row: TeamRow): Counts {
  const alone = combineCounts(countsOf(local), entry?.others ?? {}, (all, before) => all - before)
  return combineCounts(combineCounts(alone, row.sent, Math.max), othersOf(row), (a, b) => Math.min(AMOUNT_MAX, a + b))
}

function withCounts(memory: Memory, counts: Counts): Memory {
  const { uses = 0, candidates = 0, impact = 0, meetings = 0, sessions = 0 } = counts
  const { met = 0, shown = 0, obeyed = 0, broken = 0 } = counts
  const { knowledge } = memory
  return {
    ...memory,
    accessCount: uses,
    candidateCount: candidates,
    impactScore: impact,
    meetings,
    sessionCount: sessions,
    ...(knowledge && { knowledge: { ...knowledge, record: { ...knowledge.record, met, shown, obeyed, broken } } }),
  }
}

/** What replaced it: what was changed here since is kept. */
function mergedSuccessor(local: Memory, entry: TeamEntry | undefined, row: TeamRow): string | null {
  const here = local.supersededBy ?? null
  return here === (entry?.successor ?? null) ? row.successor : here
}

function withSuccessor(memory: Memory, successor: string | null): Memory {
  const { knowledge, supersededBy = null } = memory
  if (supersededBy === successor) return memory
  const state: KnowledgeState = successor === null ? 'standing' : 'superseded'
  return {
    ...memory,
    status: successor === null ? 'active' : 'archived',
    supersededBy: successor ?? undefined,
    ...(knowledge && { knowledge: { ...knowledge, state } }),
  }
}

function newTeamMemory(row: TeamRow, fields: SharedFields): Memory {
  const { by, people, copies, own, counts } = row
  const knowledge = fields.knowledge && withOwnRecord(fields.knowledge, undefined, { ...fields, counts })
  const memory = newMemory({ ...fields, id: row.memory, knowledge })
  const mark = { by, people: Math.max(1, people), replicas: Math.max(1, copies), own, isTheirs: true } as const
  const counted = { ...withCounts(memory, row.counts), team: mark }
  return withPin(withSuccessor(counted, row.successor), row.pinned === true)
}

/** Absent where the version has none. */
const OPTIONAL_FIELDS = 'commandShape errorSignature branch scopeDomain provenance expires searchOnly'.split(' ')

/** The memory with the team's text. Its words are a teammate's if they are others than before. */
function withFields(local: Memory, theirs: SharedFields, { counts }: TeamRow): Memory {
  const { importance: _, knowledge, ...fields } = theirs
  const isSame = wordsOf(theirs) === wordsOf(local)
  const shared = {
    ...local,
    ...Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, undefined])),
    ...fields,
    // A vector that a caller supplied is one of the text before.
    ...(isSame ? {} : { embedding: undefined }),
    knowledge: knowledge && withOwnRecord(knowledge, local.knowledge, { updated: fields.updated, counts }),
  }
  return isSame ? shared : { ...shared, team: { ...(local.team ?? OWN_MARK), isTheirs: true } }
}

/** Of what was learned here before the team's text arrived. */
const OWN_MARK = { by: '', people: 1, replicas: 1, own: true }

function withOwnRecord(
  shared: SharedKnowledge,
  own: Knowledge | undefined,
  { updated, counts }: { readonly updated: string; readonly counts: Counts },
): Knowledge {
  return {
    ...shared,
    author: own?.line === shared.line ? own.author : 'teammate',
    state: stateOf(shared, own, counts.sessions ?? 0),
    record: own?.record ?? newKnowledgeRecord(updated, undefined),
  }
}

/** What a person wants stands at once; what calls have shown stands when it was met in two sessions of the team. */
function stateOf(shared: SharedKnowledge, own: Knowledge | undefined, sessions: number): KnowledgeState {
  if (own?.state === 'superseded') return 'superseded'
  if (shared.state === 'retired') return 'retired'
  const isWanted = shared.quote !== undefined || shared.asked === true
  return isWanted || own?.state === 'standing' || sessions > 1 ? 'standing' : 'proposed'
}
