// The memory of an entry: recalled, searched and shown like any other, without secrets and private parts.
import type { Entry } from '../../entries/entry.ts'
import { entryMemoryContent, entrySourceOf } from '../../entries/entrySource.ts'
import type { EntryFile } from '../../entries/mtimeCache.ts'
import type { EntrySource, Memory, MemoryChange } from '../../model/memory.ts'
import { entryMemoryId } from '../../text/entryMemoryId.ts'
import { memoryFromInput, sanitize } from '../commands/newMemory.ts'
import { entryLabel } from './entryPaths.ts'

/** The memory of an entry in a file. `now` is the time of the sync, in milliseconds since 1970. */
export function memoryFromEntry(entry: Entry, file: EntryFile, now: number): Memory {
  const { layer, session } = file.dir
  const { key, content, tags } = sanitize({ key: entry.key, content: entry.content, tags: entry.tags })
  const since = new Date(now).toISOString()
  const entrySource: EntrySource = {
    layer,
    ...(session !== undefined && { session }),
    key,
    file: entryLabel(file),
    ...(entry.createdAt !== undefined && { created_at: entry.createdAt }),
    ...(entry.updatedAt !== undefined && { updated_at: entry.updatedAt }),
    since,
  }
  const memory = memoryFromInput({
    id: entryMemoryId(layer, session, key),
    content: entryMemoryContent(key, content),
    tags,
    contentType: 'text',
    retention: 'long_term',
    metadata: {},
    now: Date.parse(entry.createdAt ?? since),
  })
  return { ...memory, scope: layer === 'global' ? 'universal' : 'project', entrySource }
}

/** The change from a known memory to that of its file now; undefined if they are the same. */
export function diffEntryMemory(known: Memory, fresh: Memory): MemoryChange | undefined {
  const before = entrySourceOf(known)
  const entry = { ...entrySourceOf(fresh), since: before.since }
  const isSame =
    known.content === fresh.content &&
    JSON.stringify(known.tags) === JSON.stringify(fresh.tags) &&
    JSON.stringify(before) === JSON.stringify(entry)
  return isSame ? undefined : { memory: known.id, content: fresh.content, tags: fresh.tags, metadata: { entry } }
}
