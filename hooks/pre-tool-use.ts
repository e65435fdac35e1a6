// PreToolUse: records the call and recalls what is known about its file or command. Starts the worker before an agent.
import { onPreToolUse } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('PreToolUse', onPreToolUse, startWorker)
