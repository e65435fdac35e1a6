// Recorder and retriever of the project's own memory: hooks recall what they store, and they find what hooks stored.
import { memoryFromInput, sanitize } from '../../broker/commands/newMemory.ts'
import { openQueryEmbedder } from '../../broker/embedding/openEmbedder.ts'
import { listVisible } from '../../broker/live/visibility.ts'
import { hybridSearch, type SearchRequest } from '../../broker/search/hybridSearch.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { copyAsJson } from '../../text/plainJson.ts'
import type { DatabaseConnection } from '../agentMemory/databaseConnection.ts'
import { newUuid } from '../processDefaults.ts'
import type { AgentMemoryItem, MemoryContent, MemoryRecorderInput, MemoryRetrieverInput } from './memoryContent.ts'
import { MemoryRecorder, MemoryRetriever } from './memoryProcess.ts'

/** Default number of memories, as in the spec's example. */
const LIMIT_DEFAULT = 10

/** Length of one content, in characters of JSON. */
const CONTENT_CHARS_MAX = 64_000

/** Weight of the keyword search; the semantic search has the rest. */
const KEYWORD_WEIGHT = 0.5

/** Stores each content as a memory of the project, without secrets; all contents of an input or none. */
export const projectRecorder = (db: DatabaseConnection): MemoryRecorder =>
  new MemoryRecorder({ process: (input) => ({ memories: recordContents(db, input) }) })

/** Finds memories by words and meaning, best first; without `search` all, newest first. */
export const projectRetriever = (db: DatabaseConnection): MemoryRetriever =>
  new MemoryRetriever({ process: async (input) => ({ memories: await retrieveMemories(db, input) }) })

function recordContents(db: DatabaseConnection, { content }: MemoryRecorderInput): AgentMemoryItem[] {
  const stored = content.map((given): Memory => {
    const read = copyAsJson(given, CONTENT_CHARS_MAX)
    const entry = 'copy' in read ? (read.copy as MemoryContent) : {}
    const text = [...listTexts(entry.input), ...listTexts(entry.output)].join('\n')
    if (text.trim() === '') {
      throw new MemoryError('INPUT_INVALID', `a content ${'problem' in read ? read.problem : 'has no text'}`, {
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
      agentId: entry.source ?? undefined,
      now: db.now(),
    })
    return { ...memory, recorded: sanitize({ ...entry }) }
  })
  if (stored.length > 0) db.projectMemories.commit({ kind: 'memory.batch', stored, changes: [] })
  return stored.map(toItem)
}

async function retrieveMemories(
  db: DatabaseConnection,
  { search, limit = LIMIT_DEFAULT }: MemoryRetrieverInput,
): Promise<AgentMemoryItem[]> {
  const { liveStore } = db.projectMemories
  const viewing = { session: undefined, now: db.now() }
  const query = typeof search === 'string' ? search : listTexts(search).join('\n')
  if (query.trim() === '') return listVisible(liveStore, viewing).reverse().slice(0, limit).map(toItem)
  const request: SearchRequest = {
    ...viewing,
    query,
    mode: 'hybrid',
    sortBy: 'relevance',
    topK: limit,
    keywordWeight: KEYWORD_WEIGHT,
    similarityMin: 0,
    importanceWeight: 0,
    passes: () => true,
  }
  const hits = await hybridSearch(liveStore, request, await openQueryEmbedder(liveStore.store, db.env))
  return hits.map(({ memory }) => toItem(memory))
}

/** What a recorder stored is returned as it was given; any other memory as its text. */
const toItem = ({ id, content, recorded, created }: Memory): AgentMemoryItem => ({
  id,
  content: recorded ?? content,
  createdAt: created,
})

/** Every text and number in a message, in order. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? [String(value)] : []
  return Object.values(value).flatMap(listTexts)
}
