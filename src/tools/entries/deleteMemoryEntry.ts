// delete_memory_entry, delete_global_memory_entry: gone, and not to the archive.
import type { EntryLayer } from '../../entries/entry.ts'
import { defineTool } from '../definition/tool.ts'
import {
  ARCHIVE_ROLES,
  entryKeyField,
  entryNotFound,
  finishWrite,
  OWNER_FIELDS,
  openEntryWriter,
  toEntryScope,
} from './entryFields.ts'

const remove = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'delete_memory_entry' : 'delete_global_memory_entry',
    title: layer === 'project' ? 'Delete an entry' : 'Delete a global entry',
    description: 'Delete an entry by its key. It does not go to the archive.',
    group: 'entries',
    roles: ARCHIVE_ROLES,
    effect: 'destroys',
    command: { words: 'entry delete', args: ['key'], ...(layer === 'global' ? { flag: layer } : {}) },
    input: { key: entryKeyField, ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const { deleteEntry } = await import('../../broker/entries/entryRepository.ts')
      if (!deleteEntry(scribe, toEntryScope(layer, input), input.key)) {
        throw entryNotFound(input.key, 'What is in the archive is not deleted. Look with the tools that list.')
      }
      await finishWrite(context, layer, scribe)
      return { success: true, key: input.key }
    },
  })

export const deleteMemoryEntry = remove('project')
export const deleteGlobalMemoryEntry = remove('global')
