// MemoryRecorder and MemoryRetriever of the agent-framework spec: a process with checked input and output.
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

type Process<Input, Output> = (input: Input, options?: InvokeOptions) => Output | Promise<Output>
export type RecorderProcess = Process<MemoryRecorderInput, MemoryRecorderOutput>
export type RetrieverProcess = Process<MemoryRetrieverInput, MemoryRetrieverOutput>

interface ProcessOptions<P> {
  readonly name?: string | undefined
  readonly process: P
}
export interface MemoryRecorderOptions extends ProcessOptions<RecorderProcess> {}
export interface MemoryRetrieverOptions extends ProcessOptions<RetrieverProcess> {}

/** Writes what is to be remembered. */
export class MemoryRecorder {
  readonly name: string
  readonly process: RecorderProcess

  constructor({ name = 'MemoryRecorder', process }: MemoryRecorderOptions) {
    this.name = name
    this.process = process
  }

  /** Runs the process. Throws INPUT_INVALID for another input or output, and what the process throws. */
  async invoke(input: MemoryRecorderInput, options?: InvokeOptions): Promise<MemoryRecorderOutput> {
    return assertMemoriesOutput(await this.process(assertRecorderInput(input), options), this.name)
  }
}

/** Finds what was remembered. */
export class MemoryRetriever {
  readonly name: string
  readonly process: RetrieverProcess

  constructor({ name = 'MemoryRetriever', process }: MemoryRetrieverOptions) {
    this.name = name
    this.process = process
  }

  /** Runs the process. Throws INPUT_INVALID for another input or output, and what the process throws. */
  async invoke(input: MemoryRetrieverInput = {}, options?: InvokeOptions): Promise<MemoryRetrieverOutput> {
    return assertMemoriesOutput(await this.process(assertRetrieverInput(input), options), this.name)
  }
}
