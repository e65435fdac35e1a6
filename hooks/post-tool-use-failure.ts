// PostToolUseFailure: records the failure, recalls the fix that worked last time.
import { onPostToolUseFailure } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('PostToolUseFailure', onPostToolUseFailure)
