// memctl events and sessions: what the log contains.
import { type Command, Option } from 'commander'
import { SYSTEM_SESSION } from '../../broker/commit/systemEvent.ts'
import type { SessionSummary } from '../../broker/queries/browse.ts'
import type { Event, EventKind } from '../../model/event.ts'
import { provenanceOf } from '../../model/provenanceOf.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatEventDetail } from '../format/eventText.ts'
import { numberColumns } from '../format/fieldTable.ts'
import { formatNothing } from '../format/nothingText.ts'

interface EventOptions extends StoreOptions {
  readonly session?: string
  readonly kind?: EventKind
  readonly limit: number
}

interface SessionPage {
  readonly total: number
  readonly sessions: readonly SessionSummary[]
}

// A record and not a list, so that a missing kind does not compile.
const KINDS: { readonly [Kind in EventKind]: true } = {
  'session.started': true,
  prompt: true,
  'call.started': true,
  'call.succeeded': true,
  'call.failed': true,
  answer: true,
  'agent.started': true,
  'agent.stopped': true,
  compaction: true,
  'session.ended': true,
  recalled: true,
  'session.improved': true,
  'session.organized': true,
  'session.distilled': true,
  'recall.judged': true,
  'policy.changed': true,
  'policy.chosen': true,
  'policy.frozen': true,
  'memory.stored': true,
  'memory.restored': true,
  'memory.released': true,
  'memory.impact': true,
  'memory.slept': true,
  'memory.updated': true,
  'memory.batch': true,
  'memory.deleted': true,
  'memory.accessed': true,
  'memory.scored': true,
  'memory.strengthened': true,
  'agent.slept': true,
  'memory.consolidated': true,
  'team.joined': true,
  'team.left': true,
  'team.published': true,
  'team.received': true,
  other: true,
}

export function registerEvents(program: Command, io: CliContext): void {
  withStoreOptions(program.command('events').description('show the latest events of the log'))
    .option('--session <id>', 'only events of one session (an id or a prefix of it)')
    .addOption(new Option('--kind <kind>', 'only events of this kind').choices(Object.keys(KINDS)))
    .option('--limit <n>', 'maximum number of events', integerOption(1), 40)
    .action(async (options: EventOptions) => {
      const { listLatestEvents } = await import('../../broker/queries/browse.ts')
      const { findSessionByPrefix } = await import('../../broker/queries/browse.ts')
      const store = await openSelectedStore(options, io)
      const { kind, limit } = options
      const session = isLogSession(options.session) ? options.session : findSessionByPrefix(store, options.session)
      const listed = listLatestEvents(store, { session, kind, limit })
      const events = listed.map((event) => ({ ...event, provenance: provenanceOf(event) }))
      printResult(io, options.json, { events }, (_, terminal) =>
        events.length === 0
          ? formatNothing('events', listLatestEvents(store, { limit: 1 }).length === 0, {
              kind: kind && [kind],
              session,
            })
          : formatEvents(events, terminal),
      )
    })
}

/** No session, or that of the events which memctl writes itself: `memctl sessions` does not list it. */
const isLogSession = (session: string | undefined): session is undefined | typeof SYSTEM_SESSION =>
  session === undefined || session === SYSTEM_SESSION

export function registerSessions(program: Command, io: CliContext): void {
  withStoreOptions(program.command('sessions').description('list sessions; the newest comes first'))
    .option('--limit <n>', 'maximum number of sessions', integerOption(1), 30)
    .action(async (options: StoreOptions & { readonly limit: number }) => {
      const { listSessions } = await import('../../broker/queries/browse.ts')
      const all = listSessions(await openSelectedStore(options, io))
      const page = { total: all.length, sessions: all.slice(0, options.limit) }
      printResult(withKnownIds(io, all), options.json, page, formatSessions)
    })
}

function formatEvents(events: readonly Event[], { palette, columns, shortId }: Terminal): string[] {
  const heads = ['at (UTC)', 'session', 'role', 'kind'].map((head) => ({ head }))
  const rows = events.map((event) => [
    formatTimestamp(event.at),
    shortId(event.session),
    event.role,
    event.kind,
    sanitizeForTerminal(formatEventDetail(event)),
  ])
  return formatTable([...heads, { head: '', canShrink: true }], rows, columns, palette.dim)
}

function formatSessions({ total, sessions }: SessionPage, { palette, columns, shortId }: Terminal): string[] {
  if (total === 0) return formatNothing('sessions', true)
  const layout = [
    { head: 'session' },
    { head: 'started (UTC)' },
    { head: 'branch' },
    ...numberColumns('prompts', 'calls'),
    { head: '' },
    { head: 'summary', canShrink: true },
  ]
  const rows = sessions.map((session) => [
    shortId(session.id),
    formatTimestamp(session.started),
    sanitizeForTerminal(session.branch ?? ''),
    String(session.prompts),
    String(session.calls),
    session.organized ? (session.origin === undefined ? '' : palette.dim('imported')) : palette.yellow('to organize'),
    sanitizeForTerminal(session.summary ?? ''),
  ])
  const more = sessions.length < total ? [palette.dim(`${sessions.length} of ${total}.`)] : []
  return [...formatTable(layout, rows, columns, palette.dim), ...more]
}
