// The tools for entries: save, find, get, list, delete, summarize; and for archived ones search, list, restore,
// summarize. Each is there for the project's entries and for the global ones.
import { listArchivedEntries, restoreEntry } from '../../broker/entries/entryArchive.ts'
import { evictEntries, readEvictionLimits } from '../../broker/entries/entryMaintenance.ts'
import { deleteEntry, findEntry, listEntries, saveEntry } from '../../broker/entries/entryRepository.ts'
import { type EntryWriter, listInvalidEntries, syncEntries } from '../../broker/entries/syncEntries.ts'
import { openGlobalStore } from '../../broker/open/openStore.ts'
import {
  ENTRY_CHARS_MAX,
  ENTRY_KEY_CHARS_MAX,
  type Entry,
  type EntryLayer,
  entryFromMemory,
  entrySourceOf,
} from '../../entries/entry.ts'
import { isMtimeCacheStale } from '../../entries/entryDirs.ts'
import type { EntrySource, Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { type Fields, type InputOf, integer, list, optional, text, withDefault } from '../definition/field.ts'
import { type CommandFlag, defineTool, type Tool, type ToolOutput, truncateContents } from '../definition/tool.ts'
import type { Role, ToolContext } from '../definition/toolContext.ts'

/** Entries in one answer, at most: as many as a folder may hold. */
const LISTED_MAX = 1000

export const entryKeyField = text('The entry’s key', { charsMax: ENTRY_KEY_CHARS_MAX })
const tagFilterField = optional(list('Only entries with all of these tags', text('Tag')))
const limitField = (usual: number) => withDefault(integer('Result limit', { min: 1, max: LISTED_MAX }), usual)
const offsetField = withDefault(integer('Number of results to skip', { min: 0 }), 0)

const SAVE_FIELDS = {
  key: entryKeyField,
  content: text('What to remember, as Markdown', { charsMax: ENTRY_CHARS_MAX }),
  tags: optional(list('Tags', text('Tag', { charsMax: 200 }), { max: 64 })),
}
const FIND_FIELDS = { query: text('What to search for'), tags: tagFilterField, limit: limitField(10) }

const caller = { caller_agent_id: optional(text('The caller, for the log; it gives no rights', { charsMax: 200 })) }

/** Which entries, and who calls. Entries of a session have their own folder in the project. */
const OWNER_FIELDS = {
  project: { session_id: optional(text('Use this session’s entries', { charsMax: 240 })), ...caller },
  global: caller,
}

const ARCHIVE_ROLES: readonly Role[] = ['owner', 'admin']

type CallerParams = InputOf<typeof OWNER_FIELDS.project>

/** Gets the entries that a call is about, too. */
type Handler<F extends Fields> = (input: InputOf<F>, opened: Opened) => ToolOutput | Promise<ToolOutput>
type Opened = ReturnType<typeof openEntries>

type EntryTool<F extends Fields> = Omit<Tool, 'group' | 'input' | 'handle' | 'preview'> & {
  readonly handle: Handler<F>
  readonly preview?: Handler<F>
}

/** Defines a tool twice: for the project's entries, and for the entries of all projects. */
function defineEntryTools<F extends Fields>(fields: F, define: (layer: EntryLayer) => EntryTool<F>) {
  const forLayer = (layer: EntryLayer): Tool => {
    const { handle, preview, ...tool } = define(layer)
    // The tool's own fields have read the input.
    const opening = (handler: Handler<F>) => (input: unknown, context: ToolContext) =>
      handler(input as InputOf<F>, openEntries(context, layer, input as CallerParams))
    const handlers = { handle: opening(handle), ...(preview && { preview: opening(preview) }) }
    return { ...tool, ...handlers, group: 'entries', input: { ...fields, ...OWNER_FIELDS[layer] } }
  }
  return { project: forLayer('project'), global: forLayer('global') }
}

const layerFlags = (layer: EntryLayer): readonly CommandFlag[] => (layer === 'global' ? [layer] : [])

/** The writer of a call, and which entries it is about. Files of the layer that have changed are read first. */
function openEntries(context: ToolContext, layer: EntryLayer, { caller_agent_id: agentId, session_id }: CallerParams) {
  const writer = context.entryWriter(layer, agentId)
  if (layer === 'global' && isMtimeCacheStale(openGlobalStore(context.store))) syncEntries(writer)
  // Lone surrogates cannot be stored: each one is replaced by a text of its own.
  const session = session_id?.replace(/\p{Cs}/gu, (unit) => `%${unit.charCodeAt(0).toString(16)}`)
  return { context, writer, scope: { layer, session } }
}

/**
 * Evicts entries over the layer's limits after a write, and tells the project about global changes. Gives evicted keys.
 */
export function finishWrite(context: ToolContext, layer: EntryLayer, writer: EntryWriter): readonly string[] {
  const archived = evictEntries(writer, readEvictionLimits(context.env))
  if (layer === 'global') syncEntries(context.entryWriter('project'))
  return archived
}

const hasTags = (entry: Pick<Entry, 'tags'>, wanted: readonly string[] | undefined): boolean =>
  wanted?.every((tag) => entry.tags.includes(tag)) ?? true

const serializeEntry = (entry: Entry, { session }: Pick<EntrySource, 'session'> = {}): ToolOutput => ({
  key: entry.key,
  content: entry.content,
  tags: entry.tags,
  created_at: entry.createdAt ?? null,
  updated_at: entry.updatedAt ?? null,
  ...(session !== undefined && { session_id: session }),
})

const serializeEntryMemory = (memory: Memory): ToolOutput =>
  serializeEntry(entryFromMemory(memory), entrySourceOf(memory))

/** The answer of a tool that wrote an entry, with the keys that eviction archived. */
const serializeWrite = (memory: Memory, archived: readonly string[]): ToolOutput => ({
  success: true,
  entry: serializeEntryMemory(memory),
  ...(archived.length > 0 && { archived }),
})

/** How often each text occurs, the most frequent first. */
export function countTexts(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)))
}

