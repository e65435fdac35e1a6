// Stop: records the answer. Prints nothing: output would make the turn go on.
import { onRecord } from '../src/broker/hook/record.ts'
import { answer } from '../src/hook/answer.ts'

answer('Stop', onRecord)
