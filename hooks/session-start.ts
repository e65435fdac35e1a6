// SessionStart: tells what earlier sessions left behind, and has what they left undone done in the background.
import { onSessionStart } from '../src/broker/handlers/startHandler.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('SessionStart', onSessionStart, startWorker)
