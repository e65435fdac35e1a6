// The tools for entries: save, find, get, list, delete, summarize; and for archived ones search, list, restore,
// summarize. Each is there for the project's entries and for the global ones.
import { listArchivedEntries, restoreEntry } from '../../broker/entries/entryArchive.ts'
import { readEvictionLimits } from '../../broker/entries/entryMaintenance.ts'
import { deleteEntry, findEntry, listEntries, saveEntry } from '../../broker/entries/entryRepository.ts'
import { listInvalidEntries } from '../../broker/entries/syncEntries.ts'
import { type EntryLayer, entryFromMemory } from '../../entries/entry.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { optional } from '../definition/field.ts'
import { defineTool, truncateContents } from '../definition/tool.ts'
import {
  ARCHIVE_ROLES,
  entryContentField,
  entryKeyField,
  entryTagsField,
  finishWrite,
  forEachLayer,
  hasTags,
  layerFlags,
  limitField,
  OWNER_FIELDS,
  offsetField,
  openEntries,
  queryField,
  serializeEntry,
  serializeEntryMemory,
  serializeWrite,
  summarizeEntries,
  tagFilterField,
} from './entryFields.ts'

export const saveEntryTools = forEachLayer((layer) =>
  defineTool({
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
    group: 'entries',
    effect: 'changes',
    command: { words: 'entry save', args: ['key'], stdin: 'content', flags: layerFlags(layer) },
    input: { key: entryKeyField, content: entryContentField, tags: optional(entryTagsField), ...OWNER_FIELDS[layer] },
    handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const memory = saveEntry(writer, scope, input)
      return serializeWrite(memory, finishWrite(context, layer, writer))
    },
  }),
)

/** Entries by words, ranked as `memctl search` ranks them. What is found counts as read. */
export const retrieveEntryTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'retrieve_from_memory' : 'retrieve_from_global_memory',
    title: layer === 'project' ? 'Find entries' : 'Find global entries',
    description:
      layer === 'project'
        ? 'Search this project’s entries by words in key, tags and text, the best first. Use it before you decide or ' +
          'ask what may be decided already. With a known key, use get_memory_entry.'
        : 'Search what applies to every project by words in key, tags and text, the best first: at the start of ' +
          'work, the person’s preferences. For this project’s own entries, use retrieve_from_memory.',
    group: 'entries',
    effect: 'counts',
    command: {
      words: 'entry find',
      args: ['query'],
      stdin: 'query',
      differs: 'like `memctl search`, but only for entries; all returned entries count as read',
      flags: layerFlags(layer),
    },
    shorten: truncateContents('entries'),
    input: { query: queryField, tags: tagFilterField, limit: limitField(10), ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const [{ searchEntries }, { openLiveIndex }] = await Promise.all([
        import('../../broker/entries/searchEntries.ts'),
        import('../../broker/search/liveIndex.ts'),
      ])
      const { liveStore } = writer
      const all = listEntries(liveStore, scope).filter((memory) => hasTags(memory, input.tags))
      const found = searchEntries(liveStore.store, openLiveIndex(liveStore).reader(), all, {
        text: input.query,
        limit: input.limit,
        now: context.now(),
      })
      if (found.length > 0) writer.commit({ kind: 'memory.accessed', memories: found.map((memory) => memory.id) })
      return { success: true, entries: found.map(serializeEntryMemory), count: found.length }
    },
  }),
)

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
export const listEntryTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'list_memory_entries' : 'list_global_memory_entries',
    title: layer === 'project' ? 'List entries' : 'List global entries',
    description:
      layer === 'project'
        ? 'List this project’s entries by key, page by page. To find a topic, use retrieve_from_memory.'
        : 'List the global entries by key, page by page. To find a topic, use retrieve_from_global_memory.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry list', flags: layerFlags(layer) },
    shorten: truncateContents('entries'),
    input: { tags: tagFilterField, limit: limitField(50), offset: offsetField, ...OWNER_FIELDS[layer] },
    handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
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

export const deleteEntryTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'delete_memory_entry' : 'delete_global_memory_entry',
    title: layer === 'project' ? 'Delete an entry' : 'Delete a global entry',
    description:
      layer === 'project'
        ? 'Delete an entry of this project and its file, if the person asks for it. It is not archived. To correct ' +
          'it, use save_to_memory.'
        : 'Delete a global entry and its file, if the person asks for it. It is not archived. To correct it, use ' +
          'save_to_global_memory.',
    group: 'entries',
    roles: ARCHIVE_ROLES,
    effect: 'changes',
    isIdempotent: true,
    command: { words: 'entry delete', args: ['key'], flags: layerFlags(layer) },
    input: { key: entryKeyField, ...OWNER_FIELDS[layer] },
    preview(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const memory = findEntry(writer.liveStore, scope, input.key)
      return { entries: memory ? [serializeEntryMemory(memory)] : [] }
    },
    handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      if (!deleteEntry(writer, scope, input.key)) {
        throw entryNotFound(input.key, 'Look for the key in the list of entries. Archived entries cannot be deleted.')
      }
      finishWrite(context, layer, writer)
      return { success: true, key: input.key }
    },
  }),
)

