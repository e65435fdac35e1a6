// The search that a model gets by default: by words and meaning, or the latest, over memories, entries, what the person
// said in other projects, and the archive.
import { memoryFromInput } from '../../broker/commands/newMemory.ts'
import { listArchivedEntries } from '../../broker/entries/entryArchive.ts'
import { memoryFromEntry } from '../../broker/entries/syncEntries.ts'
import { type LiveStore, listVisible, type ViewingSession, visibilityFilter } from '../../broker/live/liveStore.ts'
import { isDoubtful } from '../../broker/projection/knowledgeFile.ts'
import { addPersonNotes } from '../../broker/projection/personFile.ts'
import { listOpenTasks } from '../../broker/queries/laterWork.ts'
import { namesOnlyFile } from '../../knowledge/overcomeFailures.ts'
import { isAgentReport, kindOfKnowledge, MEMORY_KINDS, type Memory, PERSONAL_TAG } from '../../model/memory.ts'
import { isInPersonsWords } from '../../model/provenance.ts'
import { missingStep } from '../../text/taskSentences.ts'
import { flag, type InputOf, integer, list, optional, text, withDefault } from '../definition/field.ts'
import { defineModelTool, type ToolOutput, truncateContents } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { countTexts } from '../entries/entryTools.ts'
import { DAY, parseEnd, parseTime } from '../memory/memoryFields.ts'
import {
  byTime,
  describeArchived,
  findOpenWork,
  includesScope,
  isOfKinds,
  kindOf,
  latestFirst,
  listReplaced,
  NAMED_MAX,
  type OpenWork,
  SCOPES,
  scopeOf,
  serializeEveryday,
  sessionsOf,
  withoutOpen,
} from './everydayFields.ts'
import {
  asksForEverything,
  asksForFailures,
  asksForSources,
  findForms,
  findLonger,
  findOfFile,
  findUnmatchedWords,
  plainQuery,
  putKindFirst,
  readQuestion,
  type WordForms,
  weighFor,
} from './question.ts'
import {
  describeLater,
  groupRepeats,
  isStatement,
  laterFinder,
  listKnown,
  mergeSubjects,
  splitSubjects,
} from './sameSubject.ts'
import { listChangedFiles, listCommands, listOtherFailures, listSources } from './sources.ts'

/** Results, those that are left out before them, and those that are counted: more are too many to look at. */
const [LIMIT, LIMIT_MAX, OFFSET_MAX, COUNTED_MAX] = [10, 100, 10_000, 400]
/** Open sessions that are compared with all later work, and results with what was said then: 1,200 characters each. */
const [COMPARED_MAX, SOURCES_MAX] = [50, 10]

const kindsField = list(
  'preference: what a person wants; decision, fact; lesson: a solved error; ' +
    'summary: of a session; experience: a task; entry: a note; failure: failed tasks, lessons',
  text('Kind', { choices: [...MEMORY_KINDS.filter((kind) => kind !== 'consolidated'), 'failure'] }),
)

const FIELDS = {
  query: optional(text('What to look for, else the latest')),
  /** Earlier versions took one kind, as a text. */
  kind: optional({ ...kindsField, read: (value, name) => kindsField.read([value].flat(), name) }),
  scope: optional(text('Only this one', { choices: SCOPES })),
  since: optional(text('Changed since: today, yesterday, 7d or 2026-03-01')),
  until: optional(text('Until then, days included')),
  tags: optional(list('All of these', text('Tag'))),
  open: optional(flag('Only open work')),
  sort: optional(text('By creation or sessions', { choices: ['newest', 'oldest', 'most'] as const })),
  archived: optional(flag('Only archived')),
  limit: optional(integer(`Results (${LIMIT})`, { min: 1, max: LIMIT_MAX })),
  offset: withDefault(integer('Skip', { min: 0, max: OFFSET_MAX }), 0),
}

type Input = InputOf<typeof FIELDS>

const OF_TIME = 'None of this time has words of the query. Listed is all of this time.'
const UNKNOWN_TIME = 'The time of the query is not known: give since and until.'
const NONE_HAS_WORDS = 'Nothing known has words of the query. Listed is what has words near them: it may not fit.'
const HALF_HAVE = 'Nothing known has the unmatched words. Listed is what has others of the query: it may not answer it.'

