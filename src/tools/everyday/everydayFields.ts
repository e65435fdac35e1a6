// What the five everyday tools share. One search, get, save, delete and restore do for a model what the source
// documents spread over thirty names, which `--tools all` has: a model chooses better among few, and each costs tokens.
import { listVisible } from '../../broker/live/liveStore.ts'
import { entryFromMemory } from '../../entries/entry.ts'
import { statementKey, subjectWords } from '../../knowledge/compareRules.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import { shortId } from '../../model/id.ts'
import { isAboutFailures, KNOWLEDGE_CHARS_MAX, NO_SUCCESSOR } from '../../model/knowledge.ts'
import { KNOWLEDGE_KINDS, type Memory, PERSONAL_TAG } from '../../model/memory.ts'
import { isInPersonsWords } from '../../model/provenance.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { daysBetween } from '../../model/strength.ts'
import { firstLine } from '../../text/excerpt.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { mayStateLasting } from '../../text/promptText.ts'
import { findTaskReference } from '../../text/taskReference.ts'
import { DONE, listDone, missingStep, NOT_DONE, readOpenLine } from '../../text/taskSentences.ts'
import { optional, text } from '../definition/field.ts'
import { SHORT_CHARS, type ToolOutput } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { entryKeyField } from '../entries/entryTools.ts'
import { memoryIdField, serializeBrief } from '../memory/memoryFields.ts'

export const SCOPES = ['session', 'project', 'person', 'file'] as const
export type Scope = (typeof SCOPES)[number]

export const scopeField = optional(
  text(
    'session: until it ends; project: this one (default); person: all their projects; file: in the repository, for ' +
      'the team',
    { choices: SCOPES },
  ),
)
export const noteKindField = optional(text('As memory_search has it', { choices: KNOWLEDGE_KINDS }))

/** The kind that a note was saved as, which it keeps as a tag. */
const noteKind = ({ kind, tags }: Memory) =>
  kind === 'entry' ? KNOWLEDGE_KINDS.find((name) => tags.includes(name)) : undefined

/** The tags of a note of this kind, by default of the kind it has; undefined if the known ones stay. */
export function tagsOfNote(kind: string | undefined, given: readonly string[] | undefined, known?: Memory) {
  if (kind === undefined && given === undefined) return undefined
  const others = (given ?? known?.tags ?? []).filter((tag) => !KNOWLEDGE_KINDS.some((name) => name === tag))
  return [...others, ...[kind ?? (known && noteKind(known)) ?? []].flat()]
}

/** What only agrees to an offer, and says nothing that lasts. */
const CONSENT =
  /^\W*(?:y(?:es|eah|ep|up)|ok(?:ay)?|sure|fine|agreed|go ahead|do (?:it|that|this)|はい|ええ|了解|お願い)(?![a-z])/i

/** The kind in the words of the everyday tools. What a person agreed to once was decided for that task. */
export function kindOf(memory: Memory): string {
  const { quote = '' } = memory.knowledge ?? {}
  const isAgreedOnce =
    memory.kind === 'preference' && sessionsOf(memory) === 1 && CONSENT.test(quote) && !mayStateLasting(quote)
  return isAgreedOnce ? 'decision' : (noteKind(memory) ?? memory.kind)
}
export const idField = optional(memoryIdField)
export const keyField = optional(entryKeyField)
/** Which of two notes of the same key. */
export const noteScopeField = optional(text('Of the key', { choices: ['file', 'person'] }))

/** Where a memory counts, in the words of the everyday tools. */
export function scopeOf({ entrySource, knowledge, tags, retention }: Memory): Scope {
  if (entrySource?.session !== undefined || retention === 'working') return 'session'
  if (entrySource) return entrySource.layer === 'global' ? 'person' : 'file'
  return knowledge?.scope === 'person' || tags.includes(PERSONAL_TAG) ? 'person' : 'project'
}

/** A task that failed, or a lesson: some say only what to do about a failure. */
const isFailure = (memory: Memory): boolean => memory.outcome === 'failure' || kindOf(memory) === 'lesson'

