// memory_list: all that pass a filter, page by page. In the order in which they were first made, so that a page stays the same while others store.
import { seenBy } from '../../broker/eyes.ts'
import type { Memory } from '../../model/memory.ts'
import { list, optional, text, wholeNumber, withDefault } from '../field.ts'
import { tool } from '../tool.ts'
import { contentType, createdAfter, createdBefore, eyesOf, tier } from './fields.ts'
import { briefly, listed } from './shape.ts'

export const FILTER_FIELDS = {
  memory_tier: optional(tier),
  tags: optional(list('Only with all of these tags', text('Tag'))),
  content_type: optional(contentType),
  created_after: optional(createdAfter),
  created_before: optional(createdBefore),
}

interface Filter {
  readonly memory_tier: Memory['retention'] | undefined
  readonly tags: readonly string[] | undefined
  readonly content_type: Memory['contentType'] | undefined
  readonly created_after: string | undefined
  readonly created_before: string | undefined
}

export const memoryList = tool({
  name: 'memory_list',
  title: 'List memories',
  description: 'Memories by tier, tags, type and time, oldest first, page by page.',
  layer: 'memory',
  effect: 'reads',
  command: { words: 'memory list' },
  brief: briefly('memories'),
  input: {
    ...FILTER_FIELDS,
    limit: withDefault(wholeNumber('How many', { min: 1, max: 1000 }), 50),
    offset: withDefault(wholeNumber('How many to leave out', { min: 0 }), 0),
  },
  handle({ limit, offset, ...filter }, world) {
    const found = seenBy(world.desk, eyesOf(world)).filter((memory) => passes(memory, filter))
    return { memories: found.slice(offset, offset + limit).map(listed), total: found.length, limit, offset }
  },
})

export const passes = (memory: Memory, filter: Filter): boolean =>
  (filter.memory_tier === undefined || memory.retention === filter.memory_tier) &&
  (filter.content_type === undefined || memory.contentType === filter.content_type) &&
  (filter.created_after === undefined || memory.created >= filter.created_after) &&
  (filter.created_before === undefined || memory.created < filter.created_before) &&
  (filter.tags?.every((tag) => memory.tags.includes(tag)) ?? true)
