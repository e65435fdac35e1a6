// The archive's tools: what clean-up has moved there is searched, listed and brought back.
import type { EntryLayer } from '../../entries/entry.ts'
import { defineTool } from '../definition/tool.ts'
import { truncateContents } from '../memory/serializeMemory.ts'
import {
  ARCHIVE_ROLES,
  entryKeyField,
  finishWrite,
  hasTags,
  limitField,
  OWNER_FIELDS,
  offsetField,
  openEntryWriter,
  queryField,
  serializeEntry,
  serializeEntryMemory,
  tagFilterField,
  toEntryScope,
} from './entryFields.ts'

const flagOf = (layer: EntryLayer) => (layer === 'global' ? { flag: layer } : {})

const search = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'search_memory_archive' : 'search_global_memory_archive',
    title: layer === 'project' ? 'Search the archive' : 'Search the global archive',
    description: 'Archived entries by words in key, tags and text, best first.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'archive search', args: ['query'], stdin: 'query', ...flagOf(layer) },
    shorten: truncateContents('entries'),
    input: { query: queryField, tags: tagFilterField, limit: limitField(10), ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const [{ listArchivedEntries }, { memoryFromEntry }, { searchEntries }, { readerFromMemories }] =
        await Promise.all([
          import('../../broker/entries/entryArchive.ts'),
          import('../../broker/entries/entryMemory.ts'),
          import('../../broker/entries/searchEntries.ts'),
          import('../../broker/search/memoryReader.ts'),
        ])
      const { store } = scribe.liveStore
      const now = context.now()
      const archived = listArchivedEntries(store, toEntryScope(layer, input)).filter(({ entry }) =>
        hasTags(entry, input.tags),
      )
      const byMemory = new Map(
        archived.map((file) => [memoryFromEntry(file.entry, { ...file, mtimeMs: now }, now), file]),
      )
      const memories = [...byMemory.keys()]
      const found = searchEntries(store, readerFromMemories(memories), memories, {
        text: input.query,
        limit: input.limit,
        now,
      })
      const entries = found.map((memory) => {
        const { entry, dir } = byMemory.get(memory)!
        return serializeEntry(entry, dir)
      })
      return { success: true, entries, count: entries.length }
    },
  })

const listed = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'list_memory_archive' : 'list_global_memory_archive',
    title: layer === 'project' ? 'List the archive' : 'List the global archive',
    description: 'Archived entries by key.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'archive list', ...flagOf(layer) },
    shorten: truncateContents('entries'),
    input: { limit: limitField(50), offset: offsetField, ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const { listArchivedEntries } = await import('../../broker/entries/entryArchive.ts')
      const all = listArchivedEntries(scribe.liveStore.store, toEntryScope(layer, input))
      const page = all.slice(input.offset, input.offset + input.limit)
      const entries = page.map((one) => serializeEntry(one.entry, one.dir))
      return { success: true, entries, count: entries.length, total: all.length }
    },
  })

const restore = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'restore_from_memory_archive' : 'restore_from_global_memory_archive',
    title: layer === 'project' ? 'Restore an entry' : 'Restore a global entry',
    description: 'Bring an archived entry back by its key.',
    group: 'entries',
    roles: ARCHIVE_ROLES,
    effect: 'writes',
    command: { words: 'archive restore', args: ['key'], ...flagOf(layer) },
    input: { key: entryKeyField, ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const { restoreEntry } = await import('../../broker/entries/entryArchive.ts')
      const memory = restoreEntry(scribe, toEntryScope(layer, input), input.key)
      const archived = await finishWrite(context, layer, scribe)
      return { success: true, entry: serializeEntryMemory(memory), ...(archived.length > 0 ? { archived } : {}) }
    },
  })

export const searchMemoryArchive = search('project')
export const searchGlobalMemoryArchive = search('global')
export const listMemoryArchive = listed('project')
export const listGlobalMemoryArchive = listed('global')
export const restoreFromMemoryArchive = restore('project')
export const restoreFromGlobalMemoryArchive = restore('global')
