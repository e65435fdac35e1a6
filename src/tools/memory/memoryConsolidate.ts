// memory_consolidate: several memories become one, its words taken from theirs.
import { flag, invalidInput, list, optional, text, withDefault } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import { assertNotEntry, memoryIdField, metadataField, requireMemory, tagsField } from './memoryFields.ts'

export const memoryConsolidate = defineTool({
  name: 'memory_consolidate',
  title: 'Consolidate memories',
  description: 'Make one memory of 2 to 50 related ones, from their most telling sentences.',
  group: 'memory',
  effect: 'writes',
  command: { words: 'consolidate', args: ['memory_ids'] },
  input: {
    memory_ids: list('IDs of the memories', memoryIdField, { min: 2, max: 50 }),
    summary_strategy: withDefault(
      text('How its words are found: extractive takes the most telling sentences', { choices: ['extractive'] }),
      'extractive',
    ),
    preserve_originals: withDefault(flag('Keep the originals'), true),
    tags: optional(tagsField),
    metadata: optional(metadataField),
  },
  async handle({ memory_ids, preserve_originals, tags, metadata }, context) {
    const distinct = [...new Set(memory_ids.map((one) => one.toLowerCase()))]
    if (distinct.length < 2) throw invalidInput('memory_ids names one memory only', 'Give 2 to 50 different ids.')
    const originals = distinct.map((one) => requireMemory(context, one))
    if (!preserve_originals) for (const memory of originals) assertNotEntry(memory)
    const { consolidateMemories } = await import('../../broker/commands/consolidateMemories.ts')
    const memory = consolidateMemories(originals, { id: context.newId(), tags, metadata, now: context.now() })
    const from = originals.map((one) => one.id)
    context.commit({ kind: 'memory.consolidated', memory, from, preserved: preserve_originals })
    return {
      success: true,
      consolidated_memory_id: memory.id,
      original_count: from.length,
      preserved: preserve_originals,
      summary_length: memory.content.length,
    }
  },
})
