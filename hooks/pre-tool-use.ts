// PreToolUse: recalls what is known of the file or command at hand.
import { onCall } from '../src/broker/hook/moments.ts'
import { answer } from '../src/hook/answer.ts'

answer('PreToolUse', onCall)
