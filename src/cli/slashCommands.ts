// Runs the slash commands of Claude Code: what the person typed becomes the arguments of a command of memctl.
import { registerEdit, registerPin, registerRemember, registerSupersede } from './commands/statements.ts'
import { registerWhy } from './commands/why.ts'
import type { CliContext } from './context/cliContext.ts'
import { SLASH_COMMANDS, type SlashCommand } from './install/slashCommand.ts'
import { newProgram, runProgram } from './program.ts'

/** Runs a slash command with the text that the person typed behind it. Errors are part of the answer. */
export async function runSlashCommand(name: string | undefined, text: string, io: CliContext): Promise<void> {
  const command = SLASH_COMMANDS.find((known) => known.name === name)
  const about = 'The slash commands of memctl.'
  const program = newProgram('memctl', about, io)
  for (const register of [registerRemember, registerEdit, registerPin, registerSupersede, registerWhy])
    register(program, io)
  const answered: CliContext = { ...io, err: io.out }
  await runProgram(program, command ? toArguments(command, text) : ['--help'], answered)
}

/** Options first, then the id, then the rest as one text: its spaces and its dashes stay. */
export function toArguments({ name, hasId }: Pick<SlashCommand, 'name' | 'hasId'>, text: string): string[] {
  const options: string[] = []
  let rest = text.trim()
  for (let option = OPTION.exec(rest); option; option = OPTION.exec(rest)) {
    options.push(`--${option[1]}`, option[2] ?? '')
    rest = rest.slice(option[0].length)
  }
  const id = hasId ? (/^\S*/.exec(rest)?.[0] ?? '') : ''
  const words = [id, rest.slice(id.length).trim()].filter((word) => word !== '')
  return [name, ...options, '--', ...words]
}

/** An option with its value, before the text. */
const OPTION = /^--(scope|file|strength|reason|by)[ =](\S+)\s*/
