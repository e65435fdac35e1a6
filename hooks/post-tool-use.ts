// PostToolUse: records the result, and starts the worker if a failure may be fixed.
import { onPostToolUse } from '../src/broker/handlers/resultHandler.ts'
import { runHook } from '../src/hook/runHook.ts'
import { startWorker } from '../src/hook/startWorker.ts'

// Most results are no failures: the bundler runs the modules behind a `require` when it is called.
type Notes = typeof import('../src/broker/handlers/hiddenFailureNotes.ts')
const notes = (): Notes => require('../src/broker/handlers/hiddenFailureNotes.ts')

runHook(
  'PostToolUse',
  onPostToolUse((...result) => notes().noteHiddenFailure(...result)),
  startWorker,
)
