// MemoryRecorder and MemoryRetriever of the agent-framework spec: a process with checked input and output.
import { unlessCancelled } from '../../model/longCall.ts'
import {
  assertMemoriesOutput,
  assertRecorderInput,
  assertRetrieverInput,
  type InvokeOptions,
  type MemoryRecorderInput,
  type MemoryRecorderOutput,
  type MemoryRetrieverInput,
  type MemoryRetrieverOutput,
} from './memoryContent.ts'

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
