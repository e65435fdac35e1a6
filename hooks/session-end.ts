// SessionEnd: records the end and starts the detached worker.
import { onSessionEnd } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('SessionEnd', onSessionEnd, startWorker)
