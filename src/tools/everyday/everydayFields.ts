// What the five everyday tools share. One search, get, save, delete and restore do for a model what the source
// documents spread over thirty names, which `--tools all` has: a model chooses better among few, and each costs tokens.
import { listVisible, visibilityFilter } from '../../broker/live/liveStore.ts'
import { laterWorkFinder, listOpenTasks, nameItem } from '../../broker/queries/laterWork.ts'
import { entryFromMemory } from '../../entries/entry.ts'
import { contradicts } from '../../knowledge/compareRules.ts'
import { type MemoryId, shortId } from '../../model/id.ts'
import { isAboutFailures, isPersonsText, KNOWLEDGE_CHARS_MAX, NO_SUCCESSOR } from '../../model/knowledge.ts'
import { findLatest, KNOWLEDGE_KINDS, type Memory, PERSONAL_TAG } from '../../model/memory.ts'
import { isInPersonsWords } from '../../model/provenance.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { daysBetween } from '../../model/strength.ts'
import { firstLine } from '../../text/excerpt.ts'
import { mayStateLasting } from '../../text/promptText.ts'
import { DONE, listDone, readOpenLine } from '../../text/taskSentences.ts'
import { invalidInput, optional, text } from '../definition/field.ts'
import { SHORT_CHARS, type ToolOutput } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { entryKeyField } from '../entries/entryTools.ts'
import { memoryIdField, requireMemory, serializeBrief } from '../memory/memoryFields.ts'

/** What a result names of each sort beside itself. */
export const NAMED_MAX = 3

export const SCOPES = ['session', 'project', 'person', 'file'] as const
export type Scope = (typeof SCOPES)[number]

