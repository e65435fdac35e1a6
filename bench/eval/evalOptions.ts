// Options that several eval commands share.
import { type Command, Option } from 'commander'
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

/**
 * `hook` allows what a hook may load: words, rows and numbers, but no model and no vector graph. `full` may load
 * more, but today both return the same: vectors improved no measured set.
 */
export const profileOption = (): Option =>
  new Option('--profile <profile>', 'what recall may load; today full loads no more than hook')
    .choices(['hook', 'full'])
    .default('hook')
