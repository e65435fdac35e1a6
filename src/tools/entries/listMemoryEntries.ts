// list_memory_entries, list_global_memory_entries: by key, page by page; with the files that cannot be read as entries.
import type { EntryLayer } from '../../entries/entry.ts'
import { defineTool } from '../definition/tool.ts'
import { truncateContents } from '../memory/serializeMemory.ts'
import {
  hasTags,
  limitField,
  OWNER_FIELDS,
  offsetField,
  openEntryWriter,
  serializeEntryMemory,
  tagFilterField,
  toEntryScope,
} from './entryFields.ts'

const listOf = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'list_memory_entries' : 'list_global_memory_entries',
    title: layer === 'project' ? 'List entries' : 'List global entries',
    description: layer === 'project' ? 'This project’s entries by key.' : 'The entries of every project by key.',
    group: 'entries',
    effect: 'reads',
    command: { words: 'entry list', ...(layer === 'global' ? { flag: layer } : {}) },
    shorten: truncateContents('entries'),
    input: { tags: tagFilterField, limit: limitField(50), offset: offsetField, ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const [{ listEntries }, { listInvalidEntries }] = await Promise.all([
        import('../../broker/entries/entryRepository.ts'),
        import('../../broker/entries/syncEntries.ts'),
      ])
      const all = listEntries(scribe.liveStore, toEntryScope(layer, input)).filter((memory) =>
        hasTags(memory, input.tags),
      )
      const page = all.slice(input.offset, input.offset + input.limit)
      const broken = listInvalidEntries(scribe.liveStore, scribe.now, layer)
      return {
        ...{ success: true, entries: page.map(serializeEntryMemory), count: page.length, total: all.length },
        ...(broken.length > 0 ? { broken } : {}),
      }
    },
  })

export const listMemoryEntries = listOf('project')
export const listGlobalMemoryEntries = listOf('global')
