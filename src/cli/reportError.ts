// Reports the error of a command: one line with the hint for a person, JSON for a program, a stack for a bug.
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
    io.err.write(`${error instanceof Error ? error.stack : String(error)}\n`)
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
