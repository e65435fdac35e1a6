// Writes down that a worker had to be ended. Loaded only then.
import { recordFailedStep } from '../broker/maintenance/workSteps.ts'
import { openStore } from '../broker/open/openStore.ts'
import { MemoryError } from '../model/memoryError.ts'
import { recordFault } from './recordFault.ts'

/** `step` is what the worker did last; empty if it had not begun anything. `what` is the reason. */
export async function recordOverrun(folder: string, step: string, what: string): Promise<void> {
  const store = openStore(folder, process.env)
  const name = step || 'start'
  recordFailedStep(store, name, what, Date.now())
  const hint = 'The next worker goes on; a step that fails three times is skipped for a day. `memctl doctor` lists it.'
  recordFault(store, 'worker', new MemoryError('WORKER_ENDED', `The worker was ended at ${name}: ${what}`, { hint }))
}
