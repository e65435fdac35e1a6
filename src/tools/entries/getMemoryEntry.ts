// get_memory_entry: one entry by its key, of the project, else of the global layer.
import type { EntryLayer } from '../../entries/entry.ts'
import { defineTool } from '../definition/tool.ts'
import {
  entryKeyField,
  entryNotFound,
  OWNER_FIELDS,
  openEntryWriter,
  serializeEntryMemory,
  toEntryScope,
} from './entryFields.ts'

export const getMemoryEntry = defineTool({
  name: 'get_memory_entry',
  title: 'Get an entry',
  description: 'One entry whole by its key: the project’s, else the global one.',
  group: 'entries',
  effect: 'reads',
  command: { words: 'entry get', args: ['key'] },
  input: { key: entryKeyField, ...OWNER_FIELDS.project },
  async handle(input, context) {
    const { findEntry } = await import('../../broker/entries/entryRepository.ts')
    const layers: readonly EntryLayer[] = input.session_id === undefined ? ['project', 'global'] : ['project']
    for (const layer of layers) {
      const scribe = await openEntryWriter(context, layer, input)
      const memory = findEntry(scribe.liveStore, toEntryScope(layer, input), input.key)
      if (!memory) continue
      scribe.commit({ kind: 'memory.accessed', memories: [memory.id] })
      return { success: true, layer, entry: serializeEntryMemory(memory) }
    }
    throw entryNotFound(input.key, 'Look with list_memory_entries, or in the archive with search_memory_archive.')
  },
})
