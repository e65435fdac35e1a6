// A command-line program: parses its words and returns an exit status: 0 done, 2 for what the user can fix, 1 a bug. An
// error is one line with the hint for a person, JSON for a program; a stack only if asked for.
import { Command, CommanderError } from 'commander'
import { MemoryError } from '../model/memoryError.ts'
import { removeControls } from '../report/fitText.ts'
import { createPalette, layOutLine } from '../report/textOutput.ts'
import { isolate, translate } from '../report/translation.ts'
import { toMemoryError } from '../store/disk/diskCalls.ts'
import { type CliContext, ExitStatus } from './context/cliContext.ts'
import { assertPersonAsks } from './context/forPerson.ts'
import { commandPath, findCommand, HELP_FORMAT, hintForSynonym } from './help/formatHelp.ts'

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
      writeOut: (text) => void io.out.write(removeControls(text)),
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
    return reportError(reported, io, argv)
  }
}

/** Prints the error and returns the exit status: 2 for what the user can fix, 1 for a bug and any error of a hook. */
export function reportError(error: unknown, io: CliContext, argv: readonly string[]): number {
  const expected = toMemoryError(error)
  if (!expected) {
    io.err.write(`${formatBug(error, io.env['MEMCTL_DEBUG'] === '1')}\n`)
    return 1
  }
  const { code, message, hint } = expected
  if (argv.includes('--json')) io.out.write(`${JSON.stringify({ error: { code, message, hint } })}\n`)
  else {
    const palette = createPalette(io.err, io.env)
    const text = `${toSentence(translate(toOneLine(message)))}${translate(toOneLine(hint))}`
    io.err.write(`${layOutLine(`${palette.red('memctl:')} ${isolate(text)}`, io.err).join('\n')}\n`)
  }
  // Claude Code may start these two as a hook: it blocks the action when a hook exits with 2, and ignores 1.
  return argv[0] === 'hook' || argv[0] === 'record' ? 1 : 2
}

/** A bug on one line, without the stack that says little to a user; `isDebugging` shows it. */
export function formatBug(error: unknown, isDebugging: boolean): string {
  if (isDebugging && error instanceof Error) return error.stack ?? error.message
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return `memctl: internal error, ${toSentence(toOneLine(what).slice(0, BUG_CHARS_MAX))}${BUG_HINT}`
}

const BUG_CHARS_MAX = 500

const BUG_HINT = 'This is a bug of memctl: please report it. MEMCTL_DEBUG=1 shows where it is.'

/** An error of commander as a MemoryError. Its hint names another command, or the help of this one. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): MemoryError {
  const command = findCommand(program, argv)
  const name = [program.name(), commandPath(command)].filter(Boolean).join(' ')
  const [what = '', suggestion] = toOneLine(error.message.replace(/^error: /, '')).split(/ \(Did you mean (.*)\?\)$/)
  const help = `Run \`${name} --help\` for ${command.commands.length > 0 ? 'the commands' : 'its options'}.`
  const hint =
    hintForUnknownCommand(error, program, argv) ??
    (suggestion === undefined ? help : `Did you mean ${suggestion}? ${help}`)
  return new MemoryError('USAGE', what, { hint, cause: error })
}

function hintForUnknownCommand(error: CommanderError, program: Command, argv: readonly string[]): string | undefined {
  if (error.code !== 'commander.unknownCommand') return undefined
  const word = argv.find((part) => !part.startsWith('-'))
  return word === undefined || findCommand(program, argv) !== program ? undefined : hintForSynonym(program, word)
}

const toOneLine = (text: string): string => removeControls(text.replace(/\s*\n\s*/g, ' ')).trim()
/** With what separates it from the next sentence: nothing in Japanese. */
const toSentence = (text: string): string =>
  text.endsWith('。') ? text : `${/[.!?]\)?$/.test(text) ? text : `${text}.`} `
