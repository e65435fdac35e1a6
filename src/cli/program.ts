// A command-line program: parses its words and returns an exit status: 0 done, 2 for what the user can fix, 1 a bug.
import { Command, CommanderError } from 'commander'
import { type CliContext, ExitStatus } from './context/cliContext.ts'
import { assertPersonAsks } from './context/forPerson.ts'
import { commandPath, HELP_FORMAT } from './help/formatHelp.ts'
import { findCommand } from './help/helpCommand.ts'
import { isHookCommand, reportError, usageError } from './reportError.ts'

/** Columns of a help page, at most: longer lines are hard to read. */
const HELP_COLUMNS_MAX = 100

/** A program without commands. It never ends the process and prints no errors: `runProgram` does. */
export const newProgram = (name: string, description: string, io: CliContext): Command =>
  new Command(name)
    .description(description)
    .exitOverride()
    .hook('preAction', (_, command) => assertPersonAsks(commandPath(command), command.opts(), io))
    .configureHelp(HELP_FORMAT)
    .configureOutput({
      writeOut: (text) => void io.out.write(text),
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(HELP_COLUMNS_MAX, (io.out.isTTY && io.out.columns) || HELP_COLUMNS_MAX),
    })

/**
 * Runs a program with these arguments and returns its exit status. Without arguments it prints its help, and so does a
 * group of commands.
 */
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
    if (error instanceof CommanderError && error.code === 'commander.help') {
      findCommand(program, argv).outputHelp()
      return 0
    }
    if (error instanceof ExitStatus) return error.status
    const reported = error instanceof CommanderError ? usageError(error, program, argv) : error
    return reportError(reported, io, { json: argv.includes('--json'), isHook: isHookCommand(argv) })
  }
}
