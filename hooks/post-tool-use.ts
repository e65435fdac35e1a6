// PostToolUse: records the result.
import { onSuccess } from '../src/broker/hook/record.ts'
import { answer } from '../src/hook/answer.ts'

answer('PostToolUse', onSuccess)
