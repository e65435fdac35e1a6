// retrieve_from_memory, retrieve_from_global_memory: entries by words, ranked as `memctl search` ranks them. What is found counts as read.
import type { EntryLayer } from '../../entries/entry.ts'
import { defineTool } from '../definition/tool.ts'
import { truncateContents } from '../memory/serializeMemory.ts'
import {
  hasTags,
  limitField,
  OWNER_FIELDS,
  openEntryWriter,
  queryField,
  serializeEntryMemory,
  tagFilterField,
  toEntryScope,
} from './entryFields.ts'

const retrieve = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'retrieve_from_memory' : 'retrieve_from_global_memory',
    title: layer === 'project' ? 'Find entries' : 'Find global entries',
    description:
      layer === 'project'
        ? 'Entries of this project by words in key, tags and text, best first.'
        : 'Entries that hold in every project, by words in key, tags and text, best first.',
    group: 'entries',
    effect: 'reads',
    command: {
      words: 'entry find',
      args: ['query'],
      stdin: 'query',
      differs: '`memctl search` among entries; what is found counts as read',
      ...(layer === 'global' ? { flag: layer } : {}),
    },
    shorten: truncateContents('entries'),
    input: { query: queryField, tags: tagFilterField, limit: limitField(10), ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const [{ listEntries }, { searchEntries }, { openLiveIndex }] = await Promise.all([
        import('../../broker/entries/entryRepository.ts'),
        import('../../broker/entries/searchEntries.ts'),
        import('../../broker/search/liveReader.ts'),
      ])
      const { liveStore } = scribe
      const all = listEntries(liveStore, toEntryScope(layer, input)).filter((memory) => hasTags(memory, input.tags))
      const found = searchEntries(liveStore.store, openLiveIndex(liveStore).reader(), all, {
        text: input.query,
        limit: input.limit,
        now: context.now(),
      })
      if (found.length > 0) scribe.commit({ kind: 'memory.accessed', memories: found.map((memory) => memory.id) })
      return { success: true, entries: found.map(serializeEntryMemory), count: found.length }
    },
  })

export const retrieveFromMemory = retrieve('project')
export const retrieveFromGlobalMemory = retrieve('global')
