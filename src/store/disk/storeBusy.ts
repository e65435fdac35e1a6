// A store whose lock another process holds, for who does not leave the work to that one.
import { MemoryError } from '../../model/memoryError.ts'

export const storeBusyError = (hint = 'Wait a moment, then run the command again.'): MemoryError =>
  new MemoryError('STORE_BUSY', 'Another process is organising this store', { hint })
