// memory_consolidate: several memories become one, its words taken from theirs.
import { flag, invalid, list, optional, text, withDefault } from '../field.ts'
import { tool } from '../tool.ts'
import { assertNoEntry, id, memoryOf, metadata, tags } from './fields.ts'

export const memoryConsolidate = tool({
  name: 'memory_consolidate',
  title: 'Consolidate memories',
  description: 'Make one memory of 2 to 50 related ones, from their most telling sentences.',
  layer: 'memory',
  effect: 'writes',
  command: { words: 'consolidate', args: ['memory_ids'] },
  input: {
    memory_ids: list('IDs of the memories', id, { min: 2, max: 50 }),
    summary_strategy: withDefault(
      text('How its words are found: extractive takes the most telling sentences', { choices: ['extractive'] }),
      'extractive',
    ),
    preserve_originals: withDefault(flag('Keep the originals'), true),
    tags: optional(tags),
    metadata: optional(metadata),
  },
  async handle({ memory_ids, preserve_originals, tags, metadata }, world) {
    const distinct = [...new Set(memory_ids.map((one) => one.toLowerCase()))]
    if (distinct.length < 2) throw invalid('memory_ids names one memory only', 'Give 2 to 50 different ids.')
    const originals = distinct.map((one) => memoryOf(world, one))
    if (!preserve_originals) for (const memory of originals) assertNoEntry(memory)
    const { consolidated } = await import('../../broker/consolidate.ts')
    const memory = consolidated(originals, { id: world.newId(), tags, metadata, now: world.now() })
    const from = originals.map((one) => one.id)
    world.tell({ kind: 'memory.consolidated', memory, from, preserved: preserve_originals })
    return {
      success: true,
      consolidated_memory_id: memory.id,
      original_count: from.length,
      preserved: preserve_originals,
      summary_length: memory.content.length,
    }
  },
})
