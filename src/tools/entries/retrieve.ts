// retrieve_from_memory, retrieve_from_global_memory: entries by words, ranked as `memctl search` ranks them. What is found counts as read.
import type { Layer } from '../../entries/entry.ts'
import { briefly } from '../memory/shape.ts'
import { tool } from '../tool.ts'
import { hasTags, limit, query, scribeFor, shelfOf, shownMemory, WHOSE, withTags } from './fields.ts'

const retrieve = (layer: Layer) =>
  tool({
    name: layer === 'project' ? 'retrieve_from_memory' : 'retrieve_from_global_memory',
    title: layer === 'project' ? 'Find entries' : 'Find global entries',
    description:
      layer === 'project'
        ? 'Entries of this project by words in key, tags and text, best first.'
        : 'Entries that hold in every project, by words in key, tags and text, best first.',
    layer: 'entries',
    effect: 'reads',
    command: {
      words: 'entry find',
      args: ['query'],
      stdin: 'query',
      differs: '`memctl search` among entries; what is found counts as read',
      ...(layer === 'global' ? { flag: layer } : {}),
    },
    brief: briefly('entries'),
    input: { query, tags: withTags, limit: limit(10), ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const [{ entriesOf }, { searchEntries }, { liveIndexOf }] = await Promise.all([
        import('../../broker/entries/keep.ts'),
        import('../../broker/entries/searchEntries.ts'),
        import('../../broker/search/liveReader.ts'),
      ])
      const { desk } = scribe
      const all = entriesOf(desk, shelfOf(layer, input)).filter((memory) => hasTags(memory, input.tags))
      const found = searchEntries(desk.store, liveIndexOf(desk).reader(), all, {
        text: input.query,
        limit: input.limit,
        now: world.now(),
      })
      if (found.length > 0) scribe.tell({ kind: 'memory.accessed', memories: found.map((memory) => memory.id) })
      return { success: true, entries: found.map(shownMemory), count: found.length }
    },
  })

export const retrieveFromMemory = retrieve('project')
export const retrieveFromGlobalMemory = retrieve('global')
