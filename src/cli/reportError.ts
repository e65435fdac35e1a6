// How a command fails: one line with the mend for a person, one object for a program, a stack for a bug.
import type { CommanderError } from 'commander'
import { MemoryError } from '../model/memoryError.ts'
import { createPalette } from '../report/palette.ts'
import { systemErrorCode } from '../store/disk/files.ts'
import { ioErrorHint } from '../store/disk/ioErrorHint.ts'
import type { CliContext } from './context/cliContext.ts'

/** Tells the failure and gives the exit status: 2 for what a person can hint, 1 for a bug. */
export function reportError(
  fault: unknown,
  io: CliContext,
  how: { readonly json: boolean; readonly hookDoor: boolean },
): number {
  const error = mendable(fault)
  if (!error) {
    io.err.write(`${fault instanceof Error ? fault.stack : String(fault)}\n`)
    return 1
  }
  const { code, message, hint } = error
  if (how.json) io.out.write(`${JSON.stringify({ error: true, code, message, hint: hint })}\n`)
  else {
    const palette = createPalette(io.err, io.env)
    io.err.write(`${palette.red('memctl:')} ${sentence(oneLine(message))} ${oneLine(hint)}\n`)
  }
  // To Claude Code a hook's exit status 2 means: block what is about to happen. 1 is a complaint nobody has to heed.
  return how.hookDoor ? 1 : 2
}

/** Commander's error as one of ours; its hint names the help of the command at hand. */
export function usageError(error: CommanderError, program: string, argv: readonly string[]): MemoryError {
  const what = oneLine(error.message.replace(/^error: /, ''))
  const command = argv.find((word) => !word.startsWith('-'))
  const help = error.code === 'commander.unknownCommand' || command === undefined ? '' : ` ${command}`
  return new MemoryError('USAGE', what, { hint: `Run \`${program}${help} --help\` for what there is.`, cause: error })
}

/** Whether Claude Code may have called: these two commands are wired as hooks. */
export const isHookCommand = (argv: readonly string[]): boolean => argv[0] === 'hook' || argv[0] === 'record'

function mendable(fault: unknown): MemoryError | undefined {
  if (fault instanceof MemoryError) return fault
  const hint = ioErrorHint(systemErrorCode(fault))
  return hint ? new MemoryError('STORE_UNWRITABLE', (fault as Error).message, { hint, cause: fault }) : undefined
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim()
const sentence = (text: string): string => (/[.!?)]$/.test(text) ? text : `${text}.`)
