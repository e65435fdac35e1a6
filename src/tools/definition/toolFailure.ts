// A failure as a caller gets it: seed 001's three fields, and the hint. What a code is called there.
import type { MemoryError } from '../../model/memoryError.ts'

/** Seed 001 has the first two; the others are ours. */
export type ErrorType = 'ValidationError' | 'NotFoundError' | 'PermissionError' | 'StoreError'

/** What every tool answers where it cannot: seed 001's three fields, and what to do about it. */
export interface ToolFailure {
  readonly error: true
  readonly error_type: ErrorType
  readonly message: string
  readonly hint: string
}

/** The failure's shape for an error; also for errors inside an answer, such as one item's of a batch. */
export const toToolFailure = ({ code, message, hint }: MemoryError): ToolFailure => ({
  error: true,
  error_type: errorTypeOf(code),
  message,
  hint: hint,
})

function errorTypeOf(code: MemoryError['code']): ErrorType {
  switch (code) {
    case 'INPUT_INVALID':
    case 'USAGE':
      return 'ValidationError'
    case 'NOT_FOUND':
      return 'NotFoundError'
    case 'NOT_ALLOWED':
      return 'PermissionError'
    default:
      return 'StoreError'
  }
}
