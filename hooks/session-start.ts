// SessionStart: injects what earlier sessions left, and starts the worker if there is work left.
import { onSessionStart } from '../src/broker/handlers/startHandler.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('SessionStart', onSessionStart, startWorker)
