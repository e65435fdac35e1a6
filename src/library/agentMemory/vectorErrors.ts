// Seed 000's two errors by their names, each with a code and a mend like every other.
import { type ErrorCode, MemoryError } from '../../model/memoryError.ts'

/** The question could not be embedded, or the memories not be searched. */
export class VectorSearchError extends MemoryError {
  constructor(code: ErrorCode, message: string, how: { readonly hint: string; readonly cause?: unknown }) {
    super(code, message, how)
    this.name = 'VectorSearchError'
  }
}

/** The embedding service has no endpoint or key, got nothing to embed, or did not answer rightly. */
export class AzureEmbeddingError extends MemoryError {
  constructor(code: ErrorCode, message: string, how: { readonly hint: string; readonly cause?: unknown }) {
    super(code, message, how)
    this.name = 'AzureEmbeddingError'
  }
}
