// Builds knowledge.json: the entries that hooks may show. First what a person wants, then the rest by what it is
// expected to save.
import { isSameStatement, statementKey } from '../../knowledge/compareRules.ts'
import { namesOnlyFile } from '../../knowledge/overcomeFailures.ts'
import { isAboutBreach, listBreaches } from '../../knowledge/updateRecords.ts'
import { EDIT_TOOLS, isShellTool } from '../../model/event.ts'
import {
  FIRST_WORTH,
  isAboutFailures,
  isCurrent,
  isOfPerson,
  isPersonsText,
  type Knowledge,
  type KnowledgeFile,
  type KnowledgeNote,
  REQUEST_WORTH,
  type Trigger,
} from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { headOfMemory, type MemoryHead } from '../../model/memoryHead.ts'
import { isPrivate } from '../../model/privacy.ts'
import { compareValues } from '../../model/sorting.ts'
import { positionIn } from '../../organize/memoryIndexes.ts'
import { sessionHash } from '../../recall/indexTerms.ts'
import { firstLine, withoutFullStop } from '../../text/excerpt.ts'
import { withoutQuotedError } from '../../text/outsideText.ts'
import { isFromTeam, sanitizeText } from '../../text/sanitizeText.ts'
import { addNewestFirst } from './personFile.ts'

/** Entries in the file, at most: a hook compares a call with all of them. */
const NOTES_MAX = 500

/** Of one teammate's words, and of what one teammate has met: a flood of them leaves places for everybody else's. */
const TEAMMATE_NOTES_MAX = 100

/** Of these for starts. What the team has pinned does not count. */
const TEAMMATE_STARTS_MAX = 8

const LINE_CHARS_MAX = 240

/** A person's own words are shown if they are no longer than this; else the line that was made of them. */
const QUOTE_CHARS_MAX = 160

export interface KnowledgeContext {
  /** When each session of the project began, ISO, the earliest first. */
  readonly sessionTimes: readonly string[]
  /** The sessions that have not ended. */
  readonly openSessions: ReadonlySet<string>
  /** The statements that the client loads at every start, by their key. */
  readonly instructions?: ReadonlyMap<string, string>
}

/** What `heads` are of. Of all of them only what sorts them is held: a team may have a hundred thousand. */
export function buildKnowledgeFile(
  heads: readonly MemoryHead[],
  generation: number,
  context: KnowledgeContext,
): KnowledgeFile {
  // What a model wrote about calls, and is worth at a start.
  const ofModel = new Map<string, number>()
  const candidates = heads.flatMap((head) => {
    const memory = head.load(false)
    const candidate = toCandidate(memory, context)
    if (!candidate) return []
    const { voice, knowledge, rank, worth, saved, lastMet } = candidate
    const isFromRules = knowledge.author === 'rule'
    const isForAll = memory.privacy === 'public' && !isFromTeam(memory) && knowledge.scope !== 'branch'
    if (knowledge.author === 'model' && isForAll)
      for (const words of candidate.when.flatMap(callWords))
        ofModel.set(words, Math.max(worth, ofModel.get(words) ?? 0))
    const author = isFromTeam(memory) && !memory.pinned ? `${voice} ${memory.team?.by}` : ''
    return { head, id: memory.id, author, isFromRules, rank, saved, lastMet }
  })
  candidates.sort(
    (a, b) => a.rank - b.rank || b.saved - a.saved || compareValues(b.lastMet, a.lastMet) || compareValues(a.id, b.id),
  )
  const kept: KnowledgeNote[] = []
  const statements = new Set<string>()
  const counts = new Map<string, number>()
  for (const { head, author, isFromRules } of candidates) {
    if (kept.length === NOTES_MAX) break
    const count = author === '' ? 0 : (counts.get(author) ?? 0) + 1
    if (count > TEAMMATE_NOTES_MAX) continue
    const note = toKnowledgeNote(head.load(), context)
    if (!note) continue
    // Two lines that say the same are one note.
    const statement = `${note.role} ${statementKey(note.line)}`
    if (statements.has(statement)) continue
    counts.set(author, count)
    // The words of a model are better, so its entry may be worth a little less.
    const isRepeated =
      isFromRules && note.when.flatMap(callWords).some((words) => (ofModel.get(words) ?? 0) >= note.worth / 2)
    const isForStart = count <= TEAMMATE_STARTS_MAX && !isRepeated
    if (!isForStart && note.when.length === 0) continue
    statements.add(statement)
    kept.push(isForStart ? note : { ...note, worth: 0 })
  }
  return { generation, notes: kept }
}