/** How many entries, how often each tag, and the first and last date; the most frequent tag first. */
function summarizeEntries(entries: readonly Entry[]) {
  const created = entries.flatMap(({ createdAt }) => createdAt ?? []).sort()
  const updated = entries.flatMap(({ updatedAt }) => updatedAt ?? []).sort()
  return {
    total_entries: entries.length,
    tags: countTexts(entries.flatMap((entry) => entry.tags)),
    oldest_created_at: created[0] ?? null,
    newest_updated_at: updated.at(-1) ?? null,
  }
}

export const saveEntryTools = defineEntryTools(SAVE_FIELDS, (layer) => ({
  name: layer === 'project' ? 'save_to_memory' : 'save_to_global_memory',
  title: layer === 'project' ? 'Save an entry' : 'Save a global entry',
  description:
    layer === 'project'
      ? 'Save a decision with its reason, a convention or a solution of this project, as a file that people can ' +
        'edit. Not the task at hand: its details, progress, drafts and passing errors. An existing key is ' +
        'replaced; what applies to every project belongs in save_to_global_memory.'
      : 'Save what applies to every project of this person: preferences, ways to work, solutions that other ' +
        'projects can use. Not the task at hand, and nothing of one project: for that, use save_to_memory. An ' +
        'existing key is replaced.',
  effect: 'changes',
  command: { words: 'entry save', args: ['key'], stdin: 'content', flags: layerFlags(layer) },
  handle(input, { writer, scope, context }) {
    const memory = saveEntry(writer, scope, input)
    return serializeWrite(memory, finishWrite(context, layer, writer))
  },
}))

/** Entries by words, ranked as `memctl search` ranks them. What is found counts as read. */
const retrieveEntryTools = defineEntryTools(FIND_FIELDS, (layer) => ({
  name: layer === 'project' ? 'retrieve_from_memory' : 'retrieve_from_global_memory',
  title: layer === 'project' ? 'Find entries' : 'Find global entries',
  description:
    layer === 'project'
      ? 'Search this project’s entries by words in key, tags and text, the best first. Use it before you decide or ' +
        'ask what may be decided already. With a known key, use get_memory_entry.'
      : 'Search what applies to every project by words in key, tags and text, the best first: at the start of ' +
        'work, the person’s preferences. For this project’s own entries, use retrieve_from_memory.',
  effect: 'counts',
  command: {
    words: 'entry find',
    args: ['query'],
    stdin: 'query',
    differs: 'like `memctl search`, but only for entries; all returned entries count as read',
    flags: layerFlags(layer),
  },
  shorten: truncateContents('entries'),
  async handle(input, { writer, scope, context }) {
    const [{ searchEntries }, { openLiveIndex }] = await Promise.all([
      import('../../broker/entries/searchEntries.ts'),
      import('../../broker/search/liveIndex.ts'),
    ])
    const { liveStore } = writer
    const all = listEntries(liveStore, scope).filter((memory) => hasTags(memory, input.tags))
    const query = { text: input.query, limit: input.limit, now: context.now() }
    const found = searchEntries(liveStore.store, openLiveIndex(liveStore).reader(), all, query)
    if (found.length > 0) writer.commit({ kind: 'memory.accessed', memories: found.map((memory) => memory.id) })
    return { success: true, entries: found.map(serializeEntryMemory), count: found.length }
  },
}))

