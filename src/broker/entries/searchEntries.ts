// Finds entries by words: the search pipeline over the entries' memories, in the order of `memctl search`.
import { entryFromMemory } from '../../entries/entry.ts'
import type { Memory } from '../../model/memory.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { readerFromMemories } from '../search/liveIndex.ts'
import { buildRecallQuery, searchQuestion, sharesWords } from '../search/recallMemories.ts'
import type { ArchivedEntry } from './entryArchive.ts'
import { memoryFromEntry } from './syncEntries.ts'

/** Within this time after an access another one is not recorded, in milliseconds: the clean-up counts in days. */
const ACCESS_MS = 3_600_000

/**
 * Counts active memories that a search has returned as read, so that nothing is archived that is in use. One event at
 * most, without a lock. For entry points: what a replay or an evaluation searches for is no use.
 */
export function recordFound(store: Store, found: readonly { readonly memory: Memory }[], now: number): void {
  const memories = found.flatMap(({ memory: { id, status, lastUsed, created } }) =>
    status === 'active' && now - Date.parse(lastUsed ?? created) > ACCESS_MS ? [id] : [],
  )
  if (memories.length === 0) return
  try {
    commitEvents(store, [systemEvent({ kind: 'memory.accessed', memories }, { now, key: memories })])
  } catch {
    // The disk is full or cannot be written: what was found is an answer all the same.
  }
}

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
  const { hits } = searchQuestion(buildRecallQuery({ text, now }), reader, readActivePolicy(store).policy, {
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
export function searchArchivedEntries(store: Store, archived: readonly ArchivedEntry[], query: EntryQuery) {
  const byMemory = new Map(
    archived.map((file) => [memoryFromEntry(file.entry, { ...file, mtimeMs: query.now }, query.now), file]),
  )
  const memories = [...byMemory.keys()]
  return searchEntries(store, readerFromMemories(memories), memories, query).flatMap(
    (memory) => byMemory.get(memory) ?? [],
  )
}

function textOf(memory: Memory): string {
  if (!memory.entrySource) return normalize(memory.content)
  const { key, tags, content } = entryFromMemory(memory)
  return normalize([key, ...tags, memory.entrySource?.session ?? '', content].join('\n'))
}

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase()
