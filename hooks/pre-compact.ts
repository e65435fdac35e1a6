// PreCompact: records that a compaction begins. Prints nothing.
import { onRecordOnly } from '../src/broker/handlers/recordHandlers.ts'
import { runHook } from '../src/hook/runHook.ts'

runHook('PreCompact', onRecordOnly)
