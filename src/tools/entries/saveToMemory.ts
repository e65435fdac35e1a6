// save_to_memory, save_to_global_memory: an entry under its key, a new one or in the place of the one there is.
import type { EntryLayer } from '../../entries/entry.ts'
import { optional } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import {
  entryContentField,
  entryKeyField,
  entryTagsField,
  finishWrite,
  OWNER_FIELDS,
  openEntryWriter,
  serializeEntryMemory,
  toEntryScope,
} from './entryFields.ts'

const save = (layer: EntryLayer) =>
  defineTool({
    name: layer === 'project' ? 'save_to_memory' : 'save_to_global_memory',
    title: layer === 'project' ? 'Save an entry' : 'Save a global entry',
    description:
      layer === 'project'
        ? 'Keep a decision or what was learnt in this project, as a file under a key. An existing key is updated.'
        : 'Keep what holds in every project (preferences, conventions), as a file under a key. An existing key is updated.',
    group: 'entries',
    effect: 'writes',
    command: { words: 'entry save', args: ['key'], stdin: 'content', ...(layer === 'global' ? { flag: layer } : {}) },
    input: { key: entryKeyField, content: entryContentField, tags: optional(entryTagsField), ...OWNER_FIELDS[layer] },
    async handle(input, context) {
      const scribe = await openEntryWriter(context, layer, input)
      const { saveEntry } = await import('../../broker/entries/entryRepository.ts')
      const memory = saveEntry(scribe, toEntryScope(layer, input), input)
      const archived = await finishWrite(context, layer, scribe)
      return { success: true, entry: serializeEntryMemory(memory), ...(archived.length > 0 ? { archived } : {}) }
    },
  })

export const saveToMemory = save('project')
export const saveToGlobalMemory = save('global')
