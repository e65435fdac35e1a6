// SessionStart: tells what earlier sessions left behind, and has what they left undone done in the background.
import { onStart } from '../src/broker/start.ts'
import { answer } from '../src/hook/answer.ts'
import { handOver } from '../src/hook/handOver.ts'

answer('SessionStart', onStart, handOver)
