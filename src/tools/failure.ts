// A failure as a caller gets it: seed 001's three fields, and the mend. What a code is called there.
import type { MemoryError } from '../model/errors.ts'

/** Seed 001 has the first two; the others are ours. */
export type ErrorType = 'ValidationError' | 'NotFoundError' | 'PermissionError' | 'StoreError'

/** What every tool answers where it cannot: seed 001's three fields, and what to do about it. */
export interface Failure {
  readonly error: true
  readonly error_type: ErrorType
  readonly message: string
  readonly mend: string
}

/** The failure's shape for an error; also for errors inside an answer, such as one item's of a batch. */
export const failureOf = ({ code, message, mend }: MemoryError): Failure => ({
  error: true,
  error_type: errorTypeOf(code),
  message,
  mend,
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
