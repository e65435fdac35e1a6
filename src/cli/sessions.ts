// memctl sessions: every session of the log, the latest first.
import type { Command } from 'commander'
import type { SessionLook } from '../broker/browse.ts'
import { table } from '../report/table.ts'
import { momentText } from '../report/time.ts'
import { plain } from '../report/width.ts'
import { aboutStore, type StoreOptions, storeGiven, wholeNumber } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { ID_SHOWN } from './memoryLines.ts'

interface Words extends StoreOptions {
  readonly limit: number
}

interface Sessions {
  readonly total: number
  readonly sessions: readonly SessionLook[]
}

export function registerSessions(program: Command, io: Io): void {
  aboutStore(program.command('sessions').description('every session, the latest first'))
    .option('--limit <n>', 'how many', wholeNumber(1), 30)
    .action(async (words: Words) => {
      const { sessionsOf } = await import('../broker/browse.ts')
      const all = sessionsOf(await storeGiven(words, io))
      tell(io, words.json, { total: all.length, sessions: all.slice(0, words.limit) }, rendered)
    })
}

function rendered({ total, sessions }: Sessions, { palette, columns }: Page): string[] {
  if (total === 0) return ['No sessions here yet.']
  const layout = [
    { head: 'session' },
    { head: 'started (UTC)' },
    { head: 'branch' },
    { head: 'prompts', side: 'right' },
    { head: 'calls', side: 'right' },
    { head: '' },
    { head: 'summary', gives: true },
  ] as const
  const rows = sessions.map((session) => [
    session.id.slice(0, ID_SHOWN),
    momentText(session.started),
    plain(session.branch ?? ''),
    String(session.prompts),
    String(session.calls),
    session.organised ? '' : palette.yellow('to organise'),
    plain(session.summary ?? ''),
  ])
  const more = sessions.length < total ? [palette.dim(`${sessions.length} of ${total}.`)] : []
  return [...table(layout, rows, columns, palette.dim), ...more]
}
