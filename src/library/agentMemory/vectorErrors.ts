// The two error classes of the agent-memory spec, each with a code and a hint.
import { type ErrorCode, MemoryError } from '../../model/memoryError.ts'

/** The query could not be embedded, or the memories could not be searched. */
export class VectorSearchError extends MemoryError {
  constructor(code: ErrorCode, message: string, options: { readonly hint: string; readonly cause?: unknown }) {
    super(code, message, options)
    this.name = 'VectorSearchError'
  }
}

/** The embedding service has no endpoint or key, got nothing to embed, or gave no valid answer. */
export class AzureEmbeddingError extends MemoryError {
  constructor(code: ErrorCode, message: string, options: { readonly hint: string; readonly cause?: unknown }) {
    super(code, message, options)
    this.name = 'AzureEmbeddingError'
  }
}
