// Stop: records the answer. Prints nothing: output would continue the turn.
import { onRecordOnly } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('Stop', onRecordOnly)
