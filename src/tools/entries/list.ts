// list_memory_entries, list_global_memory_entries: by key, page by page; with the files that cannot be read as entries.
import type { Layer } from '../../entries/entry.ts'
import { briefly } from '../memory/shape.ts'
import { tool } from '../tool.ts'
import { hasTags, limit, offset, scribeFor, shelfOf, shownMemory, WHOSE, withTags } from './fields.ts'

const listOf = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'list_memory_entries' : 'list_global_memory_entries',
    title: layer === 'project' ? 'List entries' : 'List global entries',
    description: layer === 'project' ? 'This project’s entries by key.' : 'The entries of every project by key.',
    layer: 'entries',
    effect: 'reads',
    command: { words: 'entry list', ...(layer === 'global' ? { flag: layer } : {}) },
    brief: briefly('entries'),
    input: { tags: withTags, limit: limit(50), offset, ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const [{ entriesOf }, { brokenEntries }] = await Promise.all([
        import('../../broker/entries/keep.ts'),
        import('../../broker/entries/takeUp.ts'),
      ])
      const all = entriesOf(scribe.desk, shelfOf(layer, input)).filter((memory) => hasTags(memory, input.tags))
      const page = all.slice(input.offset, input.offset + input.limit)
      const broken = brokenEntries(scribe.desk, scribe.now, layer)
      return {
        ...{ success: true, entries: page.map(shownMemory), count: page.length, total: all.length },
        ...(broken.length > 0 ? { broken } : {}),
      }
    },
  })

export const listMemoryEntries = listOf('project')
export const listGlobalMemoryEntries = listOf('global')
