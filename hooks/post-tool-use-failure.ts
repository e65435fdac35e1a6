// PostToolUseFailure: records the failure and recalls the fix that worked before.
import { onPostToolUseFailure } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('PostToolUseFailure', onPostToolUseFailure)
