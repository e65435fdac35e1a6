// The executable `memctl`: passes this process's streams, environment and folder to the commands.
import fs from 'node:fs'
import { runCli } from './runCli.ts'

// `memctl list | head` closes the pipe early. That is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

process.exitCode = await runCli(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  stdin: () => (process.stdin.isTTY ? '' : fs.readFileSync(0, 'utf8')),
})
