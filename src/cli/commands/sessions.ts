// memctl sessions: every session of the log, the latest first.
import type { Command } from 'commander'
import type { SessionSummary } from '../../broker/queries/browse.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { ID_CHARS_SHOWN } from '../format/memoryText.ts'

interface Words extends StoreOptions {
  readonly limit: number
}

interface Sessions {
  readonly total: number
  readonly sessions: readonly SessionSummary[]
}

export function registerSessions(program: Command, io: CliContext): void {
  withStoreOptions(program.command('sessions').description('every session, the latest first'))
    .option('--limit <n>', 'how many', integerOption(1), 30)
    .action(async (options: Words) => {
      const { listSessions } = await import('../../broker/queries/browse.ts')
      const all = listSessions(await openSelectedStore(options, io))
      printResult(io, options.json, { total: all.length, sessions: all.slice(0, options.limit) }, rendered)
    })
}

function rendered({ total, sessions }: Sessions, { palette, columns }: Terminal): string[] {
  if (total === 0) return ['No sessions here yet.']
  const layout = [
    { head: 'session' },
    { head: 'started (UTC)' },
    { head: 'branch' },
    { head: 'prompts', align: 'right' },
    { head: 'calls', align: 'right' },
    { head: '' },
    { head: 'summary', canShrink: true },
  ] as const
  const rows = sessions.map((session) => [
    session.id.slice(0, ID_CHARS_SHOWN),
    formatTimestamp(session.started),
    sanitizeForTerminal(session.branch ?? ''),
    String(session.prompts),
    String(session.calls),
    session.organized ? '' : palette.yellow('to organise'),
    sanitizeForTerminal(session.summary ?? ''),
  ])
  const more = sessions.length < total ? [palette.dim(`${sessions.length} of ${total}.`)] : []
  return [...formatTable(layout, rows, columns, palette.dim), ...more]
}
