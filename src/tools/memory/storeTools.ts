// The tools that write memories: memory_store, memory_update, and the same for up to 100 at once. A batch is one event,
// so that a crash leaves all of its memories or none.
import { memoryFromInput, uniqueTexts, wordsOfAgent } from '../../broker/commands/newMemory.ts'
import type { SessionId } from '../../model/id.ts'
import { type Memory, type MemoryChange, OUTCOMES } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { PRIVACY_LEVELS } from '../../model/privacy.ts'
import {
  buildJsonSchema,
  type InputOf,
  integer,
  invalidInput,
  list,
  optional,
  readInput,
  text,
  uncheckedList,
  withDefault,
} from '../definition/field.ts'
import { defineTool, type ToolFailure, toToolFailure } from '../definition/tool.ts'
import type { ToolContext } from '../definition/toolContext.ts'
import {
  assertChangeable,
  contentField,
  contentTypeField,
  memoryIdField,
  metadataField,
  requireMemory,
  serializeAgentFields,
  tagsField,
  tierField,
} from './memoryFields.ts'

/** Lessons of one memory, each a sentence that makes sense by itself. */
const LESSONS_MAX = 20
const lessonField = text('Lesson', { charsMax: 500 })

const STORE_FIELDS = {
  content: contentField,
  content_type: withDefault(contentTypeField, 'text'),
  memory_tier: withDefault(tierField, 'long_term'),
  tags: withDefault(tagsField, []),
  metadata: withDefault(metadataField, {}),
  agent_id: optional(text('The agent that stores it')),
  privacy: withDefault(
    text('public: everyone; agent-only: agents of its role; private: only its own agent', { choices: PRIVACY_LEVELS }),
    'public',
  ),
  role: optional(text('Role of the agent it is from, such as reviewer', { charsMax: 100 })),
  task_id: optional(text('The issue or task it is about, such as #42', { charsMax: 200 })),
  outcome: optional(text('How the task ended', { choices: OUTCOMES })),
  lessons: withDefault(list('What was learned, each a sentence', lessonField, { max: LESSONS_MAX }), []),
  ttl_seconds: optional(integer('Seconds until it expires; 0 expires at once', { min: 0 })),
}

const UPDATE_FIELDS = {
  id: memoryIdField,
  content: optional(contentField),
  tags: optional(tagsField),
  metadata: optional(metadataField),
  memory_tier: optional(tierField),
}

export const memoryStore = defineTool({
  name: 'memory_store',
  title: 'Store a memory',
  description:
    'Store what later sessions should know: a preference, a decision with its reason, how a problem was solved, a ' +
    'lesson. Not the task at hand: its details, progress, drafts and passing errors; and no secrets. For what is ' +
    'stored already, use memory_update.',
  group: 'memory',
  alwaysLoad: true,
  effect: 'adds',
  command: { words: 'memory store', args: ['content'], stdin: 'content' },
  input: STORE_FIELDS,
  handle(input, context) {
    const memory = buildMemory(input, context)
    context.commit({ kind: 'memory.stored', memory })
    const { id, content, retention, created } = memory
    return { id, content, memory_tier: retention, created_at: created, ...serializeAgentFields(memory) }
  },
})

export const memoryUpdate = defineTool({
  name: 'memory_update',
  title: 'Update a memory',
  description:
    'Correct or complete a memory instead of storing a second one. content and tags are replaced, metadata is merged.',
  group: 'memory',
  effect: 'changes',
  isIdempotent: true,
  command: { words: 'memory update', args: ['id'], stdin: 'content' },
  input: UPDATE_FIELDS,
  handle(input, context) {
    const change = buildChange(input, context)
    context.commit({ kind: 'memory.updated', change })
    return { id: change.memory, updated: true, updated_at: requireMemory(context, change.memory).updated }
  },
})

/** From the memory-tools spec. */
const BATCH_MAX = 100

const ON_ERROR = ['rollback', 'continue', 'stop'] as const

const onErrorField = withDefault(
  text('If an item is invalid: rollback stores none, continue skips it, stop stores the items before it', {
    choices: ON_ERROR,
  }),
  'rollback',
)

