// Hands over to the worker from a hook. Loaded when there is something to hand over, and no sooner: node:child_process alone
// costs a cold process 2.4 ms, and most prompts and starts leave nothing to the worker.
import type { StartWorker } from './answer.ts'

export const handOver: StartWorker = async (projectRoot) => {
  const { startWorker } = await import('./background.ts')
  startWorker(projectRoot)
}
