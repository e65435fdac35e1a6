// Entry point of `npm run eval`, `bench` and `dev`: runs a developer command with this process's streams.
import { readStdin } from '../src/cli/context/readInput.ts'
import { runDeveloperCommand } from './run.ts'

process.exitCode = await runDeveloperCommand(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  // npm runs a script in the package's folder; paths are relative to the folder in which npm was started.
  cwd: process.env['INIT_CWD'] ?? process.cwd(),
  stdin: () => (process.stdin.isTTY ? '' : readStdin()),
})