export const everydaySearch = defineModelTool({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'Search what people and earlier sessions left: wishes, decisions, fixes, work, notes. Use it before you ask the ' +
    'person, and at familiar errors. Returns beginnings; memory_get the whole. sessions: how many said or met it; ' +
    'ask also why, what failed, how to run checks, what was changed later.',
  group: 'memory',
  alwaysLoad: true,
  effect: 'counts',
  shorten: truncateContents('results'),
  input: FIELDS,
  async handle(given, context) {
    const input = readQuestion(given, context)
    const forms = await findForms(plainQuery(input.query), context)
    const known = listKnown(context)
    const findLater = laterFinder(known)
    const ids = new Set<string>(known.map(({ id }) => id))
    const replaced = listReplaced(context, ids, input.isOfChanges ? isStatement : undefined)
    const isWanted = (memory: Memory): boolean =>
      !input.isOfChanges || replaced.has(memory.id) || findLater(memory).length > 0
    const found = await findMemories(given, { ...input, isWanted }, forms, context)
    const work = findOpenWork(input.open ? found.memories.slice(0, COMPARED_MAX) : [], context)
    const sorted = sortFound(found.memories, input, work)
    const isAll = given.sort === undefined && asksForEverything(given.query)
    const isAdded = ({ id, kind }: Memory): number =>
      Number((input.isOfChanges && !replaced.has(id)) || (isAll && (kind === 'summary' || kind === 'experience')))
    const groups = groupRepeats(sorted.toSorted((a, b) => isAdded(a) - isAdded(b)))
    const isEmpty = groups.length === 0
    const nowhere = isEmpty ? [] : findUnmatchedWords(plainQuery(input.query), forms, found.memories)
    const unmatched = nowhere.filter((word) => !input.unknownTime?.toLowerCase().includes(word))
    // Of a question of which half the words are nowhere the others say little.
    const isLoose = unmatched.length > 0 && unmatched.length * 2 >= forms.size
    const end = input.offset + (input.limit ?? (isLoose ? NAMED_MAX : LIMIT))
    const shown = groups.slice(input.offset, end)
    const { recordFound } = await import('../../broker/entries/searchEntries.ts')
    // What is archived is not in use.
    const used = found.isArchived ? [] : shown.map((memory) => ({ memory }))
    recordFound(context.store, used, context.now())
    const isAboutFailures = asksForFailures({ ...given, kind: input.kind })
    const rests = ({ kind }: Memory, i: number): boolean =>
      (asksForSources(given.query) && i < SOURCES_MAX) || (isAboutFailures && kind === 'lesson')
    const results = serializeShown(shown, { isArchived: found.isArchived, rests, replaced, findLater }, context)
    const isCounted = input.query === undefined || found.memories.length < COUNTED_MAX
    const { query, kind, scope, since, until, tags } = input
    const isFiltered =
      (input.open ?? input.isOfChanges) || [query, kind, scope, since, until, tags].some((value) => value !== undefined)
    const isUnknown = input.unknownTime && (!query || unmatched.length < nowhere.length) && UNKNOWN_TIME
    const hint = isUnknown || (found.isOfTime ? OF_TIME : unmatched.length === forms.size ? NONE_HAS_WORDS : HALF_HAVE)
    return {
      ...listCommands(given.query ?? '', context),
      ...listChangedFiles(given.query ?? '', context),
      ...(since !== given.since && { since, until }),
      results,
      ...(isAboutFailures && listOtherFailures(forms, shown, context)),
      total: isCounted ? groups.length : `more than ${COUNTED_MAX}`,
      ...(isCounted && groups.length > LIMIT && { kinds: countTexts(groups.map(kindOf)) }),
      ...(end < groups.length && end <= OFFSET_MAX && { more: `There are more: offset ${end}.` }),
      ...(!isEmpty && (isUnknown || isLoose || (found.isOfTime && forms.size > 0)) && { hint }),
      ...(unmatched.length > 0 && { unmatched_words: unmatched }),
      ...((isEmpty || isLoose || !isFiltered) && (await describeContents(input, context, isEmpty))),
    }
  },
})