/** Whether a memory is of one of these kinds, or a note saved as one. */
export const isOfKinds = (kinds: readonly string[], memory: Memory): boolean =>
  kinds.some((kind) => kindOf(memory) === kind || isNoteOf(kind, memory) || (kind === 'failure' && isFailure(memory)))

/** A saved note of that kind; what was saved for all projects of a person is mostly what they want. */
const isNoteOf = (kind: string, memory: Memory): boolean =>
  memory.kind === 'entry' &&
  (kind === 'entry' || memory.tags.includes(kind) || (kind === 'preference' && scopeOf(memory) === 'person'))

/** What is in a file of the project is the project's too. */
export const includesScope = (wanted: Scope, scope: Scope): boolean =>
  scope === wanted || (wanted === 'project' && scope === 'file')

/** The field of the metadata that says why a memory is not used any more. */
export const RETIRED = 'retired'

/**
 * In how many sessions a failure came; of what a person wants, in how many at least it was said or a session was about
 * it. A call that a rule is checked at says nothing of that: every commit is one. Undefined for what somebody saved or
 * asked for.
 */
export function sessionsOf({ knowledge }: Memory): number | undefined {
  if (!knowledge || knowledge.asked) return undefined
  const { met, failed, firedIn = met, brokenBefore, sessions } = knowledge.record
  if (failed === 0 || isAboutFailures(knowledge)) return Math.max(met, sessions.length)
  const byCalls = brokenBefore + Math.min(firedIn, failed - brokenBefore)
  return 1 + Math.max(0, met - byCalls)
}

/** What a session left open: what is open of the items of its summary, and what its first line says more. */
export function listOpenTasks(memory: Memory): readonly string[] {
  const { kind, leftOpen = [] } = memory
  const done = listDone(memory)
  const { line, clauses } = readOpenLine(memory)
  const step = clauses.flatMap((clause) => missingStep(clause) ?? [])[0]
  const isListed = step === undefined ? leftOpen.length > 0 : leftOpen.some((item) => item.toLowerCase().includes(step))
  const stated = kind === 'summary' && !isListed ? clauses.map((clause) => withSubject(clause.trim(), line)) : []
  const open = [...leftOpen.map((item) => openPart(item, memory)), ...stated]
  return open.filter((task) => task !== '' && !done.includes(task))
}

/** What a clause says is not done; without a subject (“not answered yet”) with what is before it. A step needs none. */
const withSubject = (clause: string, line: string): string =>
  missingStep(clause) !== undefined || clause.search(NOT_DONE) > 0
    ? clause
    : (line.split(/[;.。](?:\s|$)/).find((part) => part.includes(clause)) ?? clause).trim()

/** An item without the commit or push that was made since. */
export function openPart(item: string, memory: Memory): string {
  const clauses = listDone(memory).flatMap((content) => readOpenLine({ content, metadata: {} }).clauses)
  const made = clauses.flatMap((clause) => missingStep(clause) ?? [])
  const left = item.split('; ').filter((clause) => !made.includes(missingStep(clause) ?? ''))
  return left.join('; ')
}

