// save_to_memory, save_to_global_memory: an entry under its key, a new one or in the place of the one there is.
import type { Layer } from '../../entries/entry.ts'
import { optional } from '../field.ts'
import { tool } from '../tool.ts'
import { afterWriting, content, key, scribeFor, shelfOf, shownMemory, tags, WHOSE } from './fields.ts'

const save = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'save_to_memory' : 'save_to_global_memory',
    title: layer === 'project' ? 'Save an entry' : 'Save a global entry',
    description:
      layer === 'project'
        ? 'Keep a decision or what was learnt in this project, as a file under a key. An existing key is updated.'
        : 'Keep what holds in every project (preferences, conventions), as a file under a key. An existing key is updated.',
    layer: 'entries',
    effect: 'writes',
    command: { words: 'entry save', args: ['key'], stdin: 'content', ...(layer === 'global' ? { flag: layer } : {}) },
    input: { key, content, tags: optional(tags), ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const { saveEntry } = await import('../../broker/entries/keep.ts')
      const memory = saveEntry(scribe, shelfOf(layer, input), input)
      const archived = await afterWriting(world, layer, scribe)
      return { success: true, entry: shownMemory(memory), ...(archived.length > 0 ? { archived } : {}) }
    },
  })

export const saveToMemory = save('project')
export const saveToGlobalMemory = save('global')
