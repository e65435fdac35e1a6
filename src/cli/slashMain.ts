// The slash commands as one file that needs nothing installed beside it: the plugin and `memctl init` name it. It
// always exits with 0: else the client would show its own error instead of the answer.
import fs from 'node:fs'
import { runSlashCommand } from './slashCommands.ts'

await runSlashCommand(process.argv[2], fs.readFileSync(0, 'utf8'), {
  out: process.stdout,
  err: process.stdout,
  env: process.env,
  cwd: process.cwd(),
  stdin: () => '',
})
