// The status line as one small file: the client starts it at every update. It always exits with 0.
import { withRuntimeHome } from '../store/project/runtimeHome.ts'
import { readStdin } from './context/readStdin.ts'
import { formatStatusLine } from './format/statusLine.ts'

// It prints nothing rather than an error, also if its folder was deleted or its pipe is closed.
process.on('uncaughtException', () => process.exit(0))

process.stdout.write(`${formatStatusLine(readStdin(), withRuntimeHome(process.env, __dirname), process.cwd())}\n`)
