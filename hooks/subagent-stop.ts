// SubagentStop: records the answer of the agent. Prints nothing.
import { onRecordOnly } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('SubagentStop', onRecordOnly)
