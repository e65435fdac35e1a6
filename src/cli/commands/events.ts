// memctl events and sessions: what the log contains.
import { type Command, Option } from 'commander'
import type { SessionSummary } from '../../broker/queries/browse.ts'
import type { Event, EventKind } from '../../model/event.ts'
import { provenanceOf } from '../../model/provenanceOf.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatEventDetail } from '../format/eventText.ts'
import { numberColumns } from '../format/fieldTable.ts'
import { shortId } from '../format/memoryText.ts'

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
  other: true,
}

export function registerEvents(program: Command, io: CliContext): void {
  withStoreOptions(program.command('events').description('show the latest events of the log'))
    .option('--session <id>', 'only events of one session (an id or a prefix of it)')
    .addOption(new Option('--kind <kind>', 'only events of this kind').choices(Object.keys(KINDS)))
    .option('--limit <n>', 'maximum number of events', integerOption(1), 40)
    .action(async (options: EventOptions) => {
      const { listLatestEvents } = await import('../../broker/queries/browse.ts')
      const listed = listLatestEvents(await openSelectedStore(options, io), options)
      const events = listed.map((event) => ({ ...event, provenance: provenanceOf(event) }))
      printResult(io, options.json, { events }, (result, terminal) => formatEvents(result.events, terminal))
    })
}

export function registerSessions(program: Command, io: CliContext): void {
  withStoreOptions(program.command('sessions').description('list sessions; the newest comes first'))
    .option('--limit <n>', 'maximum number of sessions', integerOption(1), 30)
    .action(async (options: StoreOptions & { readonly limit: number }) => {
      const { listSessions } = await import('../../broker/queries/browse.ts')
      const all = listSessions(await openSelectedStore(options, io))
      printResult(io, options.json, { total: all.length, sessions: all.slice(0, options.limit) }, formatSessions)
    })
}

function formatEvents(events: readonly Event[], { palette, columns }: Terminal): string[] {
  if (events.length === 0) return ['No events yet.']
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

function formatSessions({ total, sessions }: SessionPage, { palette, columns }: Terminal): string[] {
  if (total === 0) return ['No sessions yet.']
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
    session.organized ? '' : palette.yellow('to organize'),
    sanitizeForTerminal(session.summary ?? ''),
  ])
  const more = sessions.length < total ? [palette.dim(`${sessions.length} of ${total}.`)] : []
  return [...formatTable(layout, rows, columns, palette.dim), ...more]
}