/** What answers a question: by its words, else from the archive, else all of its time. */
async function findMemories(
  given: Input,
  input: Input & { readonly isWanted: (memory: Memory) => boolean },
  forms: WordForms,
  context: ToolContext,
) {
  const isFound = createFilter(input, context.now())
  // “What is not pushed” asks for one step of open work.
  const step = input.open ? missingStep(given.query ?? '') : undefined
  const isOfStep = (memory: Memory): boolean => listOpenTasks(memory).some((task) => missingStep(task) === step)
  const passes = (memory: Memory): boolean =>
    isFound(memory) && input.isWanted(memory) && (step === undefined || isOfStep(memory))
  const text = input.query && [plainQuery(input.query), ...new Set([...forms.values()].flat())].join(' ')
  const active = input.archived ? [] : await findActive({ ...input, text }, context, passes)
  if (active.length > 0) {
    return { memories: asksForFailures(given) ? preferFailures(active) : active, isArchived: false, isOfTime: false }
  }
  const archive = listArchived(context).filter(passes)
  const archived = text === undefined ? latestFirst(archive) : await rankByWords(archive, text, context)
  // "What did we achieve yesterday" has no word of what was done.
  const isOfTime = archived.length === 0 && (input.since ?? input.until) !== undefined
  const ofTime = isOfTime ? await findActive({ ...input, query: undefined }, context, passes) : []
  return { memories: [...archived, ...ofTime], isArchived: archived.length > 0, isOfTime }
}

/** So many failures answer what failed; else what is near to it is listed, too. */
const FAILURES_MIN = 3

/** What answers what failed: of a wish or a decision mostly nothing, but they stay if nothing else is found. */
function preferFailures(found: readonly Memory[]): readonly Memory[] {
  const failures = found.filter((memory) => isOfKinds(['failure'], memory))
  const near = found.filter((memory) => !isOfKinds(['preference', 'decision'], memory))
  return failures.length >= FAILURES_MIN ? failures : near.length > 0 ? near : found
}

function serializeShown(
  shown: readonly Memory[],
  how: {
    readonly isArchived: boolean
    readonly rests: (memory: Memory, i: number) => boolean
    readonly replaced: ReturnType<typeof listReplaced>
    readonly findLater: ReturnType<typeof laterFinder>
  },
  context: ToolContext,
): readonly ToolOutput[] {
  const work = findOpenWork(shown, context)
  const sources = listSources(shown.filter(how.rests), context)
  return shown.map((memory) => ({
    ...serializeEveryday(withoutOpen(memory), context.now(), sources.get(memory)),
    ...work.get(memory),
    ...(how.replaced.has(memory.id) && { replaces: how.replaced.get(memory.id) }),
    ...describeLater(how.findLater(memory)),
    ...(how.isArchived && describeArchived(memory, context)),
  }))
}

/** In how many sessions it came up; what somebody saved is there to last. */
const countSessions = (memory: Memory): number =>
  sessionsOf(memory) ?? (isOfKinds(['preference', 'lesson'], memory) ? Number.MAX_SAFE_INTEGER : 0)

/** What comes first where all are asked for: of a time what sessions did, of wishes and failures what most met. */
function rankOfAll({ kind, since, until }: Partial<Input>): ((memory: Memory) => number) | undefined {
  if (kind?.every((each) => each === 'preference' || each === 'failure')) return countSessions
  const isOfTime = kind === undefined && (since ?? until) !== undefined
  return isOfTime ? (memory) => Number(memory.kind === 'summary') : undefined
}

/** Throws INPUT_INVALID for a `since` or `until` that is no time. */
function createFilter(
  { kind, scope, since, until, tags, open }: Partial<Input>,
  now: number,
): (memory: Memory) => boolean {
  const sinceMs = since === undefined ? 0 : parseTime('since', since, now)
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parseEnd(until, now)
  const isWithin = (time: string): boolean => Date.parse(time) >= sinceMs && Date.parse(time) < untilMs
  // A session that ended after midnight was work of that day too. An exact time is the end of the results before.
  const isOfDay = until !== undefined && DAY.test(until)
  return (memory) =>
    !(memory.knowledge && isDoubtful(memory.knowledge)) &&
    !saysNothing(memory) &&
    (!open || listOpenTasks(memory).length > 0) &&
    (kind === undefined || isOfKinds(kind, memory)) &&
    (scope === undefined || includesScope(scope, scopeOf(memory))) &&
    (isWithin(memory.updated) || (isOfDay && isWithin(memory.created))) &&
    (tags?.every((tag) => memory.tags.includes(tag)) ?? true)
}

