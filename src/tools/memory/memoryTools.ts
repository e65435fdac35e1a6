// The tools for memories that exist: memory_search, memory_list and memory_get read them; memory_get_score and
// memory_set_score, memory_consolidate and memory_delete change them.
import { consolidateMemories } from '../../broker/commands/newMemory.ts'
import { listVisible } from '../../broker/live/liveStore.ts'
import { computeAccessScore } from '../../model/currentImportance.ts'
import type { Knowledge } from '../../model/knowledge.ts'
import { MEMORY_KINDS, type Memory, RETENTIONS, TIERS } from '../../model/memory.ts'
import { assertMayChange, isInPersonsWords } from '../../model/provenance.ts'
import { SEARCH_MODES, SEARCH_SORTS } from '../../model/recallQuery.ts'
import {
  dateTime,
  flag,
  type InputOf,
  integer,
  invalidInput,
  list,
  number,
  optional,
  text,
  withDefault,
} from '../definition/field.ts'
import { defineTool, truncateContents } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import {
  assertChangeable,
  contentTypeField,
  findMemory,
  memoryIdField,
  metadataField,
  requireMemory,
  serializeAgentFields,
  serializeBrief,
  serializeProvenance,
  tagsField,
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
  alwaysLoad: true,
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
      import('../../broker/embedding/configuredEmbedder.ts'),
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
    const visible = listVisible(context.liveStore, viewingSession(context))
    const found = visible.filter((memory) => passesFilter(memory, filter))
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

/** What memctl knows about a memory besides what was stored. Fields without information are left out. */
function serializeDetails(memory: Memory): Readonly<Record<string, unknown>> {
  const { sessionCount, archiveExempt, privacySince, editedFiles, leftOpen, counts } = memory
  const { knowledge, monthlyRollup, consolidatedFrom, recorded, entrySource } = memory
  return {
    ...serializeProvenance(memory),
    ...(sessionCount > 1 && { session_count: sessionCount }),
    ...(archiveExempt && { archive_exempt: archiveExempt }),
    ...(privacySince !== undefined && { privacy_since: privacySince }),
    ...(knowledge && { knowledge: serializeKnowledge(knowledge) }),
    ...(editedFiles && { edited_files: editedFiles }),
    ...(leftOpen && { left_open: leftOpen }),
    ...(counts && { counts }),
    ...(monthlyRollup && { monthly_rollup: monthlyRollup }),
    ...(consolidatedFrom && { consolidated_from: consolidatedFrom }),
    ...(recorded && { recorded }),
    ...(entrySource && { entry_source: entrySource }),
  }
}

/** Without the sessions that met it, which are in no answer of a tool. */
function serializeKnowledge({ record, ...text }: Knowledge) {
  const { calls, fired, failed, met, shown, obeyed, broken, lastMet } = record
  return { ...text, record: { calls, fired, failed, met, shown, obeyed, broken, last_met: lastMet } }
}

const passesFilter = (memory: Memory, filter: InputOf<typeof FILTER_FIELDS>): boolean =>
  (filter.memory_tier === undefined || memory.retention === filter.memory_tier) &&
  (filter.content_type === undefined || memory.contentType === filter.content_type) &&
  (filter.created_after === undefined || memory.created >= filter.created_after) &&
  (filter.created_before === undefined || memory.created < filter.created_before) &&
  (filter.tags?.every((tag) => memory.tags.includes(tag)) ?? true)

export const memoryGetScore = defineTool({
  name: 'memory_get_score',
  title: 'Get importance',
  description:
    'Get a memory’s importance and how often it was read. Use it to decide what to keep; memory_get returns the text.',
  group: 'memory',
  effect: 'reads',
  command: { words: 'memory get-score', args: ['id'] },
  input: { id: memoryIdField },
  handle(input, context) {
    const memory = requireMemory(context, input.id)
    return {
      success: true,
      memory_id: memory.id,
      importance_score: computeAccessScore(memory, context.now()),
      access_count: memory.accessCount,
      last_accessed_at: memory.lastUsed ?? null,
    }
  },
})

export const memorySetScore = defineTool({
  name: 'memory_set_score',
  title: 'Set importance',
  description:
    'Set a memory’s importance, if the person says how important it is. From then on counting does not change it. ' +
    'To change its text, use memory_update.',
  group: 'memory',
  effect: 'changes',
  isIdempotent: true,
  command: { words: 'memory set-score', args: ['id', 'score'] },
  input: {
    id: memoryIdField,
    score: number('The new importance', { min: 0, max: 1 }),
    reason: withDefault(text('The reason', { charsMax: 2_000 }), 'Manual override'),
  },
  handle({ id, score, reason }, context) {
    const memory = requireMemory(context, id)
    assertMayChange(memory, context.isForAgent)
    const previous = computeAccessScore(memory, context.now())
    context.commit({ kind: 'memory.scored', memory: memory.id, score, previous, reason })
    return { success: true, memory_id: memory.id, previous_score: previous, new_score: score }
  },
})

export const memoryConsolidate = defineTool({
  name: 'memory_consolidate',
  title: 'Consolidate memories',
  description:
    'Make one memory from the most informative sentences of 2 to 50 memories about the same subject. The originals ' +
    'are deleted only with preserve_originals false. To correct a single memory, use memory_update.',
  group: 'memory',
  effect: 'changes',
  command: { words: 'memory consolidate', args: ['memory_ids'] },
  input: {
    memory_ids: list('IDs of the memories', memoryIdField, { min: 2, max: 50 }),
    summary_strategy: withDefault(
      text('How the text is made: extractive selects the most informative sentences', { choices: ['extractive'] }),
      'extractive',
    ),
    preserve_originals: withDefault(flag('Keep the originals'), true),
    tags: optional(tagsField),
    metadata: optional(metadataField),
  },
  handle({ memory_ids, preserve_originals, tags, metadata }, context) {
    const ids = new Set(memory_ids.map((id) => id.toLowerCase()))
    // A single id is an error also if no memory has it; two ids can be the whole and the beginning of one.
    const originals = ids.size < 2 ? [] : [...new Set([...ids].map((id) => requireMemory(context, id)))]
    if (originals.length < 2) throw invalidInput('memory_ids names one memory only', 'Give 2 to 50 different ids.')
    if (!preserve_originals) assertChangeable(originals, context)
    const memory = consolidateMemories(originals, { id: context.newId(), tags, metadata, now: context.now() })
    const from = originals.map((original) => original.id)
    context.commit({ kind: 'memory.consolidated', memory, from, preserved: preserve_originals })
    return {
      success: true,
      consolidated_memory_id: memory.id,
      original_count: from.length,
      preserved: preserve_originals,
      summary_length: memory.content.length,
    }
  },
})

const DELETE_FIELDS = {
  id: optional(memoryIdField),
  ids: optional(list('Several IDs', memoryIdField)),
  memory_tier: optional(text('Delete what tools stored in this tier', { choices: RETENTIONS })),
  older_than: optional(dateTime('Delete what tools stored before this time, ISO 8601')),
}

/** Searches skip deleted memories at once. The log keeps their text until `memctl forget`. */
export const memoryDelete = defineTool({
  name: 'memory_delete',
  title: 'Delete memories',
  description:
    'Delete memories by id, if the person asks for it or if you stored them by mistake. What is only out of date, ' +
    'correct with memory_update. It cannot be undone.',
  group: 'memory',
  effect: 'changes',
  isIdempotent: true,
  command: { words: 'memory delete', args: ['ids'] },
  input: DELETE_FIELDS,
  preview(input, context) {
    const memories = selectDeleted(input, context)
    return {
      deleted_count: memories.length,
      memories: memories.map(({ id, kind, created, content }) => ({ id, kind, created_at: created, content })),
    }
  },
  handle(input, context) {
    const memories = selectDeleted(input, context).map((memory) => memory.id)
    if (memories.length > 0) context.commit({ kind: 'memory.deleted', memories })
    return { deleted_count: memories.length, deleted_ids: memories }
  },
})

/** The memories that a call deletes; ids without a memory are ignored. Throws INPUT_INVALID for an entry. */
function selectDeleted(input: InputOf<typeof DELETE_FIELDS>, context: ToolContext): readonly Memory[] {
  const { id, ids, memory_tier, older_than } = input
  if ([id, ids, memory_tier, older_than].every((value) => value === undefined)) {
    throw invalidInput('There is nothing to delete', 'Give id, ids, memory_tier or older_than.')
  }
  const named = new Set([id ?? [], ids ?? []].flat().map((name) => findMemory(context, name)?.id))
  // What was learned from sessions is deleted only by its id: a filter must not delete what nobody wrote by hand.
  const passesFilter = (memory: Memory): boolean =>
    (memory_tier !== undefined || older_than !== undefined) &&
    memory.source !== 'task' &&
    memory.entrySource === undefined &&
    !(context.isForAgent && isInPersonsWords(memory)) &&
    (memory_tier === undefined || memory.retention === memory_tier) &&
    (older_than === undefined || memory.created < older_than)
  const visible = listVisible(context.liveStore, viewingSession(context))
  const deleted = visible.filter((memory) => named.has(memory.id) || passesFilter(memory))
  assertChangeable(deleted, context)
  return deleted
}
