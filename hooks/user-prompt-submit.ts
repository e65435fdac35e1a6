// UserPromptSubmit: records the prompt and recalls what may help with it.
import { onUserPromptSubmit } from '../src/broker/handlers/recallHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

runHook('UserPromptSubmit', onUserPromptSubmit, startWorker)
