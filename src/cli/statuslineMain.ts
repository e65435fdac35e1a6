// The status line as one small file: the client starts it at every update. It always exits with 0, and within the time
// of a hook, also if its stdin stays open.
import { readPayload } from '../hook/readPayload.ts'
import { withRuntimeHome } from '../store/project/project.ts'
import { formatStatusLine } from './format/statusLine.ts'

// It prints nothing rather than an error, also if its folder was deleted or its pipe is closed.
process.on('uncaughtException', () => process.exit(0))

readPayload((text) => {
  const line = formatStatusLine(text, withRuntimeHome(process.env, __dirname), process.cwd())
  process.stdout.write(`${line}\n`, () => process.exit(0))
})