/** A task of which neither what was asked nor what came of it is known. */
const saysNothing = ({ kind, searchOnly, content, tags }: Memory): boolean =>
  kind === 'experience' && searchOnly === true && !isAgentReport({ tags }) && !content.includes(' → ')

async function findActive(
  input: Partial<Input> & { readonly text?: string | undefined },
  context: ToolContext,
  passes: (memory: Memory) => boolean,
): Promise<readonly Memory[]> {
  const viewing = viewingSession(context)
  const isVisible = visibilityFilter(viewing)
  const explained = findExplained(context, (memory) => isVisible(memory) && passes(memory))
  const said = readPersonNotes(context).filter(passes)
  const { query, text } = input
  if (query === undefined || text === undefined) {
    const isWanted = (memory: Memory) => !memory.questionOnly && !explained.has(memory.id) && passes(memory)
    const latest = latestFirst([...said, ...listVisible(context.liveStore, viewing).filter(isWanted)])
    const rank = rankOfAll(input)
    return rank ? latest.toSorted((a, b) => rank(b) - rank(a)) : latest
  }
  const [{ openQueryEmbedder }, { hybridSearch }] = await Promise.all([
    import('../../broker/embedding/configuredEmbedder.ts'),
    import('../../broker/search/hybridSearch.ts'),
  ])
  const embedder = await openQueryEmbedder(context.store, context.env)
  const find = async (words: string, subject: string): Promise<readonly Memory[]> => {
    const request = {
      ...viewing,
      query: words,
      mode: 'hybrid',
      keywordWeight: 0.5,
      // More than asked for: repeats are shown once, and an answer says how many there are.
      topK: COUNTED_MAX,
      signal: context.signal,
      passes,
      shareOf: weighFor(query, subject, explained),
    } as const
    const hits = await hybridSearch(context.liveStore, request, embedder)
    return putKindFirst(
      query,
      hits.map(({ memory }) => memory),
    )
  }
  const ofFile = findOfFile(query, context, passes)
  if (ofFile.isOnly) return ofFile.memories
  const bySubject = await Promise.all(splitSubjects(query).map((subject) => find(subject, subject)))
  const hits = mergeSubjects(query, await find(text, plainQuery(query)), bySubject)
  const found = [...(await rankByWords(said, text, context)), ...hits]
  const longer = await findLonger(plainQuery(query), context, passes)
  const byWords = longer.isOnly ? [...longer.memories, ...found] : [...found, ...longer.memories]
  const isOfFile = new Set(ofFile.memories)
  const all = [...byWords.filter((memory) => isOfFile.has(memory)), ...ofFile.memories, ...byWords]
  const best = putKindFirst(query, all).map((memory) => explained.get(memory.id) ?? memory)
  return [...new Map(best.map((memory) => [memory.id, memory])).values()]
}

/** The lessons that say what to do, by the id of one of the same failure with only a file, which finds them. */
function findExplained({ liveStore }: ToolContext, passes: (memory: Memory) => boolean): ReadonlyMap<string, Memory> {
  const active = liveStore.memories().select(({ kind, status }) => kind === 'lesson' && status === 'active')
  const lessons = active.filter(passes)
  const advice = lessons.filter((memory) => !namesOnlyFile(memory))
  const byEvent = new Map(advice.flatMap((memory) => memory.events.map((event) => [event, memory])))
  return new Map(
    lessons.filter(namesOnlyFile).flatMap(({ id, events, content }) => {
      const explained = events.flatMap((event) => byEvent.get(event) ?? [])[0]
      return explained ? [[id, { ...explained, searchText: content }]] : []
    }),
  )
}

const NOTE_FIELDS = { contentType: 'text', retention: 'long_term', tags: [PERSONAL_TAG], metadata: {} } as const

