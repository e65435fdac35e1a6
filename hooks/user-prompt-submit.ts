// UserPromptSubmit: records what was asked, recalls what may bear on it.
import { onPrompt } from '../src/broker/hook/moments.ts'
import { answer } from '../src/hook/answer.ts'
import { startWorker } from '../src/hook/background.ts'

answer('UserPromptSubmit', onPrompt, startWorker)
