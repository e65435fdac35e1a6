// MemoryRecorder and MemoryRetriever of the agent-framework spec: a process with checked input and output.
import { type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { excerptOf } from '../../text/plainJson.ts'
import { checkName } from '../checkInput.ts'

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

// Types and not interfaces: a framework's message has an index signature, which an interface does not match.

/** The output of a recorder. */
export type MemoryRecorderOutput = {
  /** One memory for each content, in their order. */
  memories: AgentMemoryItem[]
}

/** The input of a retriever. */
export interface MemoryRetrieverInput {
  /** The largest number of memories, from 1; the project's own retriever returns 10 by default. */
  readonly limit?: number | undefined
  /** Words, or a message with texts. Without it all memories match, newest first. */
  readonly search?: string | Message | undefined
}

/** The output of a retriever. */
export type MemoryRetrieverOutput = {
  /** The memories that match, best first. */
  memories: AgentMemoryItem[]
}

/** The second argument of recorders and retrievers. An engine may add fields of its own, which are passed on. */
export interface InvokeOptions extends CallOptions {
  /** The engine's context. */
  readonly context?: unknown
}

/** Throws INPUT_INVALID for any other value. */
export function assertRecorderInput(input: MemoryRecorderInput): MemoryRecorderInput {
  const list: unknown = input?.content
  if (!Array.isArray(list) || !list.every(isObject))
    throw invalid('content is not a list of objects', 'Give content: [{ input, output, source }].')
  for (const { source } of list as readonly Readonly<Record<string, unknown>>[])
    if (source !== undefined && source !== null) checkName(source, 'source')
  return input
}

/** Throws INPUT_INVALID for any other value. */
export function assertRetrieverInput(input: MemoryRetrieverInput = {}): MemoryRetrieverInput {
  const { limit, search } = input
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1)) {
    throw invalid(`limit is ${excerptOf(limit)}`, 'Give a whole number from 1 up.')
  }
  if (search !== undefined && typeof search !== 'string' && !isObject(search)) {
    throw invalid(`search is ${excerptOf(search)}`, 'Give a text or a message.')
  }
  return input
}

/** Throws INPUT_INVALID if a process returned anything else. `name` is that of the recorder or retriever. */
export function assertMemoriesOutput<T extends MemoryRecorderOutput>(output: T, name: string): T {
  if (Array.isArray(output?.memories)) return output
  throw invalid(
    `${name} returned no list of memories`,
    'Let its process return { memories: [{ id, content, createdAt }] }.',
  )
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (what: string, hint: string): MemoryError => new MemoryError('INPUT_INVALID', what, { hint })

/** Stores contents; called without `this`. */
export type RecorderProcess = (
  input: MemoryRecorderInput,
  options?: InvokeOptions,
) => MemoryRecorderOutput | Promise<MemoryRecorderOutput>

/** Finds memories; called without `this`. */
export type RetrieverProcess = (
  input: MemoryRetrieverInput,
  options?: InvokeOptions,
) => MemoryRetrieverOutput | Promise<MemoryRetrieverOutput>

/** How a recorder works. */
export interface MemoryRecorderOptions {
  /** The name for logs and error messages; default: MemoryRecorder. */
  readonly name?: string | undefined
  /** Stores the contents. */
  readonly process: RecorderProcess
}

/** How a retriever works. */
export interface MemoryRetrieverOptions {
  /** The name for logs and error messages; default: MemoryRetriever. */
  readonly name?: string | undefined
  /** Finds the memories. */
  readonly process: RetrieverProcess
}

/** Writes what is to be remembered. */
export class MemoryRecorder {
  /** The name for logs and error messages. */
  readonly name: string
  /** Stores the contents; it works alone, without `this`. Its input and output are not checked. */
  readonly process: RecorderProcess

  /** A recorder that runs this process. */
  constructor({ name = 'MemoryRecorder', process }: MemoryRecorderOptions) {
    this.name = name
    this.process = process
  }

  /** Runs the process. Rejects with INPUT_INVALID (input or output), CANCELLED, and what the process throws. */
  async invoke(input: MemoryRecorderInput, options?: InvokeOptions): Promise<MemoryRecorderOutput> {
    const checked = assertRecorderInput(input)
    const output = await unlessCancelled(options?.signal, () => this.process(checked, options))
    return assertMemoriesOutput(output, this.name)
  }
}

/** Finds what was remembered. */
export class MemoryRetriever {
  /** The name for logs and error messages. */
  readonly name: string
  /** Finds the memories; it works alone, without `this`. Its input and output are not checked. */
  readonly process: RetrieverProcess

  /** A retriever that runs this process. */
  constructor({ name = 'MemoryRetriever', process }: MemoryRetrieverOptions) {
    this.name = name
    this.process = process
  }

  /** Runs the process. Rejects with INPUT_INVALID (input or output), CANCELLED, and what the process throws. */
  async invoke(input: MemoryRetrieverInput = {}, options?: InvokeOptions): Promise<MemoryRetrieverOutput> {
    const checked = assertRetrieverInput(input)
    const output = await unlessCancelled(options?.signal, () => this.process(checked, options))
    return assertMemoriesOutput(output, this.name)
  }
}
