// What recorders and retrievers are given and give: the shapes of seed 004, as its framework has them.
import { MemoryError } from '../../model/memoryError.ts'

/** A framework's message: any object. */
export type Message = Readonly<Record<string, unknown>>

/** One thing to remember: what went in, what came out, and of whom. */
export interface MemoryContent {
  readonly input?: Message | undefined
  readonly output?: Message | undefined
  /** The agent or system that gave the output. */
  readonly source?: string | undefined
}

export interface AgentMemoryItem {
  readonly id: string
  readonly content: unknown
  /** ISO 8601. */
  readonly createdAt: string
}

export interface MemoryRecorderInput {
  readonly content: readonly MemoryContent[]
}

export interface MemoryRecorderOutput {
  readonly memories: readonly AgentMemoryItem[]
}

export interface MemoryRetrieverInput {
  /** At most so many. */
  readonly limit?: number | undefined
  /** Words, or a message whose texts they are; everything, the newest first, where left out. */
  readonly search?: string | Message | undefined
}

export interface MemoryRetrieverOutput {
  readonly memories: readonly AgentMemoryItem[]
}

/** What an engine calls a process with beside its input, such as its context. It is handed on as it came. */
export type InvokeOptions = Readonly<Record<string, unknown>>

/** Throws INPUT_INVALID where it is no such input. */
export function assertRecorderInput(input: MemoryRecorderInput): MemoryRecorderInput {
  if (Array.isArray(input?.content) && input.content.every(isObject)) return input
  throw invalid('content is no list of objects', 'Give content: [{ input, output, source }].')
}

/** Throws INPUT_INVALID where it is no such input. */
export function assertRetrieverInput(input: MemoryRetrieverInput = {}): MemoryRetrieverInput {
  const { limit, search } = input
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1)) {
    throw invalid(`limit is ${JSON.stringify(limit)}`, 'Give a whole number from 1 up.')
  }
  if (search !== undefined && typeof search !== 'string' && !isObject(search)) {
    throw invalid(`search is ${JSON.stringify(search)}`, 'Give a text or a message.')
  }
  return input
}

/** Throws INPUT_INVALID where a process gave something else. */
export function assertMemoriesOutput<T extends { readonly memories: readonly AgentMemoryItem[] }>(
  output: T,
  who: string,
): T {
  if (Array.isArray(output?.memories)) return output
  throw invalid(`${who} gave no list of memories`, 'Let its process return { memories: [{ id, content, createdAt }] }.')
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (what: string, hint: string): MemoryError => new MemoryError('INPUT_INVALID', what, { hint })
