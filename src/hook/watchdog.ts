// What a hook starts in the background: it starts the worker, and ends it if it takes too long or too much memory.
//
//   hook ──▶ watchdog ──▶ worker ──▶ ends by itself
//                │           └────── an endless loop, a blocked read: SIGKILL from the watchdog, which has a timer
//                └─ writes down which step it was: after three times that step is skipped
//
// A worker's own timer cannot end a loop or a blocked read. The watchdog does nothing else, so its timer fires; the
// worker is its child, so no other process can have its pid. The lock of a worker that was ended is a dead one, which
// the next worker takes over.
import { join } from 'node:path'
import { WORKER_MEMORY_MB } from '../model/limits.ts'
import { budgetMs, SYNC } from './startWorker.ts'
import { superviseWorker } from './superviseWorker.ts'

const [, , folder, task] = process.argv
const script = join(__dirname, 'worker.cjs')

/**
 * Time that the worker gets after its own limit, in milliseconds: for a step that it does not interrupt. One that
 * exchanges changes with a hub may stop after any step, so it gets no more than a minute in all.
 */
const graceMs = task === SYNC ? 5_000 : 70_000

if (folder) {
  const limits = { killAfterMs: budgetMs(task) + graceMs, memoryMb: WORKER_MEMORY_MB }
  // Without options for V8: its code caches are checked against them, and the worker builds those of the hooks.
  superviseWorker(process.execPath, [script, folder, ...(task ? [task] : [])], {
    ...limits,
    onEnded: async (step, what) => (await import('./recordFault.ts')).recordOverrun(folder, step, what),
  })
}
