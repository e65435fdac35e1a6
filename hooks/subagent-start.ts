// SubagentStart: recalls what the agent's role may see.
import { onAgentStart } from '../src/broker/hook/moments.ts'
import { answer } from '../src/hook/answer.ts'

answer('SubagentStart', onAgentStart)
