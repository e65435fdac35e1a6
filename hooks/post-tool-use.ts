// PostToolUse: records the result.
import { onPostToolUse } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('PostToolUse', onPostToolUse)
