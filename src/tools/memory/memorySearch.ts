// memory_search: by meaning, by words, or both.
import { SEARCH_MODES, SEARCH_SORTS } from '../../broker/search/searchOptions.ts'
import { MEMORY_KINDS, type Memory } from '../../model/memory.ts'
import { TIERS } from '../../model/tier.ts'
import { integer, number, optional, text, withDefault } from '../definition/field.ts'
import { defineTool } from '../definition/tool.ts'
import { viewingSession } from './memoryFields.ts'
import { FILTER_FIELDS, passesListFilter } from './memoryList.ts'
import { truncateContents } from './serializeMemory.ts'

const share = (description: string) => number(description, { min: 0, max: 1 })

export const memorySearch = defineTool({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'What is known from earlier sessions: ids and how each memory begins, best first. memory_get gives one whole.',
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
    query: text('What to look for'),
    top_k: withDefault(integer('How many', { min: 1, max: 1000 }), 10),
    ...FILTER_FIELDS,
    min_similarity: withDefault(share('Least similarity'), 0),
    search_mode: withDefault(text('How to match', { choices: SEARCH_MODES }), 'semantic'),
    keyword_weight: withDefault(share('Part of keywords in hybrid'), 0.3),
    sort_by: withDefault(text('Order of the results', { choices: SEARCH_SORTS }), 'relevance'),
    importance_weight: withDefault(share('Part of importance in ranking'), 0),
    agent_id: optional(text('Only stored by this agent')),
    kind: optional(text('Only of this kind', { choices: MEMORY_KINDS })),
    age_tier: optional(text('Only of this age: hot up to 7 days, warm up to 30, cold', { choices: TIERS })),
  },
  async handle(input, context) {
    const [{ openQueryEmbedder }, { hybridSearch }] = await Promise.all([
      import('../../broker/embedding/openEmbedder.ts'),
      import('../../broker/search/hybridSearch.ts'),
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
      passes: (memory: Memory) =>
        passesListFilter(memory, input) &&
        (input.agent_id === undefined || memory.agentId === input.agent_id) &&
        (input.kind === undefined || memory.kind === input.kind) &&
        (input.age_tier === undefined || memory.tier === input.age_tier),
    }
    const hits = await hybridSearch(context.liveStore, request, embedder)
    const results = hits.map(({ memory, similarity }) => ({
      id: memory.id,
      content: memory.content,
      similarity,
      memory_tier: memory.retention,
      tags: memory.tags,
      created_at: memory.created,
    }))
    return { results, total: results.length }
  },
})
