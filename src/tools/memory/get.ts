// memory_get: one memory, whole. It counts as an access.
import { tool } from '../tool.ts'
import { id, knownFields, memoryOf } from './fields.ts'

export const memoryGet = tool({
  name: 'memory_get',
  title: 'Get a memory',
  description: 'One memory whole, by its id.',
  layer: 'memory',
  core: true,
  effect: 'reads',
  command: { words: 'memory get', args: ['id'] },
  input: { id },
  handle(input, world) {
    const memory = memoryOf(world, input.id)
    world.tell({ kind: 'memory.accessed', memories: [memory.id] })
    return {
      id: memory.id,
      content: memory.content,
      content_type: memory.contentType,
      memory_tier: memory.retention,
      tags: memory.tags,
      metadata: memory.metadata,
      created_at: memory.created,
      updated_at: memory.updated,
      expires_at: memory.expires ?? null,
      ...knownFields(memory),
    }
  },
})
