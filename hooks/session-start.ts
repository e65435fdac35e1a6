// SessionStart: injects what earlier sessions left, and starts the worker if there is work left.
import { onSessionStart } from '../src/broker/handlers/startHandler.ts'
import { findClient, runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('SessionStart', onSessionStart, startWorker, findClient)