export const memoryBatchStore = defineTool({
  name: 'memory_batch_store',
  title: 'Store memories',
  description:
    'Store up to 100 memories at once. For what is worth storing, see memory_store; for one memory, use it instead.',
  group: 'memory',
  effect: 'adds',
  command: { words: 'memory batch-store', stdin: 'items' },
  input: {
    items: uncheckedList('The memories', buildJsonSchema(STORE_FIELDS), { min: 1, max: BATCH_MAX }),
    on_error: onErrorField,
  },
  handle({ items, on_error }, context) {
    const { results, errors } = readItems(items, on_error, (item, i) =>
      buildMemory(readInput(STORE_FIELDS, item, `items[${i}]`), context),
    )
    if (results.length > 0) context.commit({ kind: 'memory.batch', stored: results, changes: [] })
    const ids = results.map((memory) => memory.id)
    return { success: errors.length === 0, stored_count: ids.length, stored_ids: ids, errors }
  },
})

export const memoryBatchUpdate = defineTool({
  name: 'memory_batch_update',
  title: 'Update memories',
  description: 'Change up to 100 memories at once, as memory_update changes one.',
  group: 'memory',
  effect: 'changes',
  isIdempotent: true,
  command: { words: 'memory batch-update', stdin: 'updates' },
  input: {
    updates: uncheckedList('The changes', buildJsonSchema(UPDATE_FIELDS), { min: 1, max: BATCH_MAX }),
    on_error: onErrorField,
  },
  handle({ updates, on_error }, context) {
    const { results, errors } = readItems(updates, on_error, (update, i) =>
      buildChange(readInput(UPDATE_FIELDS, update, `updates[${i}]`), context),
    )
    if (results.length > 0) context.commit({ kind: 'memory.batch', stored: [], changes: results })
    const ids = results.map((change) => change.memory)
    return { success: errors.length === 0, updated_count: ids.length, updated_ids: ids, errors }
  },
})

function buildMemory(input: InputOf<typeof STORE_FIELDS>, context: ToolContext): Memory {
  const { content_type, memory_tier, agent_id, task_id, ttl_seconds, ...others } = input
  const { agent, session } = context
  const agentId = agent_id ?? agent?.agentId
  if (input.privacy === 'private' && agentId === undefined && session === undefined) {
    throw invalidInput('A private memory needs the agent that may see it', 'Give agent_id, or another privacy.')
  }
  const isOwn = agentId?.toLowerCase() === agent?.agentId.toLowerCase()
  return memoryFromInput({
    ...others,
    id: context.newId(),
    contentType: content_type,
    retention: memory_tier,
    agentId,
    session: session as SessionId | undefined,
    role: input.role ?? (isOwn ? agent?.role : undefined),
    taskId: task_id,
    ttlSeconds: ttl_seconds,
    now: context.now(),
  })
}

/** Throws NOT_FOUND, and INPUT_INVALID for an entry or if nothing changes. */
function buildChange(
  { id, content, tags, metadata, memory_tier: retention }: InputOf<typeof UPDATE_FIELDS>,
  context: ToolContext,
): MemoryChange {
  const memory = requireMemory(context, id)
  assertChangeable([memory], context)
  if ([content, tags, metadata, retention].every((value) => value === undefined)) {
    throw invalidInput('There is nothing to update', 'Give content, tags, metadata or memory_tier.')
  }
  const change: MemoryChange = {
    memory: memory.id,
    content,
    tags: tags && uniqueTexts(tags),
    metadata,
    retention,
    // A long-term memory does not expire, whatever it was stored with.
    ...(retention === 'long_term' && { expires: null }),
    ...(retention === 'working' && { session: context.session as SessionId | undefined }),
  }
  return context.isForAgent ? { ...change, ...wordsOfAgent(memory, change.content) } : change
}

type ItemError = Omit<ToolFailure, 'error'> & { readonly index: number }

/** Reads each item; `errors` has those that are invalid. */
function readItems<T>(
  items: readonly unknown[],
  onError: (typeof ON_ERROR)[number],
  read: (item: unknown, index: number) => T,
): { readonly results: readonly T[]; readonly errors: readonly ItemError[] } {
  const results: T[] = []
  const errors: ItemError[] = []
  for (const [index, item] of items.entries()) {
    try {
      results.push(read(item, index))
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error
      const { error: _, ...failure } = toToolFailure(error)
      errors.push({ index, ...failure })
      if (onError === 'stop') break
    }
  }
  return { results: onError === 'rollback' && errors.length > 0 ? [] : results, errors }
}
