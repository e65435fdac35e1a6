// MemoryRetriever: whoever finds what was remembered.
import {
  assertMemoriesOutput,
  assertRetrieverInput,
  type InvokeOptions,
  type MemoryRetrieverInput,
  type MemoryRetrieverOutput,
} from './memoryContent.ts'

export type RetrieverProcess = (
  input: MemoryRetrieverInput,
  options?: InvokeOptions,
) => MemoryRetrieverOutput | Promise<MemoryRetrieverOutput>

export interface MemoryRetrieverOptions {
  readonly name?: string | undefined
  readonly process: RetrieverProcess
}

export class MemoryRetriever {
  readonly name: string
  readonly process: RetrieverProcess

  constructor({ name = 'MemoryRetriever', process }: MemoryRetrieverOptions) {
    this.name = name
    this.process = process
  }

  /** Retrieves, input and output checked. Throws INPUT_INVALID, and what the process throws. */
  async invoke(input: MemoryRetrieverInput = {}, options?: InvokeOptions): Promise<MemoryRetrieverOutput> {
    return assertMemoriesOutput(await this.process(assertRetrieverInput(input), options), this.name)
  }
}
