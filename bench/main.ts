// The commands of developers, with this process as their input and output: `npm run eval` and `npm run bench`.
import { runDeveloperCommand } from './run.ts'

process.exitCode = await runDeveloperCommand(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  // npm runs a script in the package's folder; files are named from where the person is.
  cwd: process.env['INIT_CWD'] ?? process.cwd(),
  stdin: () => '',
})
