// memctl forget: erases memories, a session or a text from the log. Without --yes it only shows a preview.
import { type Command, InvalidArgumentError } from 'commander'
import type { ErasureResult } from '../../broker/commands/eraseFromLog.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { applyConfig } from '../context/applyConfig.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface ForgetOptions extends StoreOptions {
  readonly session?: string
  readonly text?: string
  readonly yes?: boolean
}

/** A shorter text occurs everywhere, and replacing it would damage the log. */
const TEXT_CHARS_MIN = 6

export function registerForget(program: Command, io: CliContext): void {
  const command = program.command('forget')
  withStoreOptions(command.description('erase memories, a session or a text from the log permanently'))
    .argument('[id...]', 'erase these memories and the events they were derived from')
    .option('--session <id>', 'erase all events of this session')
    .option('--text <text>', 'replace this exact text with asterisks wherever it occurs', parseText)
    .option('--yes', 'erase now; without this option, memctl only shows a preview')
    .action(async (memories: readonly string[], options: ForgetOptions) => {
      const { session, text, yes } = options
      if (memories.length === 0 && session === undefined && text === undefined) {
        throw new MemoryError('USAGE', 'Nothing to forget was named', {
          hint: 'Name ids of memories, `--session ID` or `--text TEXT`.',
        })
      }
      const { eraseFromLog } = await import('../../broker/commands/eraseFromLog.ts')
      const store = await openSelectedStore(options, io)
      await applyConfig(store)
      const unwanted = { memories, ...(session !== undefined && { session }), ...(text !== undefined && { text }) }
      printResult(
        io,
        options.json,
        eraseFromLog(store, unwanted, { now: Date.now(), dryRun: yes !== true }),
        formatErasure,
      )
    })
}

function parseText(text: string): string {
  if (text.length >= TEXT_CHARS_MIN) return text
  throw new InvalidArgumentError(`Use ${TEXT_CHARS_MIN} characters or more.`)
}

function formatErasure({ files, removed, redacted, dryRun }: ErasureResult): string[] {
  if (files.length === 0) return ['No event matches.']
  const names = files.map((file) => file.name).join(', ')
  if (dryRun) {
    return [
      `${formatCount(removed, 'event')} would be removed and ${redacted} redacted, in ${names}.`,
      'Nothing was changed. Add --yes to erase; this cannot be undone.',
    ]
  }
  return [
    `${formatCount(removed, 'event')} removed, ${redacted} redacted, in ${names}. Derived data was rebuilt.`,
    "Other copies (backups, the client's session files, entry files) still contain it.",
  ]
}
