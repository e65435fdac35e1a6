// SubagentStart: records the start and recalls for the role of the agent.
import { onSubagentStart } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('SubagentStart', onSubagentStart)
