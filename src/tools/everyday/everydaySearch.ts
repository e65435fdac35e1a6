// The search that a model gets by default: by words and meaning, or the latest, over memories, entries, what the person
// said in other projects, and the archive.
import { type LiveStore, listVisible, type ViewingSession, visibilityFilter } from '../../broker/live/liveStore.ts'
import { isDoubtful } from '../../broker/projection/knowledgeFile.ts'
import { addPersonNotes } from '../../broker/projection/personFile.ts'
import { kindOfKnowledge, MEMORY_KINDS, type Memory, PERSONAL_TAG } from '../../model/memory.ts'
import { firstLine } from '../../text/excerpt.ts'
import { parseCalendarTime } from '../../text/isoTime.ts'
import { splitPlainWords } from '../../text/similarity.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { flag, type InputOf, integer, invalidInput, list, optional, text, withDefault } from '../definition/field.ts'
import { defineModelTool, SHORT_CHARS, type ToolOutput, truncateContents } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { countTexts } from '../entries/entryFields.ts'
import { SCOPES, type Scope, scopeOf, serializeEveryday } from './everydayFields.ts'

const LIMIT_MAX = 100
/** Results that are counted: more are too many to look at. */
const COUNTED_MAX = 400

const SORTS = ['newest', 'oldest'] as const

const FIELDS = {
  query: optional(text('What to look for; without it the latest')),
  kind: optional(
    text(
      'preference: what a person wants; decision, fact; lesson: how an error was solved; summary: a session and what ' +
        'it left_open; experience: a task; entry: what somebody saved',
      { choices: MEMORY_KINDS },
    ),
  ),
  scope: optional(text('Only this one; without it all', { choices: SCOPES })),
  since: optional(text('Changed from then on: today, yesterday, 7d or 2026-03-01')),
  until: optional(text('Changed until then, days included')),
  tags: optional(list('With all of these', text('Tag'))),
  open: withDefault(flag('Only sessions with left_open'), false),
  sort: optional(text('By creation', { choices: SORTS })),
  archived: withDefault(flag('Only the archive: what is old, unused or replaced'), false),
  limit: withDefault(integer('Number of results', { min: 1, max: LIMIT_MAX }), 10),
}

type Input = InputOf<typeof FIELDS>

const DAY_MS = 86_400_000

const OTHER_WORDS =
  'Listed is what has words of the query, or came of a prompt with them; other words, or archived true, may find more.'

export const everydaySearch = defineModelTool({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'Search what people and earlier sessions left: wishes, decisions, fixes, what was done, saved notes. Use it ' +
    'before you ask the person, and at a familiar error or task. Returns beginnings; memory_get has the whole.',
  group: 'memory',
  alwaysLoad: true,
  effect: 'counts',
  shorten: truncateContents('results'),
  input: FIELDS,
  async handle(input, context) {
    const passes = createFilter(input, context.now())
    const active = input.archived ? [] : await findActive(input, context, passes)
    const found = active.length > 0 ? active : await findArchived(input, context, passes)
    const { recordFound } = await import('../../broker/entries/searchEntries.ts')
    const groups = groupRepeats(sortFound(found, input))
    const shown = groups.slice(0, input.limit)
    const isCounted = found.length < Math.max(COUNTED_MAX, 3 * input.limit)
    // What is archived is not in use.
    if (active.length > 0) recordFound(context.store, shown, context.now())
    const replaced = listReplaced(context, new Set<string>(shown.map(({ memory: { id } }) => id)))
    const results = shown.map(({ memory, count }) => ({
      ...serializeEveryday(memory, context.now()),
      ...(replaced.has(memory.id) && { replaces: replaced.get(memory.id) }),
      ...(count > 1 && { repeats: count }),
      ...(active.length === 0 && { archived: true }),
    }))
    const more = groups.length > input.limit && { more: describeMore(input, shown.at(-1)?.memory) }
    const { query, kind, scope, since, until, tags } = input
    const isFiltered = input.open || [query, kind, scope, since, until, tags].some((value) => value !== undefined)
    const isEmpty = results.length === 0
    const without = findUnmatchedWords(input.query, shown)
    const unmatched = !isEmpty && without.length > 0 && { unmatched_words: without }
    const otherKinds = await countOtherKinds(input, context)
    const others = input.query !== undefined && !isEmpty && !more && { hint: OTHER_WORDS }
    return {
      results,
      total: isCounted ? groups.length : `more than ${COUNTED_MAX}`,
      ...more,
      ...others,
      ...otherKinds,
      ...unmatched,
      ...((isEmpty || !isFiltered) && describeContents(context, isEmpty)),
    }
  },
})

