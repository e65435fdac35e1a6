// A command-line program: how its words are parsed, and which exit status its end has. 0 done, 2 for what a person can fix, 1 for a bug.
import { Command, CommanderError } from 'commander'
import type { CliContext } from './context/cliContext.ts'
import { ExitStatus } from './context/exitStatus.ts'
import { isHookCommand, reportError, usageError } from './reportError.ts'

/** A program without commands. It never ends the process, and prints its errors nowhere: `runProgram` does. */
export const newProgram = (name: string, description: string, io: CliContext): Command =>
  new Command(name)
    .description(description)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.out.write(text), writeErr: () => {} })

/** Runs a program with these words and gives its exit status; without words it prints its help. */
export async function runProgram(program: Command, argv: readonly string[], io: CliContext): Promise<number> {
  if (argv.length === 0) {
    program.outputHelp()
    return 0
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (error instanceof ExitStatus) return error.status
    const fault = error instanceof CommanderError ? usageError(error, program.name(), argv) : error
    return reportError(fault, io, { json: argv.includes('--json'), hookDoor: isHookCommand(argv) })
  }
}
