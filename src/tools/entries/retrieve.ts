// retrieve_from_memory, retrieve_from_global_memory: entries by words. What is found counts as read.
import type { Layer } from '../../entries/entry.ts'
import { entryOfMemory, markOf } from '../../entries/mark.ts'
import { type Card, cardOf, sought } from '../../entries/sought.ts'
import type { Memory } from '../../model/memory.ts'
import { briefly } from '../memory/shape.ts'
import { tool } from '../tool.ts'
import { hasTags, limit, query, scribeFor, shelfOf, shownMemory, WHOSE, withTags } from './fields.ts'

/** A memory's words are counted once as long as it is what it is. */
const cards = new WeakMap<Memory, Card<Memory>>()

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
    command: { words: 'entry find', args: ['query'], stdin: 'query', ...(layer === 'global' ? { flag: layer } : {}) },
    brief: briefly('entries'),
    input: { query, tags: withTags, limit: limit(10), ...WHOSE[layer] },
    async handle(input, world) {
      const scribe = await scribeFor(world, layer, input)
      const { entriesOf } = await import('../../broker/entries/keep.ts')
      const all = entriesOf(scribe.desk, shelfOf(layer, input)).filter((memory) => hasTags(memory, input.tags))
      const found = sought(all.map(cardFor), input.query).slice(0, input.limit)
      if (found.length > 0) scribe.tell({ kind: 'memory.accessed', memories: found.map((memory) => memory.id) })
      return { success: true, entries: found.map(shownMemory), count: found.length }
    },
  })

function cardFor(memory: Memory): Card<Memory> {
  const before = cards.get(memory)
  if (before) return before
  const { session } = markOf(memory)!
  // A session's entries are found by its name too: who comes back to it asks so.
  const card = cardOf(memory, entryOfMemory(memory), session === undefined ? [] : [session])
  cards.set(memory, card)
  return card
}

export const retrieveFromMemory = retrieve('project')
export const retrieveFromGlobalMemory = retrieve('global')