const callWords = ({ at, has = [] }: Trigger): string[] => {
  const words = has
    .join(' ')
    .toLowerCase()
    .split(/[\s*]+/)
    .sort()
    .join(' ')
    .trim()
  return at === 'call' && words !== '' ? [words] : []
}

/**
 * The file with entries that a person has asked to remember since it was written. The others stay as they were then:
 * nothing else has happened since, and nobody is in a team.
 */
export function addToKnowledgeFile(
  { generation, notes }: KnowledgeFile,
  asked: readonly Memory[],
  context: Omit<KnowledgeContext, 'sessionTimes'>,
): KnowledgeFile {
  // When sessions were is not asked for an entry that every start shows.
  const added = buildKnowledgeFile(asked.map(headOfMemory), generation, { ...context, sessionTimes: [] }).notes
  const isAdded = (note: KnowledgeNote): boolean =>
    added.some((other) => other.id === note.id || (other.role === note.role && isSameStatement(other, note)))
  const others = notes.filter((note) => !isAdded(note))
  return { generation, notes: addNewestFirst(others, added).slice(0, NOTES_MAX) }
}

/** The rules took a sentence for a rule, and the model that read the session did not: see `answerChanges.ts`. */
export const isDoubtful = ({ author, state, asked }: Knowledge): boolean =>
  author === 'person' && state === 'proposed' && asked !== true

/** What decides which entries are in the file; most of a large store are not. */
interface Candidate extends Pick<KnowledgeNote, 'voice' | 'worth' | 'lastMet' | 'when'> {
  readonly memory: Memory
  readonly knowledge: Knowledge
  /** Its worth at a start, or what it would be: what else shows entries takes the first. */
  readonly saved: number
  /** A teammate's words have the places that the person's own leave. */
  readonly rank: number
}

/** The entry as hooks read it; undefined if it may not be shown unasked. */
export function toKnowledgeNote(memory: Memory, context: KnowledgeContext): KnowledgeNote | undefined {
  const candidate = toCandidate(memory, context)
  return candidate && toNote(candidate, context)
}

function toCandidate(memory: Memory, context: KnowledgeContext): Candidate | undefined {
  const { knowledge, status, pinned } = memory
  if (!knowledge || !isCurrent(knowledge) || status !== 'active' || memory.searchOnly || isPrivate(memory))
    return undefined
  if (isDoubtful(knowledge) && pinned === undefined) return undefined
  const voice = voiceOf(memory, knowledge)
  const when = knowledge.when.filter((trigger) => isWorthNote(trigger, voice, knowledge.line))
  const worth = worthAtStart(memory, knowledge, context)
  if (when.length === 0 && worth === 0) return undefined
  const rank = worth === FIRST_WORTH ? 0 : voice === 'known' ? 2 : +(voice === 'team' && pinned === undefined)
  // Of what a person wants: when it was said.
  const lastMet = voice === 'known' ? knowledge.record.lastMet : memory.created
  const saved = voice === 'known' ? Math.max(worth, callsSaved(knowledge, sessionsSince(memory, context))) : worth
  return { memory, knowledge, voice, when, worth: Math.round(1000 * worth) / 1000, saved, rank, lastMet }
}

function toNote({ memory, knowledge, ...shown }: Candidate, { openSessions }: KnowledgeContext): KnowledgeNote {
  const { voice, worth, when, lastMet } = shown
  const { record } = knowledge
  // An edit is often one of many, and shown beside the first.
  const breach = voice === 'known' ? [] : listBreaches({ line: knowledge.line, when }).filter(isAtCommand)
  return {
    id: memory.id,
    type: knowledge.type,
    line: firstLine(sanitizeText(shownLine(knowledge)), LINE_CHARS_MAX),
    voice,
    ...(memory.privacy !== 'public' && { role: memory.role }),
    ...(knowledge.scope === 'branch' && { branch: memory.branch ?? '' }),
    met: record.met,
    lastMet,
    ...conversationOf(memory, voice, openSessions),
    worth,
    ...(voice === 'known' && record.sessions.length > 0 && { metIn: record.sessions.map(sessionHash) }),
    when,
    ...(breach.length > 0 && { breach }),
    ...(memory.team && { team: memory.team }),
  }
}

/**
 * A note beside a call comes after it was written. What a model understood of a person's wishes is worth one if the
 * call breaks it, or is an edit, which is often one of several.
 */
const isWorthNote = (trigger: Trigger, voice: KnowledgeNote['voice'], line: string): boolean =>
  trigger.at !== 'start' &&
  !(voice === 'wanted' && trigger.at === 'call' && !isEditTrigger(trigger) && !isAboutBreach(trigger, line))

/**
 * The conversation that contains it. Its session may be resumed, which matters for what a person wants: that is shown
 * at starts.
 */