export const summarizeEntryTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'get_memory_summary' : 'get_global_memory_summary',
    title: layer === 'project' ? 'Summary of entries' : 'Summary of global entries',
    description:
      layer === 'project'
        ? 'Get how many entries this project has, their tags, dates and limits: to choose tags to search by. For the ' +
          'entries themselves, use list_memory_entries.'
        : 'Get how many global entries there are, their tags, dates and limits: to choose tags to search by. For ' +
          'the entries themselves, use list_global_memory_entries.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry summary', flags: layerFlags(layer) },
    input: OWNER_FIELDS[layer],
    handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const { entriesMax, ttlDays } = readEvictionLimits(context.env)
      const entries = listEntries(writer.liveStore, scope).map(entryFromMemory)
      return { success: true, summary: { ...summarizeEntries(entries), max_entries: entriesMax, ttl_days: ttlDays } }
    },
  }),
)

const entryNotFound = (key: string, hint: string): MemoryError =>
  new MemoryError('NOT_FOUND', `Entry not found: ${key}`, { hint })

export const searchArchiveTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'search_memory_archive' : 'search_global_memory_archive',
    title: layer === 'project' ? 'Search the archive' : 'Search the global archive',
    description:
      layer === 'project'
        ? 'Search archived entries of this project, which nobody read for long. Use it if retrieve_from_memory finds ' +
          'nothing.'
        : 'Search archived global entries, which nobody read for long. Use it if retrieve_from_global_memory finds ' +
          'nothing.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry find', args: ['query'], stdin: 'query', flags: ['archived', ...layerFlags(layer)] },
    shorten: truncateContents('entries'),
    input: { query: queryField, tags: tagFilterField, limit: limitField(10), ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const { searchArchivedEntries } = await import('../../broker/entries/searchEntries.ts')
      const archived = listArchivedEntries(writer.liveStore.store, scope)
      const tagged = archived.filter(({ entry }) => hasTags(entry, input.tags))
      const found = searchArchivedEntries(writer.liveStore.store, tagged, {
        text: input.query,
        limit: input.limit,
        now: context.now(),
      })
      const entries = found.map(({ entry, dir }) => serializeEntry(entry, dir))
      return { success: true, entries, count: entries.length }
    },
  }),
)

export const listArchiveTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'list_memory_archive' : 'list_global_memory_archive',
    title: layer === 'project' ? 'List the archive' : 'List the global archive',
    description:
      layer === 'project'
        ? 'List archived entries of this project by key. To find a topic, use search_memory_archive.'
        : 'List archived global entries by key. To find a topic, use search_global_memory_archive.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry list', flags: ['archived', ...layerFlags(layer)] },
    shorten: truncateContents('entries'),
    input: { limit: limitField(50), offset: offsetField, ...OWNER_FIELDS[layer] },
    handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const all = listArchivedEntries(writer.liveStore.store, scope)
      const page = all.slice(input.offset, input.offset + input.limit)
      const entries = page.map(({ entry, dir }) => serializeEntry(entry, dir))
      return { success: true, entries, count: entries.length, total: all.length }
    },
  }),
)

export const restoreArchiveTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'restore_from_memory_archive' : 'restore_from_global_memory_archive',
    title: layer === 'project' ? 'Restore an entry' : 'Restore a global entry',
    description:
      layer === 'project'
        ? 'Make an archived entry of this project active again, by a key that search_memory_archive returned.'
        : 'Make an archived global entry active again, by a key that search_global_memory_archive returned.',
    group: 'entries',
    roles: ARCHIVE_ROLES,
    effect: 'adds',
    isIdempotent: true,
    command: { words: 'entry restore', args: ['key'], flags: layerFlags(layer) },
    input: { key: entryKeyField, ...OWNER_FIELDS[layer] },
    handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const memory = restoreEntry(writer, scope, input.key)
      return serializeWrite(memory, finishWrite(context, layer, writer))
    },
  }),
)

export const summarizeArchiveTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'get_memory_archive_summary' : 'get_global_memory_archive_summary',
    title: layer === 'project' ? 'Summary of the archive' : 'Summary of the global archive',
    description:
      layer === 'project'
        ? 'Get how many archived entries this project has, their tags and dates. For the entries themselves, use ' +
          'list_memory_archive.'
        : 'Get how many archived global entries there are, their tags and dates. For the entries themselves, use ' +
          'list_global_memory_archive.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry summary', flags: ['archived', ...layerFlags(layer)] },
    input: OWNER_FIELDS[layer],
    handle(input, context) {
      const { writer, scope } = openEntries(context, layer, input)
      const archived = listArchivedEntries(writer.liveStore.store, scope)
      return { success: true, summary: summarizeEntries(archived.map(({ entry }) => entry)) }
    },
  }),
)
