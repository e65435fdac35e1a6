// The executable `memctl`: passes this process's streams, environment and folder to the commands.
import { askOnTerminal } from './context/askOnTerminal.ts'
import { readStdin } from './context/readStdin.ts'
import { formatBug } from './reportError.ts'
import { runCli } from './runCli.ts'

const isDebugging = process.env['MEMCTL_DEBUG'] === '1'

// `memctl list | head` closes the pipe early. That is not an error; a full disk is one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    if (stream === process.stdout) process.stderr.write(`memctl: the output cannot be written: ${error.message}\n`)
    process.exit(2)
  })
}

// What no command has caught, such as an error in a callback.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${formatBug(error, isDebugging)}\n`)
  process.exit(1)
})

const hasTerminal = process.stdin.isTTY && process.stdout.isTTY

process.exitCode = await runCli(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  cwd: currentFolder(),
  stdin: () => (process.stdin.isTTY ? '' : readStdin()),
  ...(hasTerminal && {
    ask: (question: string) => askOnTerminal(question, { input: process.stdin, output: process.stdout }),
  }),
})

/** The current folder; the root folder if it was deleted meanwhile. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}
