// MemoryRecorder: whoever writes what is to be remembered.
import {
  assertMemoriesOutput,
  assertRecorderInput,
  type InvokeOptions,
  type MemoryRecorderInput,
  type MemoryRecorderOutput,
} from './memoryContent.ts'

export type RecorderProcess = (
  input: MemoryRecorderInput,
  options?: InvokeOptions,
) => MemoryRecorderOutput | Promise<MemoryRecorderOutput>

export interface MemoryRecorderOptions {
  readonly name?: string | undefined
  readonly process: RecorderProcess
}

export class MemoryRecorder {
  readonly name: string
  readonly process: RecorderProcess

  constructor({ name = 'MemoryRecorder', process }: MemoryRecorderOptions) {
    this.name = name
    this.process = process
  }

  /** Records, input and output checked. Throws INPUT_INVALID, and what the process throws. */
  async invoke(input: MemoryRecorderInput, options?: InvokeOptions): Promise<MemoryRecorderOutput> {
    return assertMemoriesOutput(await this.process(assertRecorderInput(input), options), this.name)
  }
}
