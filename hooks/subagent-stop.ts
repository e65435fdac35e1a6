// SubagentStop: records the report of the agent, and starts the worker. Prints nothing.
import { onAgentStop } from '../src/broker/handlers/agentStopHandler.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('SubagentStop', onAgentStop, startWorker)
