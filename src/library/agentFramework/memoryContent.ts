// Input and output of recorders and retrievers, in the shapes of the agent-framework spec.
import { MemoryError } from '../../model/memoryError.ts'
import { excerptOf } from '../../text/valueExcerpt.ts'
import { checkName } from '../checkInput.ts'

/** A framework's message: any object. */
export type Message = Readonly<Record<string, unknown>>

/** One operation to remember: its input, its output, and who gave the output. */
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
  /** The largest number of memories to return. */
  readonly limit?: number | undefined
  /** Words, or a message with texts. Without it all memories match, newest first. */
  readonly search?: string | Message | undefined
}

export interface MemoryRetrieverOutput {
  readonly memories: readonly AgentMemoryItem[]
}

/** Further arguments of an engine, such as its context; passed on unchanged. */
export type InvokeOptions = Readonly<Record<string, unknown>>

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
export function assertMemoriesOutput<T extends { readonly memories: readonly AgentMemoryItem[] }>(
  output: T,
  name: string,
): T {
  if (Array.isArray(output?.memories)) return output
  throw invalid(
    `${name} returned no list of memories`,
    'Let its process return { memories: [{ id, content, createdAt }] }.',
  )
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (what: string, hint: string): MemoryError => new MemoryError('INPUT_INVALID', what, { hint })
