// SessionStart: tells what earlier sessions left behind, and has what they left undone done in the background.
import { onStart } from '../src/broker/hook/start.ts'
import { answer } from '../src/hook/answer.ts'
import { startWorker } from '../src/hook/background.ts'

answer('SessionStart', onStart, startWorker)
