// memory_get_score, memory_set_score: what a memory is worth by its use, and what somebody says that it is worth.
import { computeAccessScore } from '../../model/accessScore.ts'
import { number, text, withDefault } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import { memoryIdField, requireMemory } from './memoryFields.ts'

export const memoryGetScore = defineTool({
  name: 'memory_get_score',
  title: 'Get importance',
  description: 'A memory’s importance, from how often and how lately it was opened, or as it was set.',
  group: 'memory',
  effect: 'reads',
  command: { words: 'score get', args: ['id'] },
  input: { id: memoryIdField },
  handle(input, context) {
    const memory = requireMemory(context, input.id)
    return {
      success: true,
      memory_id: memory.id,
      importance_score: computeAccessScore(memory, context.now()),
      access_count: memory.accessCount,
      last_accessed_at: memory.lastUsed ?? null,
    }
  },
})

export const memorySetScore = defineTool({
  name: 'memory_set_score',
  title: 'Set importance',
  description: 'Pin a memory’s importance; the reason is kept in the log.',
  group: 'memory',
  effect: 'writes',
  command: { words: 'score set', args: ['id', 'score'] },
  input: {
    id: memoryIdField,
    score: number('The new importance', { min: 0, max: 1 }),
    reason: withDefault(text('Why', { charsMax: 2_000 }), 'Manual override'),
  },
  async handle({ id, score, reason }, context) {
    const { sanitize } = await import('../../broker/commands/newMemory.ts')
    const memory = requireMemory(context, id)
    const previous = computeAccessScore(memory, context.now())
    context.commit({ kind: 'memory.scored', memory: memory.id, score, previous, reason: sanitize(reason) })
    return { success: true, memory_id: memory.id, previous_score: previous, new_score: score }
  },
})
