// The slash commands as one file that needs nothing installed beside it: the plugin and `memctl init` name it. It
// always exits with 0: else the client would show its own error instead of the answer.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withRuntimeHome } from '../store/project/project.ts'
import { readStdin } from './context/readInput.ts'
import { formatBug } from './program.ts'
import { inspectShell, runSlashCommand, stopShell } from './slashCommands.ts'

// One line instead of a stack, whatever it is.
process.on('uncaughtException', (error) => {
  process.stdout.write(`${formatBug(error, false)}\n`)
  process.exit(0)
})

const io = {
  out: process.stdout,
  err: process.stdout,
  env: withRuntimeHome(process.env, path.dirname(fileURLToPath(import.meta.url))),
  cwd: process.cwd(),
  stdin: () => '',
}

// Before anything else: what is behind the text must not run, whatever goes wrong here.
const shell = inspectShell()
if (shell.isLeaving) stopShell()
else await runSlashCommand(process.argv[2], { ...shell, text: readStdin() }, io, stopShell)
