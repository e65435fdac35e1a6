// SubagentStart: recalls what the agent's role may see.
import { onSubagentStart } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('SubagentStart', onSubagentStart)
