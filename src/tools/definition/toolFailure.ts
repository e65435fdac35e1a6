// A failed tool call as the caller gets it: the three fields of the memory-tools spec, and a hint.
import type { MemoryError } from '../../model/memoryError.ts'

/** The memory-tools spec has the first two; PermissionError and StoreError are memctl's. */
export type ErrorType = 'ValidationError' | 'NotFoundError' | 'PermissionError' | 'StoreError'

export interface ToolFailure {
  readonly error: true
  readonly error_type: ErrorType
  readonly message: string
  readonly hint: string
}

/** The failure for an error; also for errors inside an output, such as those of a batch's items. */
export const toToolFailure = ({ code, message, hint }: MemoryError): ToolFailure => ({
  error: true,
  error_type: errorTypeOf(code),
  message,
  hint,
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