/** What these memories replace: the first line of each and when it was said, the latest first. */
function listReplaced({ liveStore }: ToolContext, ids: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const replaced = new Map<string, string[]>()
  const superseded = liveStore.memories().select(({ isSuperseded, privacy }) => isSuperseded && privacy === 'public')
  for (const { supersededBy, content, created } of latestFirst(superseded)) {
    if (supersededBy === undefined || !ids.has(supersededBy)) continue
    const line = `${created.slice(0, 10)}: ${firstLine(content, SHORT_CHARS)}`
    replaced.set(supersededBy, [...(replaced.get(supersededBy) ?? []), line])
  }
  return replaced
}

/** The best results of any kind that a search looks at, to say which other kinds are among them. */
const OTHER_KINDS_TOP = 10

/** A decision may be kept as what a person wants, and the other way round. */
async function countOtherKinds(input: Input, context: ToolContext): Promise<ToolOutput> {
  const { kind, query } = input
  if (kind === undefined || query === undefined || input.archived) return {}
  const unfiltered = { ...input, kind: undefined, limit: OTHER_KINDS_TOP }
  const best = (await findActive(unfiltered, context, createFilter(unfiltered, context.now()))).slice(
    0,
    OTHER_KINDS_TOP,
  )
  const others = best.filter((memory) => memory.kind !== kind && !isNoteOf(kind, memory))
  return others.length === 0 ? {} : { best_of_other_kinds: countTexts(others.map((memory) => memory.kind)) }
}

/** How the next ones are found: the latest by time, others by another filter. */
const describeMore = ({ query, limit, sort }: Input, last: Memory | undefined): string =>
  query === undefined && sort === undefined
    ? `There are more: until ${last?.updated}.`
    : `There are more: ${limit < LIMIT_MAX ? 'raise limit, or ' : ''}filter by kind, since or until.`

/** Throws INPUT_INVALID for a `since` or `until` that is no time. */
function createFilter({ kind, scope, since, until, tags, open }: Input, now: number): (memory: Memory) => boolean {
  const sinceMs = since === undefined ? 0 : parseTime('since', since, now)
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parseEnd(until, now)
  return (memory) =>
    !(memory.knowledge && isDoubtful(memory.knowledge)) &&
    (!open || (memory.leftOpen?.length ?? 0) > 0) &&
    (kind === undefined || memory.kind === kind || isNoteOf(kind, memory)) &&
    (scope === undefined || includesScope(scope, scopeOf(memory))) &&
    Date.parse(memory.updated) >= sinceMs &&
    Date.parse(memory.updated) < untilMs &&
    (tags?.every((tag) => memory.tags.includes(tag)) ?? true)
}

/** A saved note of that kind; what was saved for all projects of a person is mostly what they want. */
const isNoteOf = (kind: string, memory: Memory): boolean =>
  memory.kind === 'entry' && (memory.tags.includes(kind) || (kind === 'preference' && scopeOf(memory) === 'person'))

/** What is in a file of the project is the project's too. */
const includesScope = (wanted: Scope, scope: Scope): boolean =>
  scope === wanted || (wanted === 'project' && scope === 'file')

