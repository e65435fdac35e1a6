// Recorder and retriever of the project's own memory: hooks recall what they store, and they find what hooks stored.
import { isEmptyText, memoryFromInput, sanitize } from '../../broker/commands/newMemory.ts'
import { SYSTEM_SESSION } from '../../broker/commit/commitEvents.ts'
import { openQueryEmbedder } from '../../broker/embedding/configuredEmbedder.ts'
import { recordFound } from '../../broker/entries/searchEntries.ts'
import { listVisible } from '../../broker/live/liveStore.ts'
import { hybridSearch, type SearchRequest } from '../../broker/search/hybridSearch.ts'
import type { MemoryId } from '../../model/id.ts'
import { assertNotCancelled } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { copyAsJson } from '../../text/plainJson.ts'
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import { newUuid } from '../processDefaults.ts'
import {
  type AgentMemoryItem,
  type MemoryContent,
  MemoryRecorder,
  type MemoryRecorderInput,
  MemoryRetriever,
  type MemoryRetrieverInput,
} from './memoryProcess.ts'

/** Default number of memories, as in the spec's example. */
const LIMIT_DEFAULT = 10

/** Length of one content, in characters of JSON. */
const CONTENT_CHARS_MAX = 64_000

/** Weight of the keyword search; the semantic search has the rest. */
const KEYWORD_WEIGHT = 0.5

/** A project's memories: those of the context of its tools. */
type Project = Pick<ToolContext, 'liveStore' | 'env' | 'now'>

/** Stores each content as a memory of the project, without secrets; all contents of an input or none. */
export const projectRecorder = (project: Project): MemoryRecorder =>
  new MemoryRecorder({
    process: async (input, options) => {
      assertNotCancelled(options?.signal)
      return { memories: recordContents(project, input) }
    },
  })

/** Finds memories by words and meaning, best first; without `search` all, newest first. */
export const projectRetriever = (project: Project): MemoryRetriever =>
  new MemoryRetriever({
    process: async (input, options) => ({ memories: await retrieveMemories(project, input, options?.signal) }),
  })

function recordContents({ liveStore, now }: Project, { content }: MemoryRecorderInput): AgentMemoryItem[] {
  const stored = content.map((given): Memory => {
    const read = copyAsJson(given, CONTENT_CHARS_MAX)
    // Before the texts are joined: the name of a field says that its value is a secret.
    const entry: MemoryContent = 'copy' in read ? sanitize(read.copy as MemoryContent) : {}
    const text = [...listTexts(entry.input), ...listTexts(entry.output)].join('\n')
    if (isEmptyText(text)) {
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
      now: now(),
    })
    return { ...memory, recorded: { ...entry } }
  })
  const origin = { now: now(), nonce: newUuid(), session: SYSTEM_SESSION }
  if (stored.length > 0) liveStore.commit({ kind: 'memory.batch', stored, changes: [] }, origin)
  return stored.map(toItem)
}

async function retrieveMemories(
  { liveStore, env, now }: Project,
  { search, limit = LIMIT_DEFAULT }: MemoryRetrieverInput,
  signal: AbortSignal | undefined,
): Promise<AgentMemoryItem[]> {
  assertNotCancelled(signal)
  const viewing = { session: undefined, now: now() }
  const query = typeof search === 'string' ? search : listTexts(search).join('\n')
  if (query.trim() === '') return listVisible(liveStore, viewing).reverse().slice(0, limit).map(toItem)
  const request: SearchRequest = {
    ...viewing,
    query,
    mode: 'hybrid',
    topK: limit,
    keywordWeight: KEYWORD_WEIGHT,
    passes: () => true,
    signal,
  }
  const hits = await hybridSearch(liveStore, request, await openQueryEmbedder(liveStore.store, env))
  recordFound(liveStore.store, hits, request.now)
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
