// PostCompact: records the summary. Prints nothing.
import { onRecord } from '../src/broker/hook/record.ts'
import { answer } from '../src/hook/answer.ts'

answer('PostCompact', onRecord)