const conversationOf = (
  { session, agentId }: Memory,
  voice: KnowledgeNote['voice'],
  openSessions: ReadonlySet<string>,
): Pick<KnowledgeNote, 'metBy'> =>
  session !== undefined && (voice !== 'known' || openSessions.has(session)) ? { metBy: { session, agentId } } : {}

/** The line that notes show. What a person typed is shown as their words: the part that is the rule, or all of it. */
export function shownLine(knowledge: Knowledge): string {
  const { author, quote, line } = knowledge
  if (author === 'rule' || author === 'teammate') return withoutQuotedError(knowledge).replace(/\.$/, '')
  if (author !== 'person' || quote === undefined || quote.toLowerCase().includes(line.toLowerCase())) return line
  return quote.length <= QUOTE_CHARS_MAX ? withoutFullStop(quote) : line
}

function voiceOf(memory: Memory, knowledge: Knowledge): KnowledgeNote['voice'] {
  if (isFromTeam(memory)) return isAboutFailures(knowledge) ? 'known' : 'team'
  if (isPersonsText(knowledge)) return 'said'
  return isOfPerson(knowledge) && !isAboutFailures(knowledge) ? 'wanted' : 'known'
}

const isAtCommand = ({ at, tool }: Trigger): boolean => at === 'call' && isShellTool(tool?.split('|')[0] ?? '')

const isEditTrigger = ({ at, tool }: Trigger): boolean => at === 'call' && EDIT_TOOLS.has(tool?.split('|')[0] ?? '')

/**
 * What a model understood of a person's wishes is for starts if it expects nearly every session to meet it, else for
 * the first ones: blind readers found 48 % useful, 29 % of the others in three sessions, then 17 %.
 */
const [WISH_EXPECTED_MIN, YOUNG_SESSIONS] = [0.9, 3]

/** Of an entry without an author who could expect anything. */
const EXPECTED_DEFAULT = 0.5

/** What a model expects in fewer sessions is for starts once so many have met it: readers found 5 % of it useful. */
const [EXPECTED_MIN, ENOUGH_MET] = [0.5, 3]

/** Of what a person wants. Equal for all, so that the newest comes first; `rank` puts it before what is known. */
const WISH_WORTH = 1.9

/** Sessions without a meeting that the expectation of the author stands against. */
const UNMET_SESSIONS = 4

/** More calls lost at one meeting than this say little: the session was about it. */
const COST_MAX = 4

/**
 * The calls that showing it at a start is expected to save in one session: the share of the sessions since then with a
 * call that it is about, twice where that failed, times what a meeting costs. 0 if it is not for starts.
 */
export function worthAtStart(memory: Memory, knowledge: Knowledge, context: KnowledgeContext): number {
  const { instructions } = context
  if (instructions?.size && [shownLine(knowledge), knowledge.line].some((line) => instructions.has(statementKey(line))))
    return 0
  const { scope, author, asked, record, expected = EXPECTED_DEFAULT, when } = knowledge
  const isForStart = when.some(({ at }) => at === 'start')
  if (memory.pinned || (asked && isForStart)) return FIRST_WORTH
  // A path that a second session missed too is not only about that path's work.
  if (scope === 'path' && (author !== 'rule' || record.met < 2)) return 0
  if (author === 'rule' && namesOnlyFile(memory)) return 0
  // What is about an edit comes at that edit: of such entries at starts, blind readers found one in six useful.
  if (author === 'model' && !asked && !isForStart && when.some(isEditTrigger)) return 0
  if (isOfPerson(knowledge) && asked) return REQUEST_WORTH
  const sessions = sessionsSince(memory, context)
  if (isOfPerson(knowledge) && !isAboutFailures(knowledge)) {
    if (author === 'model' && !isForStart && expected < WISH_EXPECTED_MIN && sessions >= YOUNG_SESSIONS) return 0
    return WISH_WORTH
  }
  if (author === 'model' && !asked && !isForStart && expected < EXPECTED_MIN && record.met < ENOUGH_MET) return 0
  return callsSaved(knowledge, sessions)
}

const sessionsSince = ({ created }: Memory, { sessionTimes }: KnowledgeContext): number =>
  sessionTimes.length - positionIn(sessionTimes, created)

function callsSaved({ record, expected = EXPECTED_DEFAULT }: Knowledge, sessions: number): number {
  const { met, firedIn = met, cost } = record
  const rate = Math.min(2, (firedIn + Math.min(firedIn, met) + expected) / (sessions + UNMET_SESSIONS))
  return rate * Math.sqrt(Math.min(COST_MAX, Math.max(1, cost)))
}
