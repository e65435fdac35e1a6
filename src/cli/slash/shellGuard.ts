// A text behind a slash command that would leave its heredoc: what follows the end mark would run in the shell.
//
// The shell waits for this process before it reads the next line, so it is stopped in time. Measured with clients
// 2.1.197 and 2.1.329: without a permission for Bash they refuse such a command themselves, with one they run it.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { HEREDOC_END } from '../install/slashCommand.ts'

/** How often the end mark is in a block whose text does not have it. */
const MARKS = 2

const PS_MS = 2_000

/**
 * What the shell that runs this block makes of its text. whole: it reads nothing else. leaving: it would read on behind
 * the text. cut: the client has ended the block at three backticks in the text. What is unknown is whole; see
 * `isLeaving`.
 */
export function inspectShell(shell: number = process.ppid): 'whole' | 'leaving' | 'cut' {
  const parts = readCommandLine(shell)?.split(HEREDOC_END).length ?? 0
  if (parts - 1 > MARKS) return 'leaving'
  return parts - 1 === 1 ? 'cut' : 'whole'
}

/** The same from what the hook has recorded of the prompt, for systems on which no command line can be read. */
export const isLeaving = (typed: string): boolean => typed.includes(HEREDOC_END)

/** Ends the shell, so that it does not read on. */
export const stopShell = (shell: number = process.ppid): void => void process.kill(shell, 'SIGKILL')

/** The command line of a process; undefined if it cannot be read. */
function readCommandLine(pid: number): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // No Linux.
  }
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_MS,
    windowsHide: true,
  })
  return status === 0 ? stdout : undefined
}
