// The search that a model gets by default: by words and meaning, or the latest, over memories, entries, what the person
// said in other projects, and the archive.
import { type LiveStore, listVisible, type ViewingSession, visibilityFilter } from '../../broker/live/liveStore.ts'
import { addPersonNotes } from '../../broker/projection/personFile.ts'
import { kindOfKnowledge, MEMORY_KINDS, type Memory, PERSONAL_TAG } from '../../model/memory.ts'
import { parseCalendarTime } from '../../text/isoTime.ts'
import { flag, type InputOf, integer, invalidInput, list, optional, text, withDefault } from '../definition/field.ts'
import { defineModelTool, type ToolOutput, truncateContents } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { type Scope, scopeField, scopeOf, serializeEveryday } from './everydayFields.ts'

const FIELDS = {
  query: optional(text('What to look for; without it the latest')),
  kind: optional(
    text(
      'preference: what a person wants; decision, fact; lesson: how an error was solved; summary: a session; ' +
        'experience: a task; entry: what somebody saved',
      { choices: MEMORY_KINDS },
    ),
  ),
  scope: scopeField,
  since: optional(text('Only what is from then or later: today, yesterday, 7d, or a date such as 2026-03-01')),
  tags: optional(list('Only with all of these tags', text('Tag'))),
  archived: withDefault(flag('Only the archive: what is old, unused or replaced'), false),
  limit: withDefault(integer('Number of results', { min: 1, max: 100 }), 10),
}

type Input = InputOf<typeof FIELDS>

const DAY_MS = 86_400_000

interface Found {
  readonly memory: Memory
  readonly isArchived?: true
}

export const everydaySearch = defineModelTool({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'Search what people and earlier sessions left: wishes, decisions, fixes, what was done, saved notes. Use it ' +
    'before you ask the person what may be known, and at an error or a task that looks familiar. Without a query ' +
    'it lists the latest. Returns ids and beginnings; memory_get returns a text in full.',
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
    recordFound(context.store, found, context.now())
    const groups = groupRepeats(found)
    const results = groups.slice(0, input.limit).map((group) => serializeGroup(group, context.now()))
    const more = groups.length > input.limit && { more: 'There are more: raise limit, or filter.' }
    const isOverview =
      results.length === 0 || Object.values({ ...input, archived: undefined, limit: undefined }).every(isAbsent)
    return { results, ...more, ...(isOverview && describeContents(context, results.length === 0)) }
  },
})

/** Throws INPUT_INVALID for a `since` that is no time. */
function createFilter({ kind, scope, since, tags }: Input, now: number): (memory: Memory) => boolean {
  const sinceMs = since === undefined ? 0 : parseSince(since, now)
  return (memory) =>
    (kind === undefined || memory.kind === kind || (kind === 'preference' && isWishNote(memory))) &&
    (scope === undefined || includesScope(scope, scopeOf(memory))) &&
    Date.parse(memory.updated) >= sinceMs &&
    (tags?.every((tag) => memory.tags.includes(tag)) ?? true)
}

/** What was saved for all projects of a person is mostly what they want. */
const isWishNote = (memory: Memory): boolean => memory.kind === 'entry' && scopeOf(memory) === 'person'

/** What is in a file of the project is the project's too. */
const includesScope = (wanted: Scope, scope: Scope): boolean =>
  scope === wanted || (wanted === 'project' && scope === 'file')

/** Milliseconds since 1970. Days begin where the person is. */
function parseSince(since: string, now: number): number {
  const word = since.trim().toLowerCase()
  const days = word === 'today' ? 0 : word === 'yesterday' ? 1 : undefined
  if (days !== undefined) return new Date(now).setHours(0, 0, 0, 0) - days * DAY_MS
  const ago = /^(\d{1,4})\s?d(?:ays?)?$/.exec(word)?.[1]
  const time = ago === undefined ? parseCalendarTime(since) : now - Number(ago) * DAY_MS
  if (time !== undefined) return time
  throw invalidInput(`Invalid since: ${JSON.stringify(since)}`, 'Write today, yesterday, 7d or 2026-03-01.')
}

async function findActive(
  { query, limit }: Input,
  context: ToolContext,
  passes: (memory: Memory) => boolean,
): Promise<readonly Found[]> {
  const viewing = viewingSession(context)
  const said = (await readPersonNotes(context)).filter(passes)
  // More than asked for: repeats are shown once, and an answer says whether there are more.
  const topK = 3 * limit
  if (query === undefined) {
    const isWanted = (memory: Memory) => !memory.questionOnly && passes(memory)
    return latestFirst([...said, ...listVisible(context.liveStore, viewing).filter(isWanted)], topK)
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
    keywordWeight: 0.3,
    topK,
    signal: context.signal,
    passes,
  } as const
  const hits = await hybridSearch(context.liveStore, request, embedder)
  const found = [...(await rankByWords(said, query, topK, context)).map((memory) => ({ memory })), ...hits]
  return [
    ...found,
    ...findBeginnings(query, context, (memory) => passes(memory) && !hits.some((hit) => hit.memory.id === memory.id)),
  ]
}

/** Memories that are found only by the beginning of a word. */
const BEGINNINGS_MAX = 100

/** A query of one or two words is the beginning of longer ones, too: `deploy` of `deployment`. The latest first. */
function findBeginnings(query: string, context: ToolContext, passes: (memory: Memory) => boolean): readonly Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length > 2 || words.some((word) => word.length < 3)) return []
  const begins = words.map((word) => new RegExp(String.raw`(?<![\p{L}\p{N}])${escapePattern(word)}`, 'iu'))
  const isFound = (memory: Memory) =>
    !memory.questionOnly && passes(memory) && begins.every((begin) => begin.test(memory.content))
  return latestFirst(listVisible(context.liveStore, viewingSession(context)).filter(isFound), BEGINNINGS_MAX)
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

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
): Promise<readonly Found[]> {
  const all = (await listArchived(context)).filter(passes)
  const best = query === undefined ? latestFirst(all, 3 * limit) : await rankByWords(all, query, 3 * limit, context)
  return best.map((found) => ({ memory: 'memory' in found ? found.memory : found, isArchived: true }))
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

const latestFirst = (memories: readonly Memory[], limit: number): readonly Found[] =>
  memories
    .toSorted((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0))
    .slice(0, limit)
    .map((memory) => ({ memory }))

/** Hits whose beginnings are the same, as one: the best, and how many there are. */
function groupRepeats(found: readonly Found[]): readonly { readonly best: Found; readonly count: number }[] {
  const groups = new Map<string, { best: Found; count: number }>()
  for (const hit of found) {
    const text = hit.memory.content.slice(0, 240).toLowerCase().replace(/\s+/g, ' ').trim()
    const group = groups.get(text)
    if (group) group.count++
    else groups.set(text, { best: hit, count: 1 })
  }
  return [...groups.values()]
}

const serializeGroup = (
  { best, count }: { readonly best: Found; readonly count: number },
  now: number,
): ToolOutput => ({
  ...serializeEveryday(best.memory, now),
  ...(count > 1 && { repeats: count }),
  ...(best.isArchived && { archived: true }),
})

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
      tags: Object.keys(countTexts(memories.flatMap(({ tags }) => tags))).slice(0, TAGS_SHOWN),
      archived,
    },
    ...(isEmpty && {
      hint:
        memories.length === 0
          ? 'Nothing is stored for this project yet.'
          : 'Try other words or fewer filters; without a query the latest are listed.',
    }),
  }
}

const isAbsent = (value: unknown): boolean => value === undefined

/** How often each text occurs, the most frequent first. */
function countTexts(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
}
