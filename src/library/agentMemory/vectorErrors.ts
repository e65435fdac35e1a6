// The two error classes of the agent-memory spec, each with a code and a hint.
import { type ErrorCode, type ErrorDetails, MemoryError } from '../../model/memoryError.ts'

/** The query could not be embedded, or the memories could not be searched. */
export class VectorSearchError extends MemoryError {
  /** `message` says what is wrong and where. */
  constructor(code: ErrorCode, message: string, options: ErrorDetails) {
    super(code, message, options)
    this.name = 'VectorSearchError'
  }
}

/** The embedding service has no endpoint or key, got nothing to embed, or gave no valid answer. */
export class AzureEmbeddingError extends MemoryError {
  /** `message` says what is wrong and where. */
  constructor(code: ErrorCode, message: string, options: ErrorDetails) {
    super(code, message, options)
    this.name = 'AzureEmbeddingError'
  }
}
