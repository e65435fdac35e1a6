// Finds entries by words: the search pipeline over the entries' memories, in the order of `memctl search` restricted to them.
import { entryFromMemory } from '../../entries/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { searchQuestion, sharesWords } from '../search/pipeline.ts'
import { buildRecallQuery } from '../search/recallMemories.ts'

interface EntryQuery {
  readonly text: string
  readonly limit: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The entries for some words, best first, at most `limit`: those of the session that the text names, those that share words with it, then those
 * that contain it as it is, if only as a part of a word. `reader` has all of `entries`, each as the very same value.
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
  const name = text.trim()
  const part = normalize(name)
  const found = new Set<Memory>()
  for (const memory of entries) if (memory.entrySource?.session === name) found.add(memory)
  for (const { load } of hits) found.add(load())
  for (const memory of entries) if (found.size < limit && textOf(memory).includes(part)) found.add(memory)
  return [...found].slice(0, limit)
}

/** All that an entry is found by, in one text. */
function textOf(memory: Memory): string {
  const { key, tags, content } = entryFromMemory(memory)
  return normalize([key, ...tags, memory.entrySource?.session ?? '', content].join('\n'))
}

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase()
