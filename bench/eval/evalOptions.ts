// Options that several eval commands share.
import type { Command } from 'commander'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import { createProgressBar, type ProgressBar } from '../../src/report/textOutput.ts'

export interface OutputOptions {
  readonly quiet?: boolean
  readonly json?: boolean
}

export const withOutputOptions = (command: Command): Command =>
  command.option('--quiet', 'no progress bar').option('--json', 'print one line of JSON')

/** A progress bar for `total` steps, unless the options or the terminal want none. */
export const evaluationProgress = (io: CliContext, total: number, { quiet, json }: OutputOptions): ProgressBar =>
  createProgressBar(io, total, quiet || json)
