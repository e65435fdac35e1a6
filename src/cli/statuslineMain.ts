// The status line as one small file: the client starts it at every update. It always exits with 0.
import { formatStatusLine } from './format/statusLine.ts'
import { readStdin } from './readStdin.ts'

// It prints nothing rather than an error, also if its folder was deleted or its pipe is closed.
process.on('uncaughtException', () => process.exit(0))

process.stdout.write(`${formatStatusLine(readStdin(), process.env, process.cwd())}\n`)
