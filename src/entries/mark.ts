// The mark of an entry on its memory: which file it is the memory of. An entry is a memory like any other, whose words the file says.
import { type MemoryId, memoryIdOf } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { hashPair } from '../text/hash.ts'
import type { Entry, Layer } from './entry.ts'

/** Lies in the memory's metadata under `entry`. Times are as the file says them. */
export interface EntryMark {
  readonly layer: Layer
  readonly session?: string | undefined
  readonly key: string
  /** The file by its place's label, the same on every machine: `.memctl/memory/api.md`. */
  readonly file: string
  readonly created_at?: string | undefined
  readonly updated_at?: string | undefined
  /** When it was first taken up: not to be read for long counts from here at the earliest. */
  readonly since: string
}

/** An entry of this name is the same memory on every machine. */
export function entryId(layer: Layer, session: string | undefined, key: string): MemoryId {
  const name = ['entry', layer, session ?? '', key].join('\0')
  return memoryIdOf([...hashPair(name), ...hashPair(`${name}\0memory`)])
}

/** The mark of an entry's memory; undefined for every other memory, whatever somebody has put into its metadata. */
export function markOf(memory: Memory): EntryMark | undefined {
  if (memory.kind !== 'entry') return undefined
  const known = marks.get(memory)
  if (known !== undefined) return known || undefined
  const mark = memory.metadata['entry'] as EntryMark | undefined
  const isTrue = typeof mark?.key === 'string' && entryId(mark.layer, mark.session, mark.key) === memory.id
  marks.set(memory, isTrue ? mark : false)
  return isTrue ? mark : undefined
}

/** A memory that is changed is another value: what one is stays so. */
const marks = new WeakMap<Memory, EntryMark | false>()

/** An entry as its memory says it: found by its key as well as by its words. */
export const contentOf = (key: string, body: string): string => `${key}: ${body}`

/** The entry of an entry's memory; its times those of the file, else of the memory. */
export function entryOfMemory(memory: Memory): Entry {
  const mark = markOf(memory)!
  const { key, created_at: createdAt = memory.created, updated_at: updatedAt = createdAt } = mark
  return { key, tags: memory.tags, content: memory.content.slice(contentOf(key, '').length), createdAt, updatedAt }
}
