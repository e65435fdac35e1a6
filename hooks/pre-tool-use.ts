// PreToolUse: recalls what is known of the file or command at hand.
import { onPreToolUse } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('PreToolUse', onPreToolUse)