/** What the person said about all projects in other ones, as memories of this project would have it. */
const readPersonNotes = (context: ToolContext): readonly Memory[] =>
  addPersonNotes(context.store, []).map(({ id, line, type, lastMet }) => ({
    ...memoryFromInput({ ...NOTE_FIELDS, id, content: line, now: Date.parse(lastMet) }),
    kind: kindOfKnowledge(type),
    provenance: 'person',
  }))

/** Memories that age, use or a successor has ended, and entries of the clean-up, as far as the caller may see them. */
function listArchived(context: ToolContext): readonly Memory[] {
  const now = context.now()
  const files = (['project', 'global'] as const).flatMap((layer) => listArchivedEntries(context.store, { layer }))
  const entries = files.map((file) => memoryFromEntry(file.entry, { ...file, mtimeMs: file.writtenMs }, now))
  return [...listArchivedMemories(context.liveStore, viewingSession(context)), ...entries]
}

/** The archived memories that the caller might see if they were active. */
export function listArchivedMemories(liveStore: LiveStore, viewing: ViewingSession): readonly Memory[] {
  const isVisible = visibilityFilter(viewing)
  const archived = [...liveStore.memories().values()].filter(({ status }) => status === 'archived')
  return archived.filter((memory) => isVisible({ ...memory, status: 'active' }))
}

/** With what they have replaced, which a search would find in their place; what a person has said stays. */
export function withReplaced(named: readonly Memory[], context: ToolContext): readonly Memory[] {
  const archived = listArchived(context).filter((memory) => !isInPersonsWords(memory))
  const all = new Set(named)
  for (const { id } of all) for (const each of archived) if (each.supersededBy === id) all.add(each)
  return [...all]
}

/** Memories outside of the index, best first. */
async function rankByWords(memories: readonly Memory[], text: string, { store, now }: ToolContext) {
  if (memories.length === 0) return []
  const [{ searchEntries }, { readerFromMemories }] = await Promise.all([
    import('../../broker/entries/searchEntries.ts'),
    import('../../broker/search/liveIndex.ts'),
  ])
  const active = memories.map((memory): Memory => ({ ...memory, status: 'active' }))
  const found = searchEntries(store, readerFromMemories(active), active, { text, limit: COUNTED_MAX, now: now() })
  return found.map((memory) => memories[active.indexOf(memory)] ?? memory)
}

/**
 * Each result was changed at its time; the order that is asked for is that in which they were made. Of open work what
 * nobody has touched since comes first.
 */
function sortFound(found: readonly Memory[], { sort }: Input, work: ReadonlyMap<Memory, OpenWork>): readonly Memory[] {
  const isTouched = (memory: Memory): boolean => work.get(memory)?.left_open === undefined
  if (sort === undefined) return found.toSorted((a, b) => Number(isTouched(a)) - Number(isTouched(b)))
  if (sort === 'most') return found.toSorted((a, b) => (sessionsOf(b) ?? 0) - (sessionsOf(a) ?? 0))
  const newestFirst = found.toSorted(byTime('created'))
  return sort === 'newest' ? newestFirst : newestFirst.toReversed()
}

/** Tags that an empty answer names. */
const TAGS_SHOWN = 10

/** What there is in all, also for a caller that has found nothing. */
async function describeContents({ query, since }: Input, context: ToolContext, isEmpty: boolean): Promise<ToolOutput> {
  const memories = await findActive({}, context, createFilter({}, context.now()))
  const start = since === undefined ? 0 : parseTime('since', since, context.now())
  const before = latestFirst(memories).find(({ updated }) => Date.parse(updated) < start)
  return {
    known: {
      memories: memories.length,
      kinds: countTexts(memories.map(kindOf)),
      scopes: countTexts(memories.map(scopeOf)),
      tags: Object.keys(countTexts(memories.flatMap(({ tags }) => tags))).slice(0, TAGS_SHOWN),
      archived: listArchivedMemories(context.liveStore, viewingSession(context)).length,
      newest: latestFirst(memories)[0]?.updated,
    },
    ...(isEmpty && {
      hint:
        memories.length === 0
          ? 'Nothing is stored for this project yet.'
          : query === undefined && before
            ? `Nothing is known of this time; the latest before it is of ${before.updated.slice(0, 10)}.`
            : 'Try other words, in the language of the memories, or fewer filters; without both you get the latest.',
    }),
  }
}
