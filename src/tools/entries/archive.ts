// The archive's tools: what clean-up has moved there is searched, listed and brought back.
import type { Layer } from '../../entries/entry.ts'
import { briefly } from '../memory/shape.ts'
import { tool } from '../tool.ts'
import {
  afterWriting,
  hasTags,
  KEEPERS,
  key,
  limit,
  offset,
  query,
  scribeFor,
  shelfOf,
  shown,
  shownMemory,
  WHOSE,
  withTags,
} from './fields.ts'

const flagOf = (layer: Layer) => (layer === 'global' ? { flag: layer } : {})

const search = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'search_memory_archive' : 'search_global_memory_archive',
    title: layer === 'project' ? 'Search the archive' : 'Search the global archive',
    description: 'Archived entries by words in key, tags and text, best first.',
    layer: 'entries',
    effect: 'reads',
    command: { words: 'archive search', args: ['query'], stdin: 'query', ...flagOf(layer) },
    brief: briefly('entries'),
    input: { query, tags: withTags, limit: limit(10), ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const [{ archivedIn }, { memoryOfEntry }, { searchEntries }, { readerOfMemories }] = await Promise.all([
        import('../../broker/entries/archive.ts'),
        import('../../broker/entries/memoryOfEntry.ts'),
        import('../../broker/entries/searchEntries.ts'),
        import('../../broker/search/memoryReader.ts'),
      ])
      const { store } = scribe.desk
      const now = world.now()
      const archived = archivedIn(store, shelfOf(layer, input)).filter(({ entry }) => hasTags(entry, input.tags))
      const byMemory = new Map(
        archived.map((file) => [memoryOfEntry(file.entry, { ...file, written: now }, now), file]),
      )
      const memories = [...byMemory.keys()]
      const found = searchEntries(store, readerOfMemories(memories), memories, {
        text: input.query,
        limit: input.limit,
        now,
      })
      const entries = found.map((memory) => {
        const { entry, place } = byMemory.get(memory)!
        return shown(entry, place)
      })
      return { success: true, entries, count: entries.length }
    },
  })

const listed = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'list_memory_archive' : 'list_global_memory_archive',
    title: layer === 'project' ? 'List the archive' : 'List the global archive',
    description: 'Archived entries by key.',
    layer: 'entries',
    effect: 'reads',
    command: { words: 'archive list', ...flagOf(layer) },
    brief: briefly('entries'),
    input: { limit: limit(50), offset, ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const { archivedIn } = await import('../../broker/entries/archive.ts')
      const all = archivedIn(scribe.desk.store, shelfOf(layer, input))
      const page = all.slice(input.offset, input.offset + input.limit)
      const entries = page.map((one) => shown(one.entry, one.place))
      return { success: true, entries, count: entries.length, total: all.length }
    },
  })

const restore = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'restore_from_memory_archive' : 'restore_from_global_memory_archive',
    title: layer === 'project' ? 'Restore an entry' : 'Restore a global entry',
    description: 'Bring an archived entry back by its key.',
    layer: 'entries',
    roles: KEEPERS,
    effect: 'writes',
    command: { words: 'archive restore', args: ['key'], ...flagOf(layer) },
    input: { key, ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const { restoreEntry } = await import('../../broker/entries/archive.ts')
      const memory = restoreEntry(scribe, shelfOf(layer, input), input.key)
      const archived = await afterWriting(world, layer, scribe)
      return { success: true, entry: shownMemory(memory), ...(archived.length > 0 ? { archived } : {}) }
    },
  })

export const searchMemoryArchive = search('project')
export const searchGlobalMemoryArchive = search('global')
export const listMemoryArchive = listed('project')
export const listGlobalMemoryArchive = listed('global')
export const restoreFromMemoryArchive = restore('project')
export const restoreFromGlobalMemoryArchive = restore('global')
