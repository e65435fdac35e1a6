// PreCompact: records the checkpoint. Prints nothing.
import { onRecord } from '../src/broker/record.ts'
import { answer } from '../src/hook/answer.ts'

answer('PreCompact', onRecord)
