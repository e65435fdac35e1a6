// PostToolUse: records the result, and starts the worker if a failure may be fixed.
import { onPostToolUse } from '../src/broker/handlers/resultHandler.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('PostToolUse', onPostToolUse, startWorker)
