// memory_search: by meaning, by words, or both.
import { SEARCH_MODES, SEARCH_SORTS } from '../../broker/search/searchOptions.ts'
import { KINDS, type Memory } from '../../model/memory.ts'
import { TIERS } from '../../model/tier.ts'
import { number, optional, text, wholeNumber, withDefault } from '../field.ts'
import { tool } from '../tool.ts'
import { eyesOf } from './fields.ts'
import { FILTER_FIELDS, passes } from './list.ts'
import { briefly } from './shape.ts'

const share = (description: string) => number(description, { min: 0, max: 1 })

export const memorySearch = tool({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'What is known from earlier sessions: ids and how each memory begins, best first. memory_get gives one whole.',
  layer: 'memory',
  core: true,
  coreFields: ['query', 'top_k', 'tags', 'search_mode'],
  effect: 'reads',
  command: {
    words: 'memory search',
    args: ['query'],
    stdin: 'query',
    differs: '`memctl search` with the filters, modes and sort orders of the tool',
  },
  brief: briefly('results'),
  input: {
    query: text('What to look for'),
    top_k: withDefault(wholeNumber('How many', { min: 1, max: 1000 }), 10),
    ...FILTER_FIELDS,
    min_similarity: withDefault(share('Least similarity'), 0),
    search_mode: withDefault(text('How to match', { choices: SEARCH_MODES }), 'semantic'),
    keyword_weight: withDefault(share('Part of keywords in hybrid'), 0.3),
    sort_by: withDefault(text('Order of the results', { choices: SEARCH_SORTS }), 'relevance'),
    importance_weight: withDefault(share('Part of importance in ranking'), 0),
    agent_id: optional(text('Only stored by this agent')),
    kind: optional(text('Only of this kind', { choices: KINDS })),
    age_tier: optional(text('Only of this age: hot up to 7 days, warm up to 30, cold', { choices: TIERS })),
  },
  async handle(input, world) {
    const [{ embedderForAsking }, { hybridSearch }] = await Promise.all([
      import('../../broker/embed/embedder.ts'),
      import('../../broker/search/hybridSearch.ts'),
    ])
    const embedder = await embedderForAsking(world.store, world.env)
    const request = {
      ...eyesOf(world),
      query: input.query,
      mode: input.search_mode,
      keywordWeight: input.keyword_weight,
      topK: input.top_k,
      similarityMin: input.min_similarity,
      sortBy: input.sort_by,
      importanceWeight: input.importance_weight,
      passes: (memory: Memory) =>
        passes(memory, input) &&
        (input.agent_id === undefined || memory.agentId === input.agent_id) &&
        (input.kind === undefined || memory.kind === input.kind) &&
        (input.age_tier === undefined || memory.tier === input.age_tier),
    }
    const hits = await hybridSearch(world.desk, request, embedder)
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
