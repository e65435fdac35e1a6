// delete_memory_entry, delete_global_memory_entry: gone, and not to the archive.
import type { Layer } from '../../entries/entry.ts'
import { tool } from '../tool.ts'
import { afterWriting, KEEPERS, key, notFound, scribeFor, shelfOf, WHOSE } from './fields.ts'

const remove = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'delete_memory_entry' : 'delete_global_memory_entry',
    title: layer === 'project' ? 'Delete an entry' : 'Delete a global entry',
    description: 'Delete an entry by its key. It does not go to the archive.',
    layer: 'entries',
    roles: KEEPERS,
    effect: 'destroys',
    command: { words: 'entry delete', args: ['key'], ...(layer === 'global' ? { flag: layer } : {}) },
    input: { key, ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const { deleteEntry } = await import('../../broker/entries/keep.ts')
      if (!deleteEntry(scribe, shelfOf(layer, input), input.key)) {
        throw notFound(input.key, 'What is in the archive is not deleted. Look with the tools that list.')
      }
      await afterWriting(world, layer, scribe)
      return { success: true, key: input.key }
    },
  })

export const deleteMemoryEntry = remove('project')
export const deleteGlobalMemoryEntry = remove('global')
