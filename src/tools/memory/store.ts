// memory_store: one memory kept.
import type * as Given from '../../broker/given.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { type InputOf, optional, text, wholeNumber, withDefault } from '../field.ts'
import { tool } from '../tool.ts'
import type { World } from '../world.ts'
import { content, contentType, metadata, tags, tier } from './fields.ts'

/** What one memory is made of; also an item of memory_batch_store. */
export const STORE_FIELDS = {
  content,
  content_type: withDefault(contentType, 'text'),
  memory_tier: withDefault(tier, 'long_term'),
  tags: withDefault(tags, []),
  metadata: withDefault(metadata, {}),
  agent_id: optional(text('Who stores it')),
  ttl_seconds: optional(wholeNumber('Seconds until it expires; 0 at once', { min: 0 })),
}

export const memoryStore = tool({
  name: 'memory_store',
  title: 'Store a memory',
  description: 'Keep something worth knowing in later sessions. Found again by memory_search at once.',
  layer: 'memory',
  core: true,
  coreFields: ['content', 'memory_tier', 'tags', 'ttl_seconds'],
  effect: 'writes',
  command: { words: 'memory store', args: ['content'], stdin: 'content' },
  input: STORE_FIELDS,
  async handle(input, world) {
    const memory = memoryFrom(input, world, await import('../../broker/given.ts'))
    world.tell({ kind: 'memory.stored', memory })
    return { id: memory.id, content: memory.content, memory_tier: memory.retention, created_at: memory.created }
  },
})

/** The memory that such an input asks for. */
export const memoryFrom = (
  input: InputOf<typeof STORE_FIELDS>,
  world: World,
  { memoryGiven }: Pick<typeof Given, 'memoryGiven'>,
): Memory =>
  memoryGiven({
    id: world.newId(),
    content: input.content,
    contentType: input.content_type,
    retention: input.memory_tier,
    tags: input.tags,
    metadata: input.metadata,
    agentId: input.agent_id,
    session: world.session as SessionId | undefined,
    ttlSeconds: input.ttl_seconds,
    now: world.now(),
  })
