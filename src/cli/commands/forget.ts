// memctl forget: takes memories, a session or a text out of the log for good. Without --yes it only says what would go.
import { type Command, InvalidArgumentError } from 'commander'
import type { ErasureResult } from '../../broker/commands/eraseFromLog.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { applyConfig } from '../context/applyConfig.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface Words extends StoreOptions {
  readonly session?: string
  readonly text?: string
  readonly yes?: boolean
}

/** A shorter text stands in everything, and its stars would spoil it. */
const TEXT_CHARS_MIN = 6

export function registerForget(program: Command, io: CliContext): void {
  withStoreOptions(program.command('forget').description('take memories, a session or a text out of the log for good'))
    .argument('[id...]', 'memories, with the events they were made of')
    .option('--session <id>', 'all that happened in a session')
    .option('--text <text>', 'a text, letter for letter, wherever it stands: stars take its place', textGiven)
    .option('--yes', 'do it; without this only what would go is told')
    .action(async (memories: readonly string[], options: Words) => {
      const { session, text, yes } = options
      if (memories.length === 0 && session === undefined && text === undefined) {
        throw new MemoryError('USAGE', 'Nothing was named that could be forgotten', {
          hint: 'Give ids of memories, `--session ID` or `--text TEXT`.',
        })
      }
      const { eraseFromLog } = await import('../../broker/commands/eraseFromLog.ts')
      const store = await openSelectedStore(options, io)
      await applyConfig(store)
      const unwanted = { memories, ...(session !== undefined && { session }), ...(text !== undefined && { text }) }
      printResult(io, options.json, eraseFromLog(store, unwanted, Date.now(), yes !== true), lines)
    })
}

function textGiven(text: string): string {
  if (text.length >= TEXT_CHARS_MIN) return text
  throw new InvalidArgumentError(`It must have ${TEXT_CHARS_MIN} letters or more.`)
}

function lines({ files, removed, redacted, dryRun }: ErasureResult): string[] {
  if (files.length === 0) return ['The log says nothing of it.']
  const names = files.map((file) => file.name).join(', ')
  if (dryRun)
    return [
      `${formatCount(removed, 'event')} would go and ${formatCount(redacted, 'event')} lose a part, in ${names}.`,
      'Nothing was changed. Add --yes to do it: it cannot be brought back.',
    ]
  return [
    `${formatCount(removed, 'event')} gone, ${redacted} without a part, in ${names}. Everything else was made anew.`,
    'Copies elsewhere (backups, what the client keeps of its sessions, files of entries) still have it.',
  ]
}
