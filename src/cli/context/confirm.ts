// Every deletion shows first what it deletes, and then asks. Without a terminal there is nobody to ask: it needs --yes.
import type { Command } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import { type CliContext, ExitStatus, printResult, type Terminal } from './cliContext.ts'

/** The options of a deletion. */
export interface ConfirmOptions {
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** What a deletion would delete, and how a person reads it. */
interface Deletion<T> {
  /** Computed unless the person has said --yes. Printed by --dry-run, as JSON too. */
  readonly preview: () => T | Promise<T>
  /** Whether there is nothing to delete: then nobody is asked. */
  readonly isEmpty?: (preview: T) => boolean
  readonly format: (preview: T, terminal: Terminal) => readonly string[]
  /** `Erase 3 memories?`; the answers are added. */
  readonly question: string
}

/** Adds `--yes` and `--dry-run`. */
export const withConfirmOptions = (command: Command): Command =>
  command
    .option('-y, --yes', 'do it without asking')
    .option('--dry-run', 'show what would be deleted, but delete nothing')

/**
 * Whether to delete now: with --yes, or if the person at the terminal says so. With --dry-run, and if
 * there is nothing to delete, it prints the preview and is false.
 *
 * Throws NOT_CONFIRMED, after the preview, if there is nobody to ask, and ExitStatus 2 if the answer is no.
 */
export async function confirmDeletion<T>(
  io: CliContext,
  { yes, dryRun, json }: ConfirmOptions,
  { preview, isEmpty, format, question }: Deletion<T>,
): Promise<boolean> {
  if (yes && !dryRun) return true
  const found = await preview()
  const isNothing = isEmpty?.(found) === true
  if (dryRun || !json || isNothing) printResult(io, json, found, format)
  if (isNothing) return false
  if (dryRun) {
    if (!json) io.out.write('Nothing was deleted. Without --dry-run, memctl asks; with --yes, it does not ask.\n')
    return false
  }
  if (json || !io.ask) {
    throw new MemoryError('NOT_CONFIRMED', 'Nothing was deleted, because it was not confirmed', {
      hint: json ? 'Add --yes to delete, or --dry-run for a preview.' : 'Add --yes to delete.',
    })
  }
  if (/^y(?:es)?$/i.test((await io.ask(`${question} [y/N] `)).trim())) return true
  io.out.write('Nothing was deleted.\n')
  throw new ExitStatus(2)
}
