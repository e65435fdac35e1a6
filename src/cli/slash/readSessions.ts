// /memctl:read-sessions yes|no: whether Claude may read finished sessions.
import type { Command } from 'commander'
import { resolveMemctlHome } from '../../store/project/project.ts'
import type { CliContext } from '../context/cliContext.ts'
import { chooseSessionReading } from '../install/readSessions.ts'

export function registerReadSessions(program: Command, io: CliContext): void {
  program
    .command('read-sessions')
    .description('whether Claude may read finished sessions')
    .argument('[answer]', 'yes or no')
    .action(async (answer: string | undefined) => {
      const given = /^y(?:es)?$/i.test(answer ?? '') ? 'yes' : /^no?$/i.test(answer ?? '') ? 'no' : undefined
      const lines =
        given === undefined
          ? ['Say yes or no: /memctl:read-sessions yes']
          : await chooseSessionReading(io, { home: resolveMemctlHome(io.env), given })
      io.out.write(`${lines.join('\n')}\n`)
    })
}
