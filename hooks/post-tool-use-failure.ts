// PostToolUseFailure: records the failure and recalls the fix that worked before.
import { onPostToolUseFailure } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('PostToolUseFailure', onPostToolUseFailure, startWorker)
