// memctl statusline: what `memctl init --statusline` lets the client run, as a command.
import type { Command } from 'commander'
import type { CliContext } from '../context/cliContext.ts'

export function registerStatusline(program: Command, io: CliContext): void {
  program
    .command('statusline')
    .description("print one line for the client's status line, which gives its JSON on stdin")
    .action(async () => {
      const { formatStatusLine } = await import('../format/statusLine.ts')
      io.out.write(`${formatStatusLine(io.stdin(), io.env, io.cwd)}\n`)
    })
}
