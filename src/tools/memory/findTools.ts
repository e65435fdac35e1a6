// The tools that read memories: memory_search by meaning, by words or both; memory_list page by page; memory_get one in
// full.
import { listVisible } from '../../broker/live/liveStore.ts'
import { MEMORY_KINDS, type Memory, TIERS } from '../../model/memory.ts'
import { SEARCH_MODES, SEARCH_SORTS } from '../../model/recallQuery.ts'
import { dateTime, type InputOf, integer, list, number, optional, text, withDefault } from '../definition/field.ts'
import { defineTool, truncateContents } from '../definition/tool.ts'
import { viewingSession } from '../definition/toolContext.ts'
import {
  contentTypeField,
  memoryIdField,
  requireMemory,
  serializeAgentFields,
  serializeBrief,
  serializeDetails,
  tierField,
} from './memoryFields.ts'

const FILTER_FIELDS = {
  memory_tier: optional(tierField),
  tags: optional(list('Only memories with all of these tags', text('Tag'))),
  content_type: optional(contentTypeField),
  created_after: optional(dateTime('Created at or after this time, ISO 8601')),
  created_before: optional(dateTime('Created before this time, ISO 8601')),
}

const shareField = (description: string) => number(description, { min: 0, max: 1 })

export const memorySearch = defineTool({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'Search what people and earlier sessions left. Use it before you ask the person what may be known, and at an ' +
    'error or a task that looks familiar. Returns ids and beginnings; memory_get returns a text in full.',
  group: 'memory',
  core: true,
  coreFields: ['query', 'top_k', 'tags', 'search_mode'],
  effect: 'reads',
  command: {
    words: 'memory search',
    args: ['query'],
    stdin: 'query',
    differs: '`memctl search` with the filters, modes and sort orders of the tool',
  },
  shorten: truncateContents('results'),
  input: {
    query: text('What to search for'),
    top_k: withDefault(integer('Number of results', { min: 1, max: 1000 }), 10),
    ...FILTER_FIELDS,
    min_similarity: withDefault(shareField('Least similarity'), 0),
    search_mode: withDefault(text('How to match', { choices: SEARCH_MODES }), 'semantic'),
    keyword_weight: withDefault(shareField('Weight of keywords in hybrid'), 0.3),
    sort_by: withDefault(text('Order of the results', { choices: SEARCH_SORTS }), 'relevance'),
    importance_weight: withDefault(shareField('Weight of importance in ranking'), 0),
    agent_id: optional(text('Only memories that this agent stored')),
    kind: optional(text('Only memories of this kind', { choices: MEMORY_KINDS })),
    age_tier: optional(text('Only of this age: hot (up to 7 days), warm (up to 30 days) or cold', { choices: TIERS })),
  },
  async handle(input, context) {
    const [{ openQueryEmbedder }, { hybridSearch }, { recordFound }] = await Promise.all([
      import('../../broker/embedding/openEmbedder.ts'),
      import('../../broker/search/hybridSearch.ts'),
      import('../../broker/entries/searchEntries.ts'),
    ])
    const embedder = await openQueryEmbedder(context.store, context.env)
    const request = {
      ...viewingSession(context),
      query: input.query,
      mode: input.search_mode,
      keywordWeight: input.keyword_weight,
      topK: input.top_k,
      similarityMin: input.min_similarity,
      sortBy: input.sort_by,
      importanceWeight: input.importance_weight,
      signal: context.signal,
      passes: (memory: Memory) =>
        passesFilter(memory, input) &&
        (input.agent_id === undefined || memory.agentId === input.agent_id) &&
        (input.kind === undefined || memory.kind === input.kind) &&
        (input.age_tier === undefined || memory.tier === input.age_tier),
    }
    const hits = await hybridSearch(context.liveStore, request, embedder)
    recordFound(context.store, hits, context.now())
    const results = hits.map(({ memory, similarity }) => ({
      id: memory.id,
      content: memory.content,
      similarity,
      memory_tier: memory.retention,
      tags: memory.tags,
      created_at: memory.created,
      ...serializeBrief(memory),
    }))
    return { results, total: results.length }
  },
})

/** Oldest first, so that a page stays the same while others store. */
export const memoryList = defineTool({
  name: 'memory_list',
  title: 'List memories',
  description:
    'List memories by tier, tags, type and time, the oldest first. To find a topic, use memory_search: a list says ' +
    'nothing about relevance.',
  group: 'memory',
  effect: 'reads',
  command: { words: 'memory list' },
  shorten: truncateContents('memories'),
  input: {
    ...FILTER_FIELDS,
    limit: withDefault(integer('Maximum number of results', { min: 1, max: 1000 }), 50),
    offset: withDefault(integer('Number of results to skip', { min: 0 }), 0),
  },
  handle({ limit, offset, ...filter }, context) {
    const found = listVisible(context.liveStore, viewingSession(context)).filter((memory) =>
      passesFilter(memory, filter),
    )
    const memories = found.slice(offset, offset + limit).map((memory) => ({
      id: memory.id,
      content: memory.content,
      content_type: memory.contentType,
      memory_tier: memory.retention,
      tags: memory.tags,
      created_at: memory.created,
      ...serializeBrief(memory),
    }))
    return { memories, total: found.length, limit, offset }
  },
})

/** It counts as an access. */
export const memoryGet = defineTool({
  name: 'memory_get',
  title: 'Get a memory',
  description: 'Get one memory in full by an id that memory_search returned. It counts as a use of the memory.',
  group: 'memory',
  core: true,
  effect: 'counts',
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
      ...serializeAgentFields(memory),
      ...serializeDetails(memory),
    }
  },
})

const passesFilter = (memory: Memory, filter: InputOf<typeof FILTER_FIELDS>): boolean =>
  (filter.memory_tier === undefined || memory.retention === filter.memory_tier) &&
  (filter.content_type === undefined || memory.contentType === filter.content_type) &&
  (filter.created_after === undefined || memory.created >= filter.created_after) &&
  (filter.created_before === undefined || memory.created < filter.created_before) &&
  (filter.tags?.every((tag) => memory.tags.includes(tag)) ?? true)
