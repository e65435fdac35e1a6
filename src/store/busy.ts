// A store whose lock another process holds, for who does not leave the work to that one.
import { MemoryError } from '../model/errors.ts'

export const storeBusy = (mend = 'Wait a moment, then run the command again.'): MemoryError =>
  new MemoryError('STORE_BUSY', 'Another process is organising this store', { mend })
