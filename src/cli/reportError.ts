// Reports the error of a command: one line with the hint for a person, JSON for a program. A stack only if asked for.
import type { CommanderError } from 'commander'
import { MemoryError } from '../model/memoryError.ts'
import { createPalette } from '../report/palette.ts'
import { systemErrorCode } from '../store/disk/files.ts'
import { ioErrorHint } from '../store/disk/ioErrorHint.ts'
import type { CliContext } from './context/cliContext.ts'

/** Prints the error and returns the exit status: 2 for what the user can fix, 1 for a bug and any error of a hook. */
export function reportError(
  error: unknown,
  io: CliContext,
  format: { readonly json: boolean; readonly isHook: boolean },
): number {
  const expected = toMemoryError(error)
  if (!expected) {
    io.err.write(`${formatBug(error, io.env['MEMCTL_DEBUG'] === '1')}\n`)
    return 1
  }
  const { code, message, hint } = expected
  if (format.json) io.out.write(`${JSON.stringify({ error: true, code, message, hint })}\n`)
  else {
    const palette = createPalette(io.err, io.env)
    io.err.write(`${palette.red('memctl:')} ${toSentence(toOneLine(message))} ${toOneLine(hint)}\n`)
  }
  // Claude Code blocks the action when a hook exits with 2. It ignores 1.
  return format.isHook ? 1 : 2
}

/** A bug on one line, without the stack that says little to a user; `isDebugging` shows it. */
export function formatBug(error: unknown, isDebugging: boolean): string {
  if (isDebugging && error instanceof Error) return error.stack ?? error.message
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return `memctl: internal error, ${toSentence(toOneLine(what).slice(0, BUG_CHARS_MAX))} ${BUG_HINT}`
}

const BUG_CHARS_MAX = 500

const BUG_HINT = 'This is a bug of memctl: please report it. MEMCTL_DEBUG=1 shows where it is.'

/** An error of commander as a MemoryError. Its hint names the help of the command. */
export function usageError(error: CommanderError, program: string, argv: readonly string[]): MemoryError {
  const message = toOneLine(error.message.replace(/^error: /, ''))
  const command = argv.find((word) => !word.startsWith('-'))
  const subject = error.code === 'commander.unknownCommand' || command === undefined ? '' : ` ${command}`
  const hint = `Run \`${program}${subject} --help\` for the available options.`
  return new MemoryError('USAGE', message, { hint, cause: error })
}

/** Whether this is one of the two commands that Claude Code may start as a hook. */
export const isHookCommand = (argv: readonly string[]): boolean => argv[0] === 'hook' || argv[0] === 'record'

function toMemoryError(error: unknown): MemoryError | undefined {
  if (error instanceof MemoryError) return error
  const hint = ioErrorHint(systemErrorCode(error))
  return hint ? new MemoryError('STORE_UNWRITABLE', (error as Error).message, { hint, cause: error }) : undefined
}

const toOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim()
const toSentence = (text: string): string => (/[.!?)]$/.test(text) ? text : `${text}.`)
