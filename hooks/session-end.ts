// SessionEnd: hands over to a detached worker and is gone.
import { onEnd } from '../src/broker/hook/record.ts'
import { answer } from '../src/hook/answer.ts'
import { startWorker } from '../src/hook/background.ts'

answer('SessionEnd', onEnd, startWorker)
