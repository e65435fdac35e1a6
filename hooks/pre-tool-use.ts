// PreToolUse: records the call and recalls what is known about its file or command.
import { onPreToolUse } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('PreToolUse', onPreToolUse)
