// PreCompact: records the checkpoint. Prints nothing.
import { onRecord } from '../src/broker/hook/record.ts'
import { answer } from '../src/hook/answer.ts'

answer('PreCompact', onRecord)
