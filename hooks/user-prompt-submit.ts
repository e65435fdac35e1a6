// UserPromptSubmit: records what was asked, recalls what may bear on it.
import { onPrompt } from '../src/broker/moments.ts'
import { answer } from '../src/hook/answer.ts'
import { handOver } from '../src/hook/handOver.ts'

answer('UserPromptSubmit', onPrompt, handOver)
