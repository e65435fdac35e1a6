// memory_list: all that pass a filter, page by page. In the order in which they were first made, so that a page stays the same while others store.
import { listVisible } from '../../broker/live/visibility.ts'
import type { Memory } from '../../model/memory.ts'
import { integer, list, optional, text, withDefault } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import { contentTypeField, createdAfterField, createdBeforeField, tierField, viewingSession } from './memoryFields.ts'
import { toListItem, truncateContents } from './serializeMemory.ts'

export const FILTER_FIELDS = {
  memory_tier: optional(tierField),
  tags: optional(list('Only with all of these tags', text('Tag'))),
  content_type: optional(contentTypeField),
  created_after: optional(createdAfterField),
  created_before: optional(createdBeforeField),
}

interface MemoryListFilter {
  readonly memory_tier: Memory['retention'] | undefined
  readonly tags: readonly string[] | undefined
  readonly content_type: Memory['contentType'] | undefined
  readonly created_after: string | undefined
  readonly created_before: string | undefined
}

export const memoryList = defineTool({
  name: 'memory_list',
  title: 'List memories',
  description: 'Memories by tier, tags, type and time, oldest first, page by page.',
  group: 'memory',
  effect: 'reads',
  command: { words: 'memory list' },
  shorten: truncateContents('memories'),
  input: {
    ...FILTER_FIELDS,
    limit: withDefault(integer('How many', { min: 1, max: 1000 }), 50),
    offset: withDefault(integer('How many to leave out', { min: 0 }), 0),
  },
  handle({ limit, offset, ...filter }, context) {
    const found = listVisible(context.liveStore, viewingSession(context)).filter((memory) =>
      passesListFilter(memory, filter),
    )
    return { memories: found.slice(offset, offset + limit).map(toListItem), total: found.length, limit, offset }
  },
})

export const passesListFilter = (memory: Memory, filter: MemoryListFilter): boolean =>
  (filter.memory_tier === undefined || memory.retention === filter.memory_tier) &&
  (filter.content_type === undefined || memory.contentType === filter.content_type) &&
  (filter.created_after === undefined || memory.created >= filter.created_after) &&
  (filter.created_before === undefined || memory.created < filter.created_before) &&
  (filter.tags?.every((tag) => memory.tags.includes(tag)) ?? true)
