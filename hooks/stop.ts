// Stop: records the answer. Prints nothing: output would make the turn go on.
import { onRecord } from '../src/broker/record.ts'
import { answer } from '../src/hook/answer.ts'

answer('Stop', onRecord)
