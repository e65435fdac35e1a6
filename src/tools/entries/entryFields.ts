// What the tools of the entries spec share: fields, the writer of a call, and how an answer shows an entry.
import { evictEntries, readEvictionLimits } from '../../broker/entries/entryMaintenance.ts'
import { type EntryWriter, openGlobalStore } from '../../broker/entries/entryWriter.ts'
import { syncEntries } from '../../broker/entries/syncEntries.ts'
import {
  ENTRY_CHARS_MAX,
  ENTRY_KEY_CHARS_MAX,
  type Entry,
  type EntryLayer,
  entryFromMemory,
  entrySourceOf,
} from '../../entries/entry.ts'
import { isMtimeCacheStale } from '../../entries/mtimeCache.ts'
import type { EntrySource, Memory } from '../../model/memory.ts'
import { integer, list, optional, text, withDefault } from '../definition/field.ts'
import type { CommandFlag, ToolOutput } from '../definition/tool.ts'
import type { Role, ToolContext } from '../definition/toolContext.ts'

/** Entries in one answer, at most: as many as a folder may hold. */
const LISTED_MAX = 1000

export const entryKeyField = text('The entry’s key', { charsMax: ENTRY_KEY_CHARS_MAX })
export const entryContentField = text('What to remember, as Markdown', { charsMax: ENTRY_CHARS_MAX })
export const entryTagsField = list('Tags', text('Tag', { charsMax: 200 }), { max: 64 })
export const tagFilterField = optional(list('Only entries with all of these tags', text('Tag')))
export const queryField = text('What to search for')
export const limitField = (usual: number) => withDefault(integer('Result limit', { min: 1, max: LISTED_MAX }), usual)
export const offsetField = withDefault(integer('Number of results to skip', { min: 0 }), 0)

const caller = { caller_agent_id: optional(text('The caller, for the log; it gives no rights', { charsMax: 200 })) }

/** Which entries, and who calls. Entries of a session have their own folder in the project. */
export const OWNER_FIELDS = {
  project: { session_id: optional(text('Use this session’s entries', { charsMax: 240 })), ...caller },
  global: caller,
}

/** Who may delete an entry or restore one. */
export const ARCHIVE_ROLES: readonly Role[] = ['owner', 'admin']

interface CallerParams {
  readonly caller_agent_id: string | undefined
  readonly session_id?: string | undefined
}

/** Defines a tool twice: for the project's entries, and for the entries of all projects. */
export const forEachLayer = <Tool>(define: (layer: EntryLayer) => Tool) => ({
  project: define('project'),
  global: define('global'),
})

/** The options of a command that choose the layer. */
export const layerFlags = (layer: EntryLayer): readonly CommandFlag[] => (layer === 'global' ? [layer] : [])

/** The writer of a call, and which entries it is about. Files of the layer that have changed are read first. */
export function openEntries(
  context: ToolContext,
  layer: EntryLayer,
  { caller_agent_id: agentId, session_id }: CallerParams,
) {
  const writer = context.entryWriter(layer, agentId)
  if (layer === 'global' && isMtimeCacheStale(openGlobalStore(context.store))) syncEntries(writer)
  // Lone surrogates cannot be stored: each one is replaced by a text of its own.
  const session = session_id?.replace(/\p{Cs}/gu, (unit) => `%${unit.charCodeAt(0).toString(16)}`)
  return { writer, scope: { layer, session } }
}

/**
 * Evicts entries over the layer's limits after a write, and tells the project about global changes. Gives evicted keys.
 */
export function finishWrite(context: ToolContext, layer: EntryLayer, writer: EntryWriter): readonly string[] {
  const archived = evictEntries(writer, readEvictionLimits(context.env))
  if (layer === 'global') syncEntries(context.entryWriter('project'))
  return archived
}

export const hasTags = (entry: Pick<Entry, 'tags'>, wanted: readonly string[] | undefined): boolean =>
  wanted?.every((tag) => entry.tags.includes(tag)) ?? true

/** An entry as tools answer it. */
export const serializeEntry = (entry: Entry, { session }: Pick<EntrySource, 'session'> = {}): ToolOutput => ({
  key: entry.key,
  content: entry.content,
  tags: entry.tags,
  created_at: entry.createdAt ?? null,
  updated_at: entry.updatedAt ?? null,
  ...(session !== undefined && { session_id: session }),
})

export const serializeEntryMemory = (memory: Memory): ToolOutput =>
  serializeEntry(entryFromMemory(memory), entrySourceOf(memory))

/** The answer of a tool that wrote an entry, with the keys that eviction archived. */
export const serializeWrite = (memory: Memory, archived: readonly string[]): ToolOutput => ({
  success: true,
  entry: serializeEntryMemory(memory),
  ...(archived.length > 0 && { archived }),
})

/** How often each text occurs, the most frequent first. */
export function countTexts(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)))
}

/** How many entries, how often each tag, and the first and last date; the most frequent tag first. */
export function summarizeEntries(entries: readonly Entry[]) {
  const created = entries.flatMap(({ createdAt }) => createdAt ?? []).sort()
  const updated = entries.flatMap(({ updatedAt }) => updatedAt ?? []).sort()
  return {
    total_entries: entries.length,
    tags: countTexts(entries.flatMap((entry) => entry.tags)),
    oldest_created_at: created[0] ?? null,
    newest_updated_at: updated.at(-1) ?? null,
  }
}
