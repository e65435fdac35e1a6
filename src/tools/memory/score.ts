// memory_get_score, memory_set_score: what a memory is worth by its use, and what somebody says that it is worth.
import { accessScoreOf } from '../../model/accessScore.ts'
import { number, text, withDefault } from '../field.ts'
import { tool } from '../tool.ts'
import { id, memoryOf } from './fields.ts'

export const memoryGetScore = tool({
  name: 'memory_get_score',
  title: 'Get importance',
  description: 'A memory’s importance, from how often and how lately it was opened, or as it was set.',
  layer: 'memory',
  effect: 'reads',
  command: { words: 'score get', args: ['id'] },
  input: { id },
  handle(input, world) {
    const memory = memoryOf(world, input.id)
    return {
      success: true,
      memory_id: memory.id,
      importance_score: accessScoreOf(memory, world.now()),
      access_count: memory.accessCount,
      last_accessed_at: memory.lastUsed ?? null,
    }
  },
})

export const memorySetScore = tool({
  name: 'memory_set_score',
  title: 'Set importance',
  description: 'Pin a memory’s importance; the reason is kept in the log.',
  layer: 'memory',
  effect: 'writes',
  command: { words: 'score set', args: ['id', 'score'] },
  input: {
    id,
    score: number('The new importance', { min: 0, max: 1 }),
    reason: withDefault(text('Why', { charsMax: 2_000 }), 'Manual override'),
  },
  async handle({ id, score, reason }, world) {
    const { clean } = await import('../../broker/given.ts')
    const memory = memoryOf(world, id)
    const previous = accessScoreOf(memory, world.now())
    world.tell({ kind: 'memory.scored', memory: memory.id, score, previous, reason: clean(reason) })
    return { success: true, memory_id: memory.id, previous_score: previous, new_score: score }
  },
})
