// memory_update: what is given takes the place of what was; metadata is merged key by key.
import type * as Given from '../../broker/given.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory, MemoryChange } from '../../model/memory.ts'
import { type InputOf, invalid, optional } from '../field.ts'
import { tool } from '../tool.ts'
import type { World } from '../world.ts'
import { assertNoEntry, content, id, memoryOf, metadata, tags, tier } from './fields.ts'

/** What of one memory is changed; also an item of memory_batch_update. */
export const UPDATE_FIELDS = {
  id,
  content: optional(content),
  tags: optional(tags),
  metadata: optional(metadata),
  memory_tier: optional(tier),
}

export const memoryUpdate = tool({
  name: 'memory_update',
  title: 'Update a memory',
  description: 'Change a memory: tags are replaced, metadata is merged, memory_tier promotes or demotes.',
  layer: 'memory',
  core: true,
  effect: 'writes',
  command: { words: 'memory update', args: ['id'], stdin: 'content' },
  input: UPDATE_FIELDS,
  async handle(input, world) {
    const given = await import('../../broker/given.ts')
    const change = changeFrom(input, memoryOf(world, input.id), world, given)
    world.tell({ kind: 'memory.updated', change })
    return { id: change.memory, updated: true, updated_at: memoryOf(world, change.memory).updated }
  },
})

/** The change that such an input asks for. Throws INPUT_INVALID where it asks for none. */
export function changeFrom(
  input: InputOf<typeof UPDATE_FIELDS>,
  memory: Memory,
  world: World,
  { changeGiven }: Pick<typeof Given, 'changeGiven'>,
): MemoryChange {
  assertNoEntry(memory)
  const { content, tags, metadata, memory_tier: retention } = input
  if ([content, tags, metadata, retention].every((value) => value === undefined)) {
    throw invalid('There is nothing to update', 'Give content, tags, metadata or memory_tier.')
  }
  return changeGiven({
    ...{ memory: memory.id, content, tags, metadata, retention },
    // What becomes long-term stays, whatever was said of its end before.
    ...(retention === 'long_term' ? { expires: null } : {}),
    ...(retention === 'working' ? { session: world.session as SessionId | undefined } : {}),
  })
}
