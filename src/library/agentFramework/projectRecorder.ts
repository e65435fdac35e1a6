// Recorder and retriever on the project's own memory: what they keep, hooks recall too, and what hooks kept, they find.

import { memoryFromInput, sanitize } from '../../broker/commands/newMemory.ts'
import { openQueryEmbedder } from '../../broker/embedding/openEmbedder.ts'
import { listVisible } from '../../broker/live/visibility.ts'
import { hybridSearch, type SearchRequest } from '../../broker/search/hybridSearch.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { DatabaseConnection } from '../agentMemory/databaseConnection.ts'
import { newUuid } from '../processDefaults.ts'
import type { AgentMemoryItem, MemoryRecorderInput, MemoryRetrieverInput } from './memoryContent.ts'
import { MemoryRecorder } from './memoryRecorder.ts'
import { MemoryRetriever } from './memoryRetriever.ts'

/** Memories given where nobody says how many, as in the document's example. */
const LIMIT = 10

/** One content, in characters of JSON. */
const CONTENT_CHARS_MAX = 64_000

/** The words' part in finding; meaning has the rest. */
const KEYWORD_WEIGHT = 0.5

/** Keeps each content as a memory of the project, secrets out; all of an input or none. */
export const projectRecorder = (db: DatabaseConnection): MemoryRecorder =>
  new MemoryRecorder({ process: (input) => ({ memories: recorded(db, input) }) })

/** Finds by words and meaning, best first; without `search` the newest first. */
export const projectRetriever = (db: DatabaseConnection): MemoryRetriever =>
  new MemoryRetriever({ process: async (input) => ({ memories: await retrieved(db, input) }) })

function recorded(db: DatabaseConnection, { content }: MemoryRecorderInput): AgentMemoryItem[] {
  const stored = content.map((one): Memory => {
    const text = [...wordsIn(one.input), ...wordsIn(one.output)].join('\n')
    if (text.trim() === '' || JSON.stringify(one).length > CONTENT_CHARS_MAX) {
      throw new MemoryError('INPUT_INVALID', text.trim() === '' ? 'a content has no words' : 'a content is too long', {
        hint: `Give input or output with some text, ${CONTENT_CHARS_MAX} characters of JSON at most.`,
      })
    }
    const memory = memoryFromInput({
      id: newUuid() as MemoryId,
      content: text,
      contentType: 'text',
      retention: 'long_term',
      tags: [],
      metadata: {},
      agentId: one.source,
      now: db.now(),
    })
    return { ...memory, recorded: sanitize({ ...one }) }
  })
  if (stored.length > 0) db.commit({ kind: 'memory.batch', stored, changes: [] })
  return stored.map(itemOf)
}

async function retrieved(
  db: DatabaseConnection,
  { search, limit = LIMIT }: MemoryRetrieverInput,
): Promise<AgentMemoryItem[]> {
  const { liveStore } = db
  const eyes = { session: undefined, now: db.now() }
  const query = typeof search === 'string' ? search : wordsIn(search).join('\n')
  if (query.trim() === '') return listVisible(liveStore, eyes).reverse().slice(0, limit).map(itemOf)
  const request: SearchRequest = {
    ...{ ...eyes, query, topK: limit, keywordWeight: KEYWORD_WEIGHT, similarityMin: 0, importanceWeight: 0 },
    ...{ mode: 'hybrid', sortBy: 'relevance', passes: () => true },
  }
  const hits = await hybridSearch(liveStore, request, await openQueryEmbedder(liveStore.store, db.env))
  return hits.map(({ memory }) => itemOf(memory))
}

/** What a recorder was given comes back as it was; any other memory as its words. */
const itemOf = ({ id, content, recorded, created }: Memory): AgentMemoryItem => ({
  id,
  content: recorded ?? content,
  createdAt: created,
})

/** Every text in a message, in its order. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? [String(value)] : []
  return Object.values(value).flatMap(wordsIn)
}
