// memory_get: one memory, whole. It counts as an access.
import { defineTool } from '../definition/tool.ts'
import { knownFields, memoryIdField, requireMemory } from './memoryFields.ts'

export const memoryGet = defineTool({
  name: 'memory_get',
  title: 'Get a memory',
  description: 'One memory whole, by its id.',
  group: 'memory',
  core: true,
  effect: 'reads',
  command: { words: 'memory get', args: ['id'] },
  input: { id: memoryIdField },
  handle(input, context) {
    const memory = requireMemory(context, input.id)
    context.commit({ kind: 'memory.accessed', memories: [memory.id] })
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
