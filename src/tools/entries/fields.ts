// The fields that several of seed 002's tools share, who writes for a call, and what an entry looks like in an answer.
import { globalStoreOf, type Scribe } from '../../broker/entries/scribe.ts'
import { ENTRY_CHARS_MAX, type Entry, KEY_CHARS_MAX, type Layer } from '../../entries/entry.ts'
import { entryOfMemory, sourceOf } from '../../entries/entrySource.ts'
import { haveChanged } from '../../entries/stamps.ts'
import type { EntrySource } from '../../model/entrySource.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import { list, optional, text, wholeNumber, withDefault } from '../field.ts'
import type { Role } from '../role.ts'
import type { Answer } from '../tool.ts'
import type { World } from '../world.ts'

/** Entries of a list, at most: all that a folder may hold. */
const LISTED_MAX = 1000

export const key = text('The entry’s key', { charsMax: KEY_CHARS_MAX })
export const content = text('What to remember, as Markdown', { charsMax: ENTRY_CHARS_MAX })
export const tags = list('Tags', text('Tag', { charsMax: 200 }), { max: 64 })
export const withTags = optional(list('Only with all of these tags', text('Tag')))
export const query = text('What to look for')
export const limit = (usual: number) => withDefault(wholeNumber('How many', { min: 1, max: LISTED_MAX }), usual)
export const offset = withDefault(wholeNumber('How many to leave out', { min: 0 }), 0)

const caller = { caller_agent_id: optional(text('Who calls, for the log; it gives no rights', { charsMax: 200 })) }

/** For whom and by whom: a session's entries lie apart in the project. */
export const WHOSE = {
  project: { session_id: optional(text('Of this session’s entries', { charsMax: 100 })), ...caller },
  global: caller,
}

/** Who may take an entry out or bring one back. */
export const KEEPERS: readonly Role[] = ['owner', 'admin']

interface Told {
  readonly caller_agent_id: string | undefined
  readonly session_id?: string | undefined
}

export const shelfOf = (layer: Layer, { session_id: session }: Told) => ({ layer, session })

/** Who writes down what a call does, with every entry of the layer taken up as its file says it now. */
export async function scribeFor(world: World, layer: Layer, { caller_agent_id: agentId }: Told): Promise<Scribe> {
  const scribe = world.scribe(layer, agentId)
  if (layer === 'global' && haveChanged(globalStoreOf(world.store))) {
    ;(await import('../../broker/entries/takeUp.ts')).takeUp(scribe)
  }
  return scribe
}

/** What the layer's clean-up archives, after something was written; and what is global becomes known to the project. */
export async function afterWriting(world: World, layer: Layer, scribe: Scribe): Promise<readonly string[]> {
  const { limitsIn, tidyEntries } = await import('../../broker/entries/tidy.ts')
  const archived = tidyEntries(scribe, limitsIn(world.env))
  if (layer === 'global') (await import('../../broker/entries/takeUp.ts')).takeUp(world.scribe('project'))
  return archived
}

export const hasTags = (entry: Pick<Entry, 'tags'>, wanted: readonly string[] | undefined): boolean =>
  wanted?.every((tag) => entry.tags.includes(tag)) ?? true

/** An entry as tools answer it. */
export const shown = (entry: Entry, { session }: Pick<EntrySource, 'session'> = {}): Answer => ({
  ...{ key: entry.key, content: entry.content, tags: entry.tags },
  ...{ created_at: entry.createdAt ?? null, updated_at: entry.updatedAt ?? null },
  ...(session === undefined ? {} : { session_id: session }),
})

export const shownMemory = (memory: Memory): Answer => shown(entryOfMemory(memory), sourceOf(memory))

export const notFound = (key: string, mend: string): MemoryError =>
  new MemoryError('NOT_FOUND', `Entry not found: ${key}`, { mend })
