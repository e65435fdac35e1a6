// memory_store: one memory kept.
import type * as Given from '../../broker/commands/newMemory.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { type InputOf, integer, optional, text, withDefault } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import type { ToolContext } from '../definition/toolContext.ts'
import { contentField, contentTypeField, metadataField, tagsField, tierField } from './memoryFields.ts'

/** What one memory is made of; also an item of memory_batch_store. */
export const STORE_FIELDS = {
  content: contentField,
  content_type: withDefault(contentTypeField, 'text'),
  memory_tier: withDefault(tierField, 'long_term'),
  tags: withDefault(tagsField, []),
  metadata: withDefault(metadataField, {}),
  agent_id: optional(text('Who stores it')),
  ttl_seconds: optional(integer('Seconds until it expires; 0 at once', { min: 0 })),
}

export const memoryStore = defineTool({
  name: 'memory_store',
  title: 'Store a memory',
  description: 'Keep something worth knowing in later sessions. Found again by memory_search at once.',
  group: 'memory',
  core: true,
  coreFields: ['content', 'memory_tier', 'tags', 'ttl_seconds'],
  effect: 'writes',
  command: { words: 'memory store', args: ['content'], stdin: 'content' },
  input: STORE_FIELDS,
  async handle(input, context) {
    const memory = memoryFromStoreInput(input, context, await import('../../broker/commands/newMemory.ts'))
    context.commit({ kind: 'memory.stored', memory })
    return { id: memory.id, content: memory.content, memory_tier: memory.retention, created_at: memory.created }
  },
})

/** The memory that such an input asks for. */
export const memoryFromStoreInput = (
  input: InputOf<typeof STORE_FIELDS>,
  context: ToolContext,
  { memoryFromInput }: Pick<typeof Given, 'memoryFromInput'>,
): Memory =>
  memoryFromInput({
    id: context.newId(),
    content: input.content,
    contentType: input.content_type,
    retention: input.memory_tier,
    tags: input.tags,
    metadata: input.metadata,
    agentId: input.agent_id,
    session: context.session as SessionId | undefined,
    ttlSeconds: input.ttl_seconds,
    now: context.now(),
  })
