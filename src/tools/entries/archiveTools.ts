// The tools for archived entries: search, list, restore, summarize; for the project's archive and the global one.
import { defineTool, truncateContents } from '../definition/tool.ts'
import {
  ARCHIVE_ROLES,
  entryKeyField,
  finishWrite,
  forEachLayer,
  hasTags,
  layerFlags,
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
    description:
      layer === 'project'
        ? 'List archived entries of this project by key. To find a topic, use search_memory_archive.'
        : 'List archived global entries by key. To find a topic, use search_global_memory_archive.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry list', flags: ['archived', ...layerFlags(layer)] },
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
    async handle(input, context) {
      const { liveStore } = await openEntryWriter(context, layer, input)
      const { listArchivedEntries } = await importArchive()
      const archived = listArchivedEntries(liveStore.store, toEntryScope(layer, input))
      return { success: true, summary: summarizeEntries(archived.map(({ entry }) => entry)) }
    },
  }),
)
