// MemoryRecorder and MemoryRetriever of the agent-framework spec: a process with checked input and output.
import { type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isObject } from '../../model/unknownJson.ts'
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
