// memory_update: what is given takes the place of what was; metadata is merged key by key.
import type * as Given from '../../broker/commands/newMemory.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory, MemoryChange } from '../../model/memory.ts'
import { type InputOf, invalidInput, optional } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import type { ToolContext } from '../definition/toolContext.ts'
import {
  assertNotEntry,
  contentField,
  memoryIdField,
  metadataField,
  requireMemory,
  tagsField,
  tierField,
} from './memoryFields.ts'

/** What of one memory is changed; also an item of memory_batch_update. */
export const UPDATE_FIELDS = {
  id: memoryIdField,
  content: optional(contentField),
  tags: optional(tagsField),
  metadata: optional(metadataField),
  memory_tier: optional(tierField),
}

export const memoryUpdate = defineTool({
  name: 'memory_update',
  title: 'Update a memory',
  description: 'Change a memory: tags are replaced, metadata is merged, memory_tier promotes or demotes.',
  group: 'memory',
  core: true,
  effect: 'writes',
  command: { words: 'memory update', args: ['id'], stdin: 'content' },
  input: UPDATE_FIELDS,
  async handle(input, context) {
    const given = await import('../../broker/commands/newMemory.ts')
    const change = changeFromUpdateInput(input, requireMemory(context, input.id), context, given)
    context.commit({ kind: 'memory.updated', change })
    return { id: change.memory, updated: true, updated_at: requireMemory(context, change.memory).updated }
  },
})

/** The change that such an input asks for. Throws INPUT_INVALID where it asks for none. */
export function changeFromUpdateInput(
  input: InputOf<typeof UPDATE_FIELDS>,
  memory: Memory,
  context: ToolContext,
  { sanitizeChange }: Pick<typeof Given, 'sanitizeChange'>,
): MemoryChange {
  assertNotEntry(memory)
  const { content, tags, metadata, memory_tier: retention } = input
  if ([content, tags, metadata, retention].every((value) => value === undefined)) {
    throw invalidInput('There is nothing to update', 'Give content, tags, metadata or memory_tier.')
  }
  return sanitizeChange({
    ...{ memory: memory.id, content, tags, metadata, retention },
    // What becomes long-term stays, whatever was said of its end before.
    ...(retention === 'long_term' ? { expires: null } : {}),
    ...(retention === 'working' ? { session: context.session as SessionId | undefined } : {}),
  })
}
