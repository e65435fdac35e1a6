// Finds entries by words: the search pipeline over the entries' memories, in the order of `memctl search`.
import { entryFromMemory } from '../../entries/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { readerFromMemories } from '../search/memoryReader.ts'
import { searchQuestion, sharesWords } from '../search/pipeline.ts'
import { buildRecallQuery } from '../search/recallMemories.ts'
import type { ArchivedEntry } from './entryArchive.ts'
import { memoryFromEntry } from './entryMemory.ts'

interface EntryQuery {
  readonly text: string
  readonly limit: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The entries for some words, best first, at most `limit`: those of the session that the text names, then those that
 * share words with it, then those that contain it, even as a part of a word. `reader` indexes the objects of `entries`.
 */
export function searchEntries(
  store: Store,
  reader: SearchReader,
  entries: readonly Memory[],
  { text, limit, now }: EntryQuery,
): Memory[] {
  const wanted = new Set(entries)
  const { hits } = searchQuestion(buildRecallQuery({ text, now }, 'ask'), reader, readActivePolicy(store).policy, {
    limit,
    isWanted: (memory) => wanted.has(memory),
    isHit: sharesWords,
  })
  const session = text.trim()
  const part = normalize(session)
  const found = new Set<Memory>()
  for (const memory of entries) if (memory.entrySource?.session === session) found.add(memory)
  for (const { load } of hits) found.add(load())
  for (const memory of entries) if (found.size < limit && textOf(memory).includes(part)) found.add(memory)
  return [...found].slice(0, limit)
}

/** The same for archived entries, which are in no index. */
export function searchArchivedEntries(
  store: Store,
  archived: readonly ArchivedEntry[],
  query: EntryQuery,
): ArchivedEntry[] {
  const byMemory = new Map(
    archived.map((file) => [memoryFromEntry(file.entry, { ...file, mtimeMs: query.now }, query.now), file]),
  )
  const memories = [...byMemory.keys()]
  return searchEntries(store, readerFromMemories(memories), memories, query).flatMap(
    (memory) => byMemory.get(memory) ?? [],
  )
}

/** All searchable text of an entry. */
function textOf(memory: Memory): string {
  const { key, tags, content } = entryFromMemory(memory)
  return normalize([key, ...tags, memory.entrySource?.session ?? '', content].join('\n'))
}

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase()