/** The end of a day that is named, else the time itself. */
const parseEnd = (given: string, now: number): number =>
  parseTime('until', given, now) + (/^\s*(?:today|yesterday|\d{4}-\d\d-\d\d)\s*$/i.test(given) ? DAY_MS : 0)

/** Milliseconds since 1970. Days begin where the person is. */
function parseTime(field: string, given: string, now: number): number {
  const word = given.trim().toLowerCase()
  const days = word === 'today' ? 0 : word === 'yesterday' ? 1 : undefined
  if (days !== undefined) return new Date(now).setHours(0, 0, 0, 0) - days * DAY_MS
  const ago = /^(\d{1,4})\s?d(?:ays?)?$/.exec(word)?.[1]
  const time = ago === undefined ? parseCalendarTime(given) : now - Number(ago) * DAY_MS
  if (time !== undefined) return time
  throw invalidInput(`Invalid ${field}: ${JSON.stringify(given)}`, 'Write today, yesterday, 7d or 2026-03-01.')
}

async function findActive(
  { query, limit }: Input,
  context: ToolContext,
  passes: (memory: Memory) => boolean,
): Promise<readonly Memory[]> {
  const viewing = viewingSession(context)
  const said = (await readPersonNotes(context)).filter(passes)
  // More than asked for: repeats are shown once, and an answer says how many there are.
  const topK = Math.max(COUNTED_MAX, 3 * limit)
  if (query === undefined) {
    const isWanted = (memory: Memory) => !memory.questionOnly && passes(memory)
    return latestFirst([...said, ...listVisible(context.liveStore, viewing).filter(isWanted)])
  }
  const [{ openQueryEmbedder }, { hybridSearch }] = await Promise.all([
    import('../../broker/embedding/configuredEmbedder.ts'),
    import('../../broker/search/hybridSearch.ts'),
  ])
  const embedder = await openQueryEmbedder(context.store, context.env)
  const request = {
    ...viewing,
    query,
    mode: 'hybrid',
    keywordWeight: 0.5,
    topK,
    signal: context.signal,
    passes,
  } as const
  const hits = await hybridSearch(context.liveStore, request, embedder)
  const found = [...(await rankByWords(said, query, topK, context)), ...hits.map(({ memory }) => memory)]
  if (found.length >= topK) return found
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...findBeginnings(query, context, (memory) => passes(memory) && !known.has(memory.id), topK)]
}

/** A query of one or two words is the beginning of longer ones, too: `deploy` of `deployment`. The latest first. */
function findBeginnings(
  query: string,
  context: ToolContext,
  passes: (memory: Memory) => boolean,
  limit: number,
): readonly Memory[] {
  const begins = [...splitPlainWords(query)].filter(Boolean)
  if (begins.length === 0 || begins.length > 2 || begins.some((begin) => begin.length < 3)) return []
  const isFound = (memory: Memory): boolean => {
    if (memory.questionOnly || !passes(memory)) return false
    const words = [...splitPlainWords(memory.content)]
    return begins.every((begin) => words.some((word) => word.startsWith(begin)))
  }
  return latestFirst(listVisible(context.liveStore, viewingSession(context)).filter(isFound), limit)
}

const NOTE_FIELDS = { contentType: 'text', retention: 'long_term', tags: [PERSONAL_TAG], metadata: {} } as const

/** What the person said about all projects in other ones, as memories of this project would have it. */
async function readPersonNotes(context: ToolContext): Promise<readonly Memory[]> {
  const notes = addPersonNotes(context.store, [])
  if (notes.length === 0) return []
  const { memoryFromInput } = await import('../../broker/commands/newMemory.ts')
  return notes.map(({ id, line, type, lastMet }) => ({
    ...memoryFromInput({ ...NOTE_FIELDS, id, content: line, now: Date.parse(lastMet) }),
    kind: kindOfKnowledge(type),
    provenance: 'person',
  }))
}

