// The executable `memctl`: passes this process's streams, environment and folder to the commands.
import readline from 'node:readline'
import type { CliContext } from './context/cliContext.ts'
import { readStdin } from './context/readInput.ts'
import { formatBug } from './program.ts'

/** Given by the build: whether this is the bundle of the everyday commands. */
declare const IS_DAILY: boolean

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

const context: CliContext = {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  cwd: currentFolder(),
  stdin: () => (process.stdin.isTTY ? '' : readStdin()),
  ...(hasTerminal && { ask }),
}

const words = process.argv.slice(2)
const running = IS_DAILY
  ? import('./dailyCommands.ts').then(({ runDaily }) => runDaily(words, context))
  : import('./runCli.ts').then(({ runCli }) => runCli(words, context))
void running.then((status) => {
  process.exitCode = status
})

/** The current folder; the root folder if it was deleted meanwhile. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}

/** The line that the person types; undefined at the end of the input. Ctrl-C ends the process as usual. */
function ask(question: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Not as a terminal: the system edits the line, and sends the signal of Ctrl-C to the process.
    const lines = readline.createInterface({ input: process.stdin, output: process.stdout, terminal: false })
    lines.once('close', () => resolve(undefined))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}
