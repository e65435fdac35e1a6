// PostToolUseFailure: records the failure, recalls the fix that worked last time.
import { onFailure } from '../src/broker/hook/moments.ts'
import { answer } from '../src/hook/answer.ts'

answer('PostToolUseFailure', onFailure)
