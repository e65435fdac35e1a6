// SubagentStop: records the answer of the agent, and starts the worker. Prints nothing.
import { onTurnEnd } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('SubagentStop', onTurnEnd, startWorker)
