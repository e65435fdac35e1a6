// Options that several evaluations have.
import { type Command, Option } from 'commander'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import { createPalette } from '../../src/report/palette.ts'
import { createProgressBar, type ProgressBar } from '../../src/report/progressBar.ts'

export interface OutputOptions {
  readonly quiet?: boolean
  readonly json?: boolean
}

export const withOutputOptions = (command: Command): Command =>
  command.option('--quiet', 'no progress bar').option('--json', 'print one line of JSON')

/** A progress bar for `total` steps, unless the options or the terminal want none. */
export const evaluationProgress = (io: CliContext, total: number, { quiet, json }: OutputOptions): ProgressBar =>
  createProgressBar(io.err, createPalette(io.err, io.env), total, quiet || json)

/**
 * `hook` is what a hook may load: words, rows and numbers, no model and no graph of vectors. `full` may load more, and
 * has nothing more: vectors helped on no set that was measured (docs/recall.md), so both give the same answers.
 */
export const profileOption = (): Option =>
  new Option('--profile <profile>', 'what recall may load; full has nothing more than hook today')
    .choices(['hook', 'full'])
    .default('hook')