/** One entry by its key: the project's, or else the global one. */
export const getMemoryEntry = defineTool({
  name: 'get_memory_entry',
  title: 'Get an entry',
  description:
    'Get one entry in full by its exact key; the project’s comes before a global one. Without a key, use ' +
    'retrieve_from_memory.',
  group: 'entries',
  effect: 'counts',
  command: { words: 'entry get', args: ['key'] },
  input: { key: entryKeyField, ...OWNER_FIELDS.project },
  handle(input, context) {
    const layers: readonly EntryLayer[] = input.session_id === undefined ? ['project', 'global'] : ['project']
    for (const layer of layers) {
      const { writer, scope } = openEntries(context, layer, input)
      const memory = findEntry(writer.liveStore, scope, input.key)
      if (!memory) continue
      writer.commit({ kind: 'memory.accessed', memories: [memory.id] })
      return { success: true, layer, entry: serializeEntryMemory(memory) }
    }
    throw entryNotFound(input.key, 'Look for the key in the list of entries, or search the archive.')
  },
})

/** By key, page by page; with the files that are not valid entries. */
const listEntryTools = defineEntryTools(
  { tags: tagFilterField, limit: limitField(50), offset: offsetField },
  (layer) => ({
    name: layer === 'project' ? 'list_memory_entries' : 'list_global_memory_entries',
    title: layer === 'project' ? 'List entries' : 'List global entries',
    description:
      layer === 'project'
        ? 'List this project’s entries by key, page by page. To find a topic, use retrieve_from_memory.'
        : 'List the global entries by key, page by page. To find a topic, use retrieve_from_global_memory.',
    effect: 'reads',
    command: { words: 'entry list', flags: layerFlags(layer) },
    shorten: truncateContents('entries'),
    handle(input, { writer, scope }) {
      const all = listEntries(writer.liveStore, scope).filter((memory) => hasTags(memory, input.tags))
      const page = all.slice(input.offset, input.offset + input.limit)
      const broken = listInvalidEntries(writer.liveStore, writer.now, layer)
      return {
        success: true,
        entries: page.map(serializeEntryMemory),
        count: page.length,
        total: all.length,
        ...(broken.length > 0 && { broken }),
      }
    },
  }),
)

export const deleteEntryTools = defineEntryTools({ key: entryKeyField }, (layer) => ({
  name: layer === 'project' ? 'delete_memory_entry' : 'delete_global_memory_entry',
  title: layer === 'project' ? 'Delete an entry' : 'Delete a global entry',
  description:
    layer === 'project'
      ? 'Delete an entry of this project and its file, if the person asks for it. It is not archived. To correct ' +
        'it, use save_to_memory.'
      : 'Delete a global entry and its file, if the person asks for it. It is not archived. To correct it, use ' +
        'save_to_global_memory.',
  roles: ARCHIVE_ROLES,
  effect: 'changes',
  isIdempotent: true,
  command: { words: 'entry delete', args: ['key'], flags: layerFlags(layer) },
  preview(input, { writer, scope }) {
    const memory = findEntry(writer.liveStore, scope, input.key)
    return { entries: memory ? [serializeEntryMemory(memory)] : [] }
  },
  handle(input, { writer, scope, context }) {
    if (!deleteEntry(writer, scope, input.key)) {
      throw entryNotFound(input.key, 'Look for the key in the list of entries. Archived entries cannot be deleted.')
    }
    finishWrite(context, layer, writer)
    return { success: true, key: input.key }
  },
}))

const summarizeEntryTools = defineEntryTools({}, (layer) => ({
  name: layer === 'project' ? 'get_memory_summary' : 'get_global_memory_summary',
  title: layer === 'project' ? 'Summary of entries' : 'Summary of global entries',
  description:
    layer === 'project'
      ? 'Get how many entries this project has, their tags, dates and limits: to choose tags to search by. For the ' +
        'entries themselves, use list_memory_entries.'
      : 'Get how many global entries there are, their tags, dates and limits: to choose tags to search by. For ' +
        'the entries themselves, use list_global_memory_entries.',
  effect: 'reads',
  command: { words: 'entry summary', flags: layerFlags(layer) },
  handle(_, { writer, scope, context }) {
    const { entriesMax, ttlDays } = readEvictionLimits(context.env)
    const entries = listEntries(writer.liveStore, scope).map(entryFromMemory)
    return { success: true, summary: { ...summarizeEntries(entries), max_entries: entriesMax, ttl_days: ttlDays } }
  },
}))

const entryNotFound = (key: string, hint: string): MemoryError =>
  new MemoryError('NOT_FOUND', `Entry not found: ${key}`, { hint })

