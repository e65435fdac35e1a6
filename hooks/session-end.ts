// SessionEnd: hands over to a detached worker and is gone.
import { onEnd } from '../src/broker/record.ts'
import { answer } from '../src/hook/answer.ts'
import { handOver } from '../src/hook/handOver.ts'

answer('SessionEnd', onEnd, handOver)
