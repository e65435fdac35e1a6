// The options that every source of `memctl import` has.
import type { Command } from 'commander'
import { withStoreOptions } from './storeOption.ts'

/** Adds them to one of its subcommands. */
export const withImportOptions = (command: Command): Command =>
  withStoreOptions(command)
    .option('--dry-run', 'show what would be stored, and store nothing')
    .option('--quiet', 'show no progress bar')
