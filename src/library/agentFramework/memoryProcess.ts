// MemoryRecorder and MemoryRetriever of the agent-framework spec: a process with checked input and output. And those of
// the project's own memory: hooks recall what they store, and they find what hooks stored.
import { isEmptyText, memoryFromInput, sanitize } from '../../broker/commands/newMemory.ts'
import { SYSTEM_SESSION } from '../../broker/commit/commitEvents.ts'
import { openQueryEmbedder } from '../../broker/embedding/configuredEmbedder.ts'
import { recordFound } from '../../broker/entries/searchEntries.ts'
import { listVisible } from '../../broker/live/liveStore.ts'
import { hybridSearch, type SearchRequest } from '../../broker/search/hybridSearch.ts'
import type { MemoryId } from '../../model/id.ts'
import { assertNotCancelled, type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isObject } from '../../model/unknownJson.ts'
import { copyAsJson, excerptOf } from '../../text/plainJson.ts'
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import { checkName } from '../checkInput.ts'
import { newUuid } from '../processDefaults.ts'

/** A framework's message: any object. */
export type Message = Readonly<Record<string, unknown>>

/** One operation to remember: its input, its output, and who gave the output. At least one of both has some text. */
export interface MemoryContent {
  /** The message that began the operation, such as a user's prompt; 64,000 characters of JSON with the output. */
  readonly input?: Message | undefined
  /** The message that the operation gave. */
  readonly output?: Message | undefined
  /** The agent or system that gave the output, 1 to 200 characters. */
  readonly source?: string | undefined
}

/** A stored memory, as recorders and retrievers return it. */
export interface AgentMemoryItem {
  /** A UUID. */
  id: string
  /** The content that was recorded; the text of a memory that a hook or a tool stored. */
  content: unknown
  /** The time at which it was stored, in ISO 8601. */
  createdAt: string
}

/** The input of a recorder. */
export interface MemoryRecorderInput {
  /** The operations to remember; all of them are stored, or none. */
  readonly content: readonly MemoryContent[]
}

/** The input of a retriever. */
export interface MemoryRetrieverInput {
  /** The largest number of memories, from 1; the project's own retriever returns 10 by default. */
  readonly limit?: number | undefined
  /** Words, or a message with texts. Without it all memories match, newest first. */
  readonly search?: string | Message | undefined
}

/** The output of a recorder or a retriever: a type, because a framework's message has an index signature. */
export type MemoryOutput = {
  /** One memory for each content, in their order; or the memories that match, best first. */
  memories: AgentMemoryItem[]
}

/** The second argument of recorders and retrievers. An engine may add fields of its own, which are passed on. */
export interface InvokeOptions extends CallOptions {
  /** The engine's context. */
  readonly context?: unknown
}

/** Throws INPUT_INVALID for any other value. */
function checkRecorderInput(input: MemoryRecorderInput): void {
  const list: unknown = input?.content
  if (!Array.isArray(list) || !list.every(isObject))
    throw invalid('content is not a list of objects', 'Give content: [{ input, output, source }].')
  for (const { source } of list as readonly Readonly<Record<string, unknown>>[])
    if (source !== undefined && source !== null) checkName(source, 'source')
}

/** Throws INPUT_INVALID for any other value. */
function checkRetrieverInput({ limit, search }: MemoryRetrieverInput): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1))
    throw invalid(`limit is ${excerptOf(limit)}`, 'Give a whole number from 1 up.')
  if (search !== undefined && typeof search !== 'string' && !isObject(search))
    throw invalid(`search is ${excerptOf(search)}`, 'Give a text or a message.')
}

const invalid = (what: string, hint: string): MemoryError => new MemoryError('INPUT_INVALID', what, { hint })

/** What a recorder or a retriever does; called without `this`. */
export type ProcessFunction<Input> = (input: Input, options?: InvokeOptions) => MemoryOutput | Promise<MemoryOutput>

/** How a recorder or a retriever works. */
export interface ProcessOptions<Input> {
  /** The name for logs and error messages; default: that of the class. */
  readonly name?: string | undefined
  /** Stores the contents, or finds the memories. */
  readonly process: ProcessFunction<Input>
}

/** A process with checked input and output. */
export class MemoryProcess<Input> {
  /** The name for logs and error messages. */
  readonly name: string
  /** The process alone, without `this`. Its input and output are not checked. */
  readonly process: ProcessFunction<Input>
  readonly #check: (input: Input) => void

  /** Runs this process; `check` throws for an input that is not valid. */
  constructor(name: string, process: ProcessFunction<Input>, check: (input: Input) => void) {
    this.name = name
    this.process = process
    this.#check = check
  }

  /** Runs the process. Rejects with INPUT_INVALID (input or output), CANCELLED, and what the process throws. */
  async invoke(input: Input = {} as Input, options?: InvokeOptions): Promise<MemoryOutput> {
    this.#check(input)
    const output = await unlessCancelled(options?.signal, () => this.process(input, options))
    if (Array.isArray(output?.memories)) return output
    throw invalid(
      `${this.name} returned no list of memories`,
      'Let its process return { memories: [{ id, content, createdAt }] }.',
    )
  }
}

/** Writes what is to be remembered. */
export class MemoryRecorder extends MemoryProcess<MemoryRecorderInput> {
  /** A recorder that runs this process. */
  constructor({ name = 'MemoryRecorder', process }: ProcessOptions<MemoryRecorderInput>) {
    super(name, process, checkRecorderInput)
  }
}

/** Finds what was remembered. */
export class MemoryRetriever extends MemoryProcess<MemoryRetrieverInput> {
  /** A retriever that runs this process. */
  constructor({ name = 'MemoryRetriever', process }: ProcessOptions<MemoryRetrieverInput>) {
    super(name, process, checkRetrieverInput)
  }
}

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
