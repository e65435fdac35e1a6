// The tools for archived entries: search, list, restore, summarize; for the project's archive and the global one.
import { defineTool, truncateContents } from '../definition/tool.ts'
import {
  ARCHIVE_ROLES,
  entryKeyField,
  finishWrite,
  forEachLayer,
  hasTags,
  layerFlag,
  limitField,
  OWNER_FIELDS,
  offsetField,
  openEntryWriter,
  queryField,
  serializeEntry,
  serializeWrite,
  summarizeEntries,
  tagFilterField,
  toEntryScope,
} from './entryFields.ts'

const importArchive = () => import('../../broker/entries/entryArchive.ts')

export const searchArchiveTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'search_memory_archive' : 'search_global_memory_archive',
    title: layer === 'project' ? 'Search the archive' : 'Search the global archive',
    description: 'Search the words of archived entries in key, tags and text. The best match comes first.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'archive search', args: ['query'], stdin: 'query', flag: layerFlag(layer) },
    shorten: truncateContents('entries'),
    input: { query: queryField, tags: tagFilterField, limit: limitField(10), ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const { liveStore } = await openEntryWriter(context, layer, input)
      const { listArchivedEntries } = await importArchive()
      const { searchArchivedEntries } = await import('../../broker/entries/searchEntries.ts')
      const archived = listArchivedEntries(liveStore.store, toEntryScope(layer, input)).filter(({ entry }) =>
        hasTags(entry, input.tags),
      )
      const found = searchArchivedEntries(liveStore.store, archived, {
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
    description: 'List archived entries in the order of their keys.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'archive list', flag: layerFlag(layer) },
    shorten: truncateContents('entries'),
    input: { limit: limitField(50), offset: offsetField, ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const { liveStore } = await openEntryWriter(context, layer, input)
      const { listArchivedEntries } = await importArchive()
      const all = listArchivedEntries(liveStore.store, toEntryScope(layer, input))
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
    description: 'Restore an archived entry by its key.',
    group: 'entries',
    roles: ARCHIVE_ROLES,
    effect: 'writes',
    command: { words: 'archive restore', args: ['key'], flag: layerFlag(layer) },
    input: { key: entryKeyField, ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const writer = await openEntryWriter(context, layer, input)
      const { restoreEntry } = await importArchive()
      const memory = restoreEntry(writer, toEntryScope(layer, input), input.key)
      return serializeWrite(memory, await finishWrite(context, layer, writer))
    },
  }),
)

export const summarizeArchiveTools = forEachLayer((layer) =>
  defineTool({
    name: layer === 'project' ? 'get_memory_archive_summary' : 'get_global_memory_archive_summary',
    title: layer === 'project' ? 'Summary of the archive' : 'Summary of the global archive',
    description: 'Get the number of archived entries, their tags, and their oldest and newest date.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'archive summary', flag: layerFlag(layer) },
    input: OWNER_FIELDS[layer],
    async handle(input, context) {
      const { liveStore } = await openEntryWriter(context, layer, input)
      const { listArchivedEntries } = await importArchive()
      const archived = listArchivedEntries(liveStore.store, toEntryScope(layer, input))
      return { success: true, summary: summarizeEntries(archived.map(({ entry }) => entry)) }
    },
  }),
)