export const scopeField = optional(
  text(
    'session: until it ends; project: this one (default); person: all their projects; file: in the repository, for ' +
      'the team (with an id and no content, that memory), until the person deletes it',
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

/** Closes tasks that a session left open. Nothing is closed if one of them is not open. */
export function closeTasks(done: readonly string[], id: string | undefined, context: ToolContext): ToolOutput {
  const summary = id === undefined ? undefined : requireMemory(context, id)
  const open = summary ? listOpenTasks(summary) : []
  const unknown = done.filter((task) => !open.includes(task))
  if (!summary || unknown.length > 0) {
    const what = summary ? `${summary.id} has no open task ${JSON.stringify(unknown[0])}` : 'No summary is named'
    throw invalidInput(what, 'memory_search with open true returns each id with its left_open: give these texts.')
  }
  const isLeft = (task: string): boolean => !done.includes(task)
  const { id: memory, leftOpen = [] } = summary
  const left = leftOpen.filter((item) => isLeft(nameItem(item, summary)))
  const said = done.filter((task) => leftOpen.every((item) => nameItem(item, summary) !== task))
  const metadata = said.length > 0 ? { [DONE]: [...listDone(summary), ...said] } : undefined
  context.commit({ kind: 'memory.updated', change: { memory, leftOpen: left, metadata } })
  return { saved: true, id: memory, done, left_open: open.filter(isLeft) }
}

/** What a session left open, and what of it later work may have done. */
export interface OpenWork {
  readonly left_open: readonly string[] | undefined
  readonly perhaps_done?: readonly { readonly task: string; readonly later_work: readonly string[] }[]
}

/** What later work is looked for among: the latest summaries and tasks. The time grows with their number. */
const WORK_MAX = 500

/** By memory what its session left open, and what of it may be done. */
export function findOpenWork(found: readonly Memory[], context: ToolContext): ReadonlyMap<Memory, OpenWork> {
  const open = found.map((memory) => [memory, listOpenTasks(memory)] as const)
  const visible = open.some(([, tasks]) => tasks.length > 0)
    ? latestFirst(listVisible(context.liveStore, viewingSession(context)))
    : []
  const work = visible.filter((memory) => isOfKinds(['summary', 'experience'], memory)).slice(0, WORK_MAX)
  const findLater = laterWorkFinder(work, visible)
  return new Map(
    open.map(([memory, tasks]) => {
      const later = tasks.map((task) => ({ task, work: findLater(task, memory).slice(0, NAMED_MAX) }))
      const left = later.flatMap(({ task, work }) => (work.length > 0 ? [] : task))
      const done = later.flatMap(({ task, work }) =>
        work.length > 0 ? { task, later_work: work.map(describeLine) } : [],
      )
      return [memory, { left_open: left.length > 0 ? left : undefined, ...(done.length > 0 && { perhaps_done: done }) }]
    }),
  )
}

/** A memory as the everyday tools answer it, with what it rests on. `now` is in milliseconds since 1970. */
export function serializeEveryday(memory: Memory, now: number, source?: ToolOutput): ToolOutput {
  const { id, entrySource, tags, created, updated, supersededBy, commandShape = '', metadata } = memory
  const { met = 0, lastMet } = memory.knowledge?.record ?? {}
  const open = listOpenTasks(memory)
  const done = listDone(memory)
  const days = Math.floor(daysBetween(Date.parse(created), now))
  return {
    id,
    ...(entrySource && { key: entrySource.key }),
    content: textOf(memory),
    kind: kindOf(memory),
    scope: scopeOf(memory),
    age: days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`,
    created_at: created,
    ...(updated > created && { updated_at: updated }),
    ...(sessionsOf(memory) !== undefined && { sessions: sessionsOf(memory) }),
    ...(met > 0 && { last_met: lastMet }),
    ...(tags.length > 0 && { tags }),
    ...(supersededBy === NO_SUCCESSOR && { retired: metadata[RETIRED] ?? 'it does not hold any more' }),
    // A variable alone is no command.
    ...(memory.kind === 'lesson' && /^[^$]/.test(commandShape) && { failed: commandShape }),
    ...source,
    ...(open.length > 0 && { left_open: open }),
    ...(done.length > 0 && { done_since: done.flatMap((text) => nameSteps(text, memory)) }),
    ...(isInPersonsWords(memory) && { said_by_person: true, ...(!isQuote(memory) && { as_understood: true }) }),
    ...serializeBrief(memory),
    // What of a session failed is not known.
    ...(memory.outcome === 'failure' && memory.kind !== 'summary' && { outcome: memory.outcome }),
  }
}

/** A summary without the lines of what is open, which `left_open` has. */
export const withoutOpen = (memory: Memory): Memory =>
  memory.leftOpen?.length ? { ...memory, content: memory.content.replace(/\nOpen: .*/g, '') } : memory

/** Of a summary’s first line only what it says is not done. */
function nameSteps(done: string, { content }: Memory): readonly string[] {
  const { line, clauses } = readOpenLine({ content, metadata: {} })
  return done === line && clauses.length > 0 ? clauses.map((clause) => clause.trim()) : [done]
}

/** Whether the text is what the person said, and not what a model made of it. */
const isQuote = ({ knowledge }: Memory): boolean =>
  knowledge === undefined || isPersonsText(knowledge) || knowledge.quote === knowledge.line

/** Of a note without its key. */
export const textOf = (memory: Memory): string =>
  memory.entrySource ? entryFromMemory(memory).content : memory.content

/** What it says in one line. */
export const lineOf = ({ knowledge, content }: Memory): string =>
  knowledge?.line ?? firstLine(content, KNOWLEDGE_CHARS_MAX)

export const beginningOf = ({ id, content }: Memory) => ({ id, content: firstLine(content, SHORT_CHARS) })

/** When it was made, its id and its first line. */
export const describeLine = ({ created, id, content }: Memory): string =>
  `${created.slice(0, 10)} ${shortId(id)}: ${firstLine(content, SHORT_CHARS)}`

/** What these memories replace, when one of the two is such: a lesson by a lesson is only said better. Latest first. */
export function listReplaced(
  { liveStore }: ToolContext,
  ids: ReadonlySet<string>,
  isOf: (memory: Memory) => boolean = () => true,
): ReadonlyMap<string, readonly string[]> {
  const memories = liveStore.memories()
  const superseded = memories.select(({ isSuperseded, privacy }) => isSuperseded && privacy === 'public')
  // What nobody was shown is no news.
  const wanted = superseded.filter((memory) => {
    const id = memory.supersededBy as MemoryId
    const later = memory.searchOnly || !ids.has(id) ? undefined : memories.get(id)
    return later && (isOf(memory) || isOf(later)) && !isRewording(memory, later)
  })
  const bySuccessor = groupBy(latestFirst(wanted), ({ supersededBy = '' }) => supersededBy)
  return new Map([...bySuccessor].map(([id, replaced]) => [id, replaced.map(describeLine)]))
}

/** What came of the same words of the person says the same, better; one message may also have two wishes. */
const isRewording = (memory: Memory, later: Memory): boolean =>
  later.created === memory.created &&
  !(memory.knowledge && later.knowledge && contradicts(later.knowledge, memory.knowledge))

/** What is used in place of an archived memory, if the caller may see it. */
export function describeArchived(memory: Memory, context: ToolContext): ToolOutput {
  const later = findLatest(memory, context.liveStore.memories())
  if (!later || !visibilityFilter(viewingSession(context))(later)) return { archived: true }
  return { archived: true, [isRewording(memory, later) ? 'reworded_as' : 'superseded_by']: describeLine(later) }
}

export const latestFirst = (memories: readonly Memory[]): readonly Memory[] => memories.toSorted(byTime('updated'))

export const byTime = (field: 'created' | 'updated') => (a: Memory, b: Memory) => compareValues(b[field], a[field])

/** The parameters with which the entry tools name an entry. */
export const entryAddress = ({ entrySource }: Memory) => ({
  key: entrySource?.key,
  ...(entrySource?.layer === 'project' && { session_id: entrySource.session }),
})