/** In the archive are memories that age, use or a successor has ended, and entries of the clean-up. */
async function findArchived(
  { query, limit }: Input,
  context: ToolContext,
  passes: (memory: Memory) => boolean,
): Promise<readonly Memory[]> {
  const all = (await listArchived(context)).filter(passes)
  return query === undefined ? latestFirst(all) : rankByWords(all, query, Math.max(COUNTED_MAX, 3 * limit), context)
}

async function listArchived(context: ToolContext): Promise<readonly Memory[]> {
  const [{ listArchivedEntries }, { memoryFromEntry }] = await Promise.all([
    import('../../broker/entries/entryArchive.ts'),
    import('../../broker/entries/syncEntries.ts'),
  ])
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

/** Memories outside of the index, best first. */
async function rankByWords(memories: readonly Memory[], text: string, limit: number, { store, now }: ToolContext) {
  if (memories.length === 0) return []
  const [{ searchEntries }, { readerFromMemories }] = await Promise.all([
    import('../../broker/entries/searchEntries.ts'),
    import('../../broker/search/liveIndex.ts'),
  ])
  const active = memories.map((memory): Memory => ({ ...memory, status: 'active' }))
  const found = searchEntries(store, readerFromMemories(active), active, { text, limit, now: now() })
  return found.map((memory) => memories[active.indexOf(memory)] ?? memory)
}

const latestFirst = (memories: readonly Memory[], limit = memories.length): readonly Memory[] =>
  memories.toSorted((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0)).slice(0, limit)

/** Each result was changed at its time; the order that is asked for is that in which they were made. */
function sortFound(found: readonly Memory[], { sort }: Input): readonly Memory[] {
  if (sort === undefined) return found
  const oldestFirst = found.toSorted((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0))
  return sort === 'oldest' ? oldestFirst : oldestFirst.toReversed()
}

/** Words of the query that no result has, so that other words for them can be tried. */
function findUnmatchedWords(query = '', shown: readonly { readonly memory: Memory }[]): string[] {
  const texts = shown.map(({ memory }) => `${memory.content}\n${memory.searchText ?? ''}`)
  const found = new Set(texts.flatMap(extractTerms))
  return [...splitPlainWords(query)].filter((word) => {
    const terms = extractTerms(word)
    const isIn = (text: string): boolean => text.toLowerCase().includes(word)
    return terms.length > 0 && !terms.some((term) => found.has(term)) && !texts.some(isIn)
  })
}

/** Memories that begin alike as one: the best of them, and how many there are. */
function groupRepeats(found: readonly Memory[]): readonly { readonly memory: Memory; readonly count: number }[] {
  const groups = new Map<string, { memory: Memory; count: number }>()
  for (const memory of found) {
    const text = memory.content.slice(0, SHORT_CHARS).toLowerCase().replace(/\s+/g, ' ').trim()
    const group = groups.get(text)
    if (group) group.count++
    else groups.set(text, { memory, count: 1 })
  }
  return [...groups.values()]
}

/** Tags that an empty answer names. */
const TAGS_SHOWN = 10

/** What there is in all, also for a caller that has found nothing. */
function describeContents(context: ToolContext, isEmpty: boolean): ToolOutput {
  const memories = listVisible(context.liveStore, viewingSession(context))
  const archived = listArchivedMemories(context.liveStore, viewingSession(context)).length
  return {
    known: {
      memories: memories.length,
      kinds: countTexts(memories.map(({ kind }) => kind)),
      scopes: countTexts(memories.map(scopeOf)),
      tags: Object.keys(countTexts(memories.flatMap(({ tags }) => tags))).slice(0, TAGS_SHOWN),
      archived,
      newest: latestFirst(memories, 1)[0]?.updated,
    },
    ...(isEmpty && {
      hint:
        memories.length === 0
          ? 'Nothing is stored for this project yet.'
          : 'Try other words, in the language of the memories, or fewer filters; without a query you get the latest.',
    }),
  }
}
