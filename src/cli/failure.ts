// How a command fails: one line with the mend for a person, one object for a program, a stack for a bug.
import type { CommanderError } from 'commander'
import { MemoryError } from '../model/errors.ts'
import { paletteFor } from '../report/colour.ts'
import { diskMend } from '../store/diskMend.ts'
import { codeOf } from '../store/files.ts'
import type { Io } from './io.ts'

/** Tells the failure and gives the exit status: 2 for what a person can mend, 1 for a bug. */
export function failed(fault: unknown, io: Io, how: { readonly json: boolean; readonly hookDoor: boolean }): number {
  const error = mendable(fault)
  if (!error) {
    io.err.write(`${fault instanceof Error ? fault.stack : String(fault)}\n`)
    return 1
  }
  const { code, message, mend } = error
  if (how.json) io.out.write(`${JSON.stringify({ error: true, code, message, mend })}\n`)
  else {
    const palette = paletteFor(io.err, io.env)
    io.err.write(`${palette.red('memctl:')} ${sentence(oneLine(message))} ${oneLine(mend)}\n`)
  }
  // To Claude Code a hook's exit status 2 means: block what is about to happen. 1 is a complaint nobody has to heed.
  return how.hookDoor ? 1 : 2
}

/** Commander's error as one of ours; its hint names the help of the command at hand. */
export function usageError(error: CommanderError, program: string, argv: readonly string[]): MemoryError {
  const what = oneLine(error.message.replace(/^error: /, ''))
  const command = argv.find((word) => !word.startsWith('-'))
  const help = error.code === 'commander.unknownCommand' || command === undefined ? '' : ` ${command}`
  return new MemoryError('USAGE', what, { mend: `Run \`${program}${help} --help\` for what there is.`, cause: error })
}

/** Whether Claude Code may have called: these two commands are wired as hooks. */
export const isHookDoor = (argv: readonly string[]): boolean => argv[0] === 'hook' || argv[0] === 'record'

function mendable(fault: unknown): MemoryError | undefined {
  if (fault instanceof MemoryError) return fault
  const mend = diskMend(codeOf(fault))
  return mend ? new MemoryError('STORE_UNWRITABLE', (fault as Error).message, { mend, cause: fault }) : undefined
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim()
const sentence = (text: string): string => (/[.!?)]$/.test(text) ? text : `${text}.`)
