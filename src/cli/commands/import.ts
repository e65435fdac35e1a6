// memctl import: memories from other programs and from files, each source a subcommand.
import type { Command } from 'commander'
import type { CliContext } from '../context/cliContext.ts'
import { withStoreOptions } from '../context/storeOption.ts'

/** Adds the options that every import has to one of its subcommands. */
export const withImportOptions = (command: Command): Command =>
  withStoreOptions(command)
    .option('--dry-run', 'show what would be stored, and store nothing')
    .option('--quiet', 'show no progress bar')

/** The registered sources, in the order of the help. */
const SOURCES: readonly ((group: Command, io: CliContext) => void)[] = []

export function registerImport(program: Command, io: CliContext): void {
  const group = program.command('import').description('take over memories of other programs and of files')
  for (const register of SOURCES) register(group, io)
}
