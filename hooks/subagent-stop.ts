// SubagentStop: records what the agent reported. Prints nothing.
import { onRecord } from '../src/broker/hook/record.ts'
import { answer } from '../src/hook/answer.ts'

answer('SubagentStop', onRecord)
