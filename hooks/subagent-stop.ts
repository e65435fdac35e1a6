// SubagentStop: records what the agent reported. Prints nothing.
import { onRecordOnly } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('SubagentStop', onRecordOnly)
