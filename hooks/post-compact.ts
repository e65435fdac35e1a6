// PostCompact: records the summary. Prints nothing.
import { onRecordOnly } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('PostCompact', onRecordOnly)
