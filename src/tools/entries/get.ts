// get_memory_entry: one entry by its key, of the project, else of the global layer.
import type { Layer } from '../../entries/entry.ts'
import { tool } from '../tool.ts'
import { key, notFound, scribeFor, shelfOf, shownMemory, WHOSE } from './fields.ts'

export const getMemoryEntry = tool({
  name: 'get_memory_entry',
  title: 'Get an entry',
  description: 'One entry whole by its key: the project’s, else the global one.',
  layer: 'entries',
  effect: 'reads',
  command: { words: 'entry get', args: ['key'] },
  input: { key, ...WHOSE.project },
  async handle(input, world) {
    const { entryNamed } = await import('../../broker/entries/keep.ts')
    const layers: readonly Layer[] = input.session_id === undefined ? ['project', 'global'] : ['project']
    for (const layer of layers) {
      const scribe = await scribeFor(world, layer, input)
      const memory = entryNamed(scribe.desk, shelfOf(layer, input), input.key)
      if (!memory) continue
      scribe.tell({ kind: 'memory.accessed', memories: [memory.id] })
      return { success: true, layer, entry: shownMemory(memory) }
    }
    throw notFound(input.key, 'Look with list_memory_entries, or in the archive with search_memory_archive.')
  },
})