/** A memory as the everyday tools answer it, with what it rests on. `now` is in milliseconds since 1970. */
export function serializeEveryday(memory: Memory, now: number, source?: ToolOutput): ToolOutput {
  const { id, entrySource, content, tags, created, updated, supersededBy, commandShape = '', metadata } = memory
  const { met = 0, lastMet } = memory.knowledge?.record ?? {}
  const open = listOpenTasks(memory)
  const days = Math.floor(daysBetween(Date.parse(created), now))
  return {
    id,
    ...(entrySource && { key: entrySource.key }),
    content: entrySource ? entryFromMemory(memory).content : content,
    kind: kindOf(memory),
    scope: scopeOf(memory),
    age: days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`,
    created_at: created,
    ...(updated > created && { updated_at: updated }),
    ...(sessionsOf(memory) !== undefined && { sessions: sessionsOf(memory) }),
    ...(met > 0 && { last_met: lastMet }),
    ...(tags.length > 0 && { tags }),
    ...(supersededBy === NO_SUCCESSOR
      ? { retired: metadata[RETIRED] ?? 'it does not hold any more' }
      : supersededBy !== undefined && { superseded_by: supersededBy }),
    // A variable alone is no command.
    ...(memory.kind === 'lesson' && /^[^$]/.test(commandShape) && { failed: commandShape }),
    ...source,
    ...(open.length > 0 && { left_open: open }),
    ...(metadata[DONE] !== undefined && { done_since: metadata[DONE] }),
    ...(isInPersonsWords(memory) && { said_by_person: true }),
    ...serializeBrief(memory),
    ...(memory.outcome === 'failure' && { outcome: memory.outcome }),
  }
}

export const beginningOf = ({ id, content }: Memory) => ({ id, content: firstLine(content, SHORT_CHARS) })

/** When it was made, its id and its first line. */
export const describeLine = ({ created, id, content }: Memory): string =>
  `${created.slice(0, 10)} ${shortId(id)}: ${firstLine(content, SHORT_CHARS)}`

/** What these memories replace: when each was said, its id and first line, the latest first. */
export function listReplaced(
  { liveStore }: ToolContext,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const superseded = liveStore.memories().select(({ isSuperseded, privacy }) => isSuperseded && privacy === 'public')
  // What nobody was shown is no news.
  const wanted = superseded.filter(({ searchOnly, supersededBy = '' }) => !searchOnly && ids.has(supersededBy))
  const bySuccessor = groupBy(latestFirst(wanted), ({ supersededBy = '' }) => supersededBy)
  return new Map([...bySuccessor].map(([id, memories]) => [id, memories.map(describeLine)]))
}

export const latestFirst = (memories: readonly Memory[]): readonly Memory[] => memories.toSorted(byTime('updated'))

export const byTime = (field: 'created' | 'updated') => (a: Memory, b: Memory) => compareValues(b[field], a[field])

/** The parameters with which the entry tools name an entry. */
export const entryAddress = ({ entrySource }: Memory) => ({
  key: entrySource?.key,
  ...(entrySource?.layer === 'project' && { session_id: entrySource.session }),
})

// What is about the same: it is one result, and what was decided later comes first.

/** A result. */
export interface Shown {
  readonly memory: Memory
  /** How many memories it stands for. */
  readonly count: number
  /** Those of them that say nearly the same in other words. */
  readonly similar: readonly Memory[]
}

/** Memories that begin alike, or found the same way out of another error: they are one result. */
const repeatKey = ({ knowledge, content }: Memory): string =>
  statementKey(knowledge?.ways?.[0]?.way ?? content.slice(0, SHORT_CHARS))

/** The best of those that are one result, and how many of them were found. */
export const groupRepeats = (found: readonly Memory[]): readonly Shown[] =>
  [...groupBy(found, repeatKey).values()].flatMap(([memory, ...others]) =>
    memory ? [{ memory, count: 1 + others.length, similar: [] }] : [],
  )

/** By memory how many of all are one result with it, whatever the query has found. */
export function countRepeats(memories: readonly Memory[], all: readonly Memory[]): ReadonlyMap<Memory, number> {
  const groups = groupBy(all, repeatKey)
  return new Map(memories.map((memory) => [memory, groups.get(repeatKey(memory))?.length ?? 1]))
}

/** What two lines share, 0 to 1: of all their words, and of those of the shorter one. Rare words count more. */
export type Likeness = (a: string, b: string) => { readonly ofAll: number; readonly ofShorter: number }

/** Of all words: they say nearly the same, are about one subject. Of the shorter one's: about the same as a new one. */
const [SIMILAR_SHARE, SUBJECT_SHARE, NEAR_SHARE] = [0.33, 0.28, 0.4]
/** What was decided is seldom the same in other words. */
const SAME_DECISION_SHARE = 0.4
/** What a result names of each sort beside itself. */
const NAMED_MAX = 3

/** What a memory says in one line. */
export const lineOf = ({ knowledge, content }: Memory): string =>
  knowledge?.line ?? firstLine(content, KNOWLEDGE_CHARS_MAX)

/** What is known, without what was done. */
export const listKnown = (context: ToolContext): readonly Memory[] =>
  listVisible(context.liveStore, viewingSession(context)).filter(
    ({ kind }) => kind !== 'experience' && kind !== 'summary',
  )

/** The likeness among the lines of these memories. */
export function openLikeness(memories: readonly Memory[]): Likeness {
  const known = new Map(memories.map((memory) => [lineOf(memory), subjectWords(lineOf(memory))]))
  const wordsOf = (line: string): ReadonlySet<string> => known.get(line) ?? subjectWords(line)
  const counts = new Map<string, number>()
  for (const words of known.values()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weigh = (words: Iterable<string>): number =>
    [...words].reduce((sum, word) => sum + Math.log(1 + (1 + known.size) / (counts.get(word) ?? 1)), 0)
  return (a, b) => {
    const [own, others] = [wordsOf(a), wordsOf(b)]
    const shared = weigh([...own].filter((word) => others.has(word)))
    const [ofOwn, ofOthers] = shared === 0 ? [1, 1] : [weigh(own), weigh(others)]
    return { ofAll: shared / (ofOwn + ofOthers - shared), ofShorter: shared / Math.min(ofOwn, ofOthers) }
  }
}

/**
 * The first results. What says nearly the same in other words is named there: of what was decided at the latest. What
 * was decided later about a subject comes before what was decided earlier.
 */
export function selectShown(groups: readonly Shown[], limit: number, alike: Likeness): readonly Shown[] {
  const shown: Shown[] = []
  for (const group of groups) {
    const at = shown.findIndex(
      ({ memory, similar }) => similar.length < NAMED_MAX && isSimilar(memory, group.memory, alike),
    )
    const same = shown[at]
    if (same) {
      const [first, second] = isLater(group.memory, same.memory)
        ? [group.memory, same.memory]
        : [same.memory, group.memory]
      shown[at] = { memory: first, count: same.count + group.count, similar: [...same.similar, second] }
    } else if (shown.length < limit) shown.push(group)
  }
  return shown
}

/** Lines that say what worked at a failure are alike in what is said of the failure. */
function isSimilar(a: Memory, b: Memory, alike: Likeness): boolean {
  const least = isStatement(a) ? SAME_DECISION_SHARE : SIMILAR_SHARE
  const isComparable = a.knowledge && b.knowledge && !(a.knowledge.ways ?? b.knowledge.ways)
  return isComparable !== undefined && isComparable && alike(lineOf(a), lineOf(b)).ofAll >= least
}

/** What is decided, wanted or so: a later one about the same subject may end it. */
const isStatement = (memory: Memory): boolean => isOfKinds(['decision', 'preference', 'fact'], memory)

const isLater = (later: Memory, memory: Memory): boolean =>
  isStatement(later) && isStatement(memory) && later.created > memory.created

/** Whether a memory is what was decided later about the subject of another one. */
const isLaterOn = (later: Memory, memory: Memory, alike: Likeness): boolean =>
  isLater(later, memory) && alike(lineOf(later), lineOf(memory)).ofAll >= SUBJECT_SHARE

/** What of all that is known was decided later about the subject of a memory, the latest first. */
export function describeLater(memory: Memory, known: readonly Memory[], alike: Likeness): ToolOutput {
  const later = known.filter((each) => isLaterOn(each, memory, alike))
  return later.length > 0 ? { later_on_this: latestFirst(later).slice(0, NAMED_MAX).map(describeLine) } : {}
}

/** What says nearly the same as a result; what was decided is the latest of them. */
export const describeSimilar = (memory: Memory, similar: readonly Memory[]): ToolOutput =>
  similar.length > 0 ? { [isStatement(memory) ? 'earlier_on_this' : 'similar']: similar.map(describeLine) } : {}

/** The results, with what was decided later before what was decided earlier about the same. */
export function putLaterFirst(shown: readonly Shown[], alike: Likeness): readonly Shown[] {
  const ordered: Shown[] = []
  for (const each of shown) {
    const earlier = ordered.findIndex(({ memory }) => isLaterOn(each.memory, memory, alike))
    ordered.splice(earlier < 0 ? ordered.length : earlier, 0, each)
  }
  return ordered
}

/** What is about the same as a text, the most alike first: by words, or as it names another tool for the same work. */
export function findAlike(content: string, memories: readonly Memory[]): readonly Memory[] {
  const alike = openLikeness(memories)
  const line = firstLine(content, KNOWLEDGE_CHARS_MAX)
  const avoided = listAvoided(line)
  const isOfWork = (memory: Memory): boolean =>
    memory.kind !== 'lesson' && listAvoided(lineOf(memory)).some((name) => avoided.includes(name))
  const shares = memories.map((memory) => ({
    memory,
    share: isOfWork(memory) ? 1 : alike(line, lineOf(memory)).ofShorter,
  }))
  const near = shares.filter(({ share }) => share >= NEAR_SHARE).sort((x, y) => y.share - x.share)
  return near.slice(0, NAMED_MAX).map(({ memory }) => memory)
}

/** The tools that a text excludes by naming another one for the same work. */
const listAvoided = (line: string): readonly string[] =>
  triggersOfRule(line).flatMap(({ has = [], unless = [] }) => (unless.length > 0 ? has : []))

// What a session left open, and what later work says of it.

/** The share of a task's words, the rare ones more, from which later work may have done it. */
const MOST_SHARE = 0.5
/** And what both lines share of all their words, if they have a subject in common. */
const COMMON_SHARE = 0.12
/** The same if later work was on the issue or a file that the task names: it says the rest in other words. */
const SOME_SHARE = 0.3
/** The latest sessions of which later work is looked for: it costs a search for each task. */
const COMPARED_MAX = 50

/** What a session left open, and what of it later work may have done. */
export interface OpenWork {
  readonly left_open: readonly string[] | undefined
  readonly perhaps_done?: readonly { readonly task: string; readonly later_work: readonly string[] }[]
}

/** Whether a memory is of the issue that a task names, or changed a file that it names. */
function isOnSame(task: string, { taskId, content, editedFiles = [] }: Memory): boolean {
  const reference = findTaskReference(task)
  const files = findFilePaths(task)
  const isOfIssue = reference !== undefined && (taskId === reference || content.includes(reference))
  return isOfIssue || editedFiles.some((file) => files.some((named) => `/${file}`.endsWith(`/${named}`)))
}

/** By memory what its session left open, and what of it may be done: the latest ones only. */
export async function findOpenWork(
  found: readonly Memory[],
  context: ToolContext,
  alike: Likeness,
): Promise<ReadonlyMap<Memory, OpenWork>> {
  const { hybridSearch } = await import('../../broker/search/hybridSearch.ts')
  const viewing = viewingSession(context)
  const findLater = async (task: string, left: Memory): Promise<readonly string[]> => {
    // “Not pushed” has no subject that later work could share.
    if (subjectWords(task.replace(NOT_DONE, '')).size === 0) return []
    const passes = (memory: Memory): boolean =>
      isOfKinds(['summary', 'experience'], memory) && memory.session !== left.session && memory.created > left.created
    const limits = { topK: COMPARED_MAX, similarityMin: SOME_SHARE, passes, mode: 'keyword' } as const
    const hits = await hybridSearch(context.liveStore, { ...viewing, ...limits, query: task })
    const isOnSubject = (memory: Memory): boolean => alike(task, lineOf(memory)).ofAll >= COMMON_SHARE
    const later = hits.filter(
      ({ memory, similarity }) => isOnSame(task, memory) || (similarity >= MOST_SHARE && isOnSubject(memory)),
    )
    return later.slice(0, NAMED_MAX).map(({ memory }) => describeLine(memory))
  }
  const work = new Map<Memory, OpenWork>()
  for (const memory of found.slice(0, COMPARED_MAX)) {
    const tasks = await Promise.all(
      listOpenTasks(memory).map(async (task) => ({ task, later_work: await findLater(task, memory) })),
    )
    const left = tasks.filter(({ later_work: later }) => later.length === 0).map(({ task }) => task)
    const done = tasks.filter(({ task }) => !left.includes(task))
    work.set(memory, {
      left_open: left.length > 0 ? left : undefined,
      ...(done.length > 0 && { perhaps_done: done }),
    })
  }
  return work
}