const searchArchiveTools = defineEntryTools(FIND_FIELDS, (layer) => ({
  name: layer === 'project' ? 'search_memory_archive' : 'search_global_memory_archive',
  title: layer === 'project' ? 'Search the archive' : 'Search the global archive',
  description:
    layer === 'project'
      ? 'Search archived entries of this project, which nobody read for long. Use it if retrieve_from_memory finds ' +
        'nothing.'
      : 'Search archived global entries, which nobody read for long. Use it if retrieve_from_global_memory finds ' +
        'nothing.',
  effect: 'reads',
  command: { words: 'entry find', args: ['query'], stdin: 'query', flags: ['archived', ...layerFlags(layer)] },
  shorten: truncateContents('entries'),
  async handle(input, { writer, scope, context }) {
    const { searchArchivedEntries } = await import('../../broker/entries/searchEntries.ts')
    const archived = listArchivedEntries(writer.liveStore.store, scope)
    const tagged = archived.filter(({ entry }) => hasTags(entry, input.tags))
    const query = { text: input.query, limit: input.limit, now: context.now() }
    const found = searchArchivedEntries(writer.liveStore.store, tagged, query)
    const entries = found.map(({ entry, dir }) => serializeEntry(entry, dir))
    return { success: true, entries, count: entries.length }
  },
}))

const listArchiveTools = defineEntryTools({ limit: limitField(50), offset: offsetField }, (layer) => ({
  name: layer === 'project' ? 'list_memory_archive' : 'list_global_memory_archive',
  title: layer === 'project' ? 'List the archive' : 'List the global archive',
  description:
    layer === 'project'
      ? 'List archived entries of this project by key. To find a topic, use search_memory_archive.'
      : 'List archived global entries by key. To find a topic, use search_global_memory_archive.',
  effect: 'reads',
  command: { words: 'entry list', flags: ['archived', ...layerFlags(layer)] },
  shorten: truncateContents('entries'),
  handle(input, { writer, scope }) {
    const all = listArchivedEntries(writer.liveStore.store, scope)
    const page = all.slice(input.offset, input.offset + input.limit)
    const entries = page.map(({ entry, dir }) => serializeEntry(entry, dir))
    return { success: true, entries, count: entries.length, total: all.length }
  },
}))

export const restoreArchiveTools = defineEntryTools({ key: entryKeyField }, (layer) => ({
  name: layer === 'project' ? 'restore_from_memory_archive' : 'restore_from_global_memory_archive',
  title: layer === 'project' ? 'Restore an entry' : 'Restore a global entry',
  description:
    layer === 'project'
      ? 'Make an archived entry of this project active again, by a key that search_memory_archive returned.'
      : 'Make an archived global entry active again, by a key that search_global_memory_archive returned.',
  roles: ARCHIVE_ROLES,
  effect: 'adds',
  isIdempotent: true,
  command: { words: 'entry restore', args: ['key'], flags: layerFlags(layer) },
  handle(input, { writer, scope, context }) {
    const memory = restoreEntry(writer, scope, input.key)
    return serializeWrite(memory, finishWrite(context, layer, writer))
  },
}))

const summarizeArchiveTools = defineEntryTools({}, (layer) => ({
  name: layer === 'project' ? 'get_memory_archive_summary' : 'get_global_memory_archive_summary',
  title: layer === 'project' ? 'Summary of the archive' : 'Summary of the global archive',
  description:
    layer === 'project'
      ? 'Get how many archived entries this project has, their tags and dates. For the entries themselves, use ' +
        'list_memory_archive.'
      : 'Get how many archived global entries there are, their tags and dates. For the entries themselves, use ' +
        'list_global_memory_archive.',
  effect: 'reads',
  command: { words: 'entry summary', flags: ['archived', ...layerFlags(layer)] },
  handle(_, { writer, scope }) {
    const archived = listArchivedEntries(writer.liveStore.store, scope)
    return { success: true, summary: summarizeEntries(archived.map(({ entry }) => entry)) }
  },
}))

/** Every tool for entries, in the order in which entry points list them. */
export const ENTRY_TOOLS: readonly Tool[] = [
  [saveEntryTools.project, retrieveEntryTools.project, getMemoryEntry, listEntryTools.project],
  [deleteEntryTools.project, summarizeEntryTools.project, searchArchiveTools.project, listArchiveTools.project],
  [restoreArchiveTools.project, summarizeArchiveTools.project],
  [saveEntryTools.global, retrieveEntryTools.global, listEntryTools.global, summarizeEntryTools.global],
  [deleteEntryTools.global, searchArchiveTools.global, listArchiveTools.global],
  [restoreArchiveTools.global, summarizeArchiveTools.global],
].flat()
