// Stop: records the answer, and starts the worker. Prints nothing: output would continue the turn.
import { onTurnEnd } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('Stop', onTurnEnd, startWorker)
