// The fields that several of seed 002's tools share, who writes for a call, and what an entry looks like in an answer.
import { type EntryWriter, openGlobalStore } from '../../broker/entries/entryWriter.ts'
import { ENTRY_CHARS_MAX, ENTRY_KEY_CHARS_MAX, type Entry, type EntryLayer } from '../../entries/entry.ts'
import { entryFromMemory, entrySourceOf } from '../../entries/entrySource.ts'
import { isMtimeCacheStale } from '../../entries/mtimeCache.ts'
import type { EntrySource } from '../../model/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { integer, list, optional, text, withDefault } from '../definition/field.ts'
import type { Role } from '../definition/role.ts'
import type { ToolOutput } from '../definition/tool.ts'
import type { ToolContext } from '../definition/toolContext.ts'

/** Entries of a list, at most: all that a folder may hold. */
const LISTED_MAX = 1000

export const entryKeyField = text('The entry’s key', { charsMax: ENTRY_KEY_CHARS_MAX })
export const entryContentField = text('What to remember, as Markdown', { charsMax: ENTRY_CHARS_MAX })
export const entryTagsField = list('Tags', text('Tag', { charsMax: 200 }), { max: 64 })
export const tagFilterField = optional(list('Only with all of these tags', text('Tag')))
export const queryField = text('What to look for')
export const limitField = (usual: number) => withDefault(integer('How many', { min: 1, max: LISTED_MAX }), usual)
export const offsetField = withDefault(integer('How many to leave out', { min: 0 }), 0)

const caller = { caller_agent_id: optional(text('Who calls, for the log; it gives no rights', { charsMax: 200 })) }

/** For whom and by whom: a session's entries lie apart in the project. */
export const OWNER_FIELDS = {
  project: { session_id: optional(text('Of this session’s entries', { charsMax: 100 })), ...caller },
  global: caller,
}

/** Who may take an entry out or bring one back. */
export const ARCHIVE_ROLES: readonly Role[] = ['owner', 'admin']

interface CallerParams {
  readonly caller_agent_id: string | undefined
  readonly session_id?: string | undefined
}

export const toEntryScope = (layer: EntryLayer, { session_id: session }: CallerParams) => ({ layer, session })

/** Who writes down what a call does, with every entry of the layer taken up as its file says it now. */
export async function openEntryWriter(
  context: ToolContext,
  layer: EntryLayer,
  { caller_agent_id: agentId }: CallerParams,
): Promise<EntryWriter> {
  const writer = context.entryWriter(layer, agentId)
  if (layer === 'global' && isMtimeCacheStale(openGlobalStore(context.store))) {
    ;(await import('../../broker/entries/syncEntries.ts')).syncEntries(writer)
  }
  return writer
}

/** What the layer's clean-up archives, after something was written; and what is global becomes known to the project. */
export async function finishWrite(
  context: ToolContext,
  layer: EntryLayer,
  writer: EntryWriter,
): Promise<readonly string[]> {
  const { readEvictionLimits, evictEntries } = await import('../../broker/entries/evictEntries.ts')
  const archived = evictEntries(writer, readEvictionLimits(context.env))
  if (layer === 'global')
    (await import('../../broker/entries/syncEntries.ts')).syncEntries(context.entryWriter('project'))
  return archived
}

export const hasTags = (entry: Pick<Entry, 'tags'>, wanted: readonly string[] | undefined): boolean =>
  wanted?.every((tag) => entry.tags.includes(tag)) ?? true

/** An entry as tools answer it. */
export const serializeEntry = (entry: Entry, { session }: Pick<EntrySource, 'session'> = {}): ToolOutput => ({
  ...{ key: entry.key, content: entry.content, tags: entry.tags },
  ...{ created_at: entry.createdAt ?? null, updated_at: entry.updatedAt ?? null },
  ...(session === undefined ? {} : { session_id: session }),
})

export const serializeEntryMemory = (memory: Memory): ToolOutput =>
  serializeEntry(entryFromMemory(memory), entrySourceOf(memory))

export const entryNotFound = (key: string, hint: string): MemoryError =>
  new MemoryError('NOT_FOUND', `Entry not found: ${key}`, { hint })
