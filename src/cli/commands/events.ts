// memctl list --events and --sessions: what the log contains.
import { SYSTEM_SESSION } from '../../broker/commit/systemEvent.ts'
import type { SessionSummary } from '../../broker/queries/browse.ts'
import { type Event, type EventKind, listEventKinds } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { provenanceOf } from '../../model/provenance.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'
import { formatEventDetail } from '../format/eventText.ts'
import { numberColumns } from '../format/fieldTable.ts'
import { formatNothing } from '../format/nothingText.ts'

interface EventOptions extends StoreOptions {
  readonly session?: string
  /** Only events of this kind; true for all. */
  readonly events: string | true
  readonly limit: number
}

interface SessionPage {
  readonly total: number
  readonly sessions: readonly SessionSummary[]
}

/** Prints the latest events. Throws USAGE for an unknown kind. */
export async function printEvents(options: EventOptions, io: CliContext): Promise<void> {
  const { findSessionByPrefix, listLatestEvents } = await import('../../broker/queries/browse.ts')
  const kind = options.events === true ? undefined : parseKind(options.events)
  const store = await openSelectedStore(options, io)
  const session = isLogSession(options.session) ? options.session : findSessionByPrefix(store, options.session)
  const listed = listLatestEvents(store, { session, kind, limit: options.limit })
  const events = listed.map((event) => ({ ...event, provenance: provenanceOf(event) }))
  printResult(io, options.json, { events }, (_, terminal) =>
    events.length === 0
      ? formatNothing('events', listLatestEvents(store, { limit: 1 }).length === 0, { events: kind && [kind], session })
      : formatEvents(events, terminal),
  )
}

function parseKind(word: string): EventKind {
  const kind = listEventKinds().find((known) => known === word)
  if (kind !== undefined) return kind
  throw new MemoryError('USAGE', `There is no kind of event ${word}`, {
    hint: `Use one of ${listEventKinds().join(', ')}.`,
  })
}

/** No session, or that of the events which memctl writes itself: `memctl list --sessions` does not have it. */
const isLogSession = (session: string | undefined): session is undefined | typeof SYSTEM_SESSION =>
  session === undefined || session === SYSTEM_SESSION

/** Prints the sessions, the newest first. */
export async function printSessions(options: StoreOptions & { readonly limit: number }, io: CliContext): Promise<void> {
  const { listSessions } = await import('../../broker/queries/browse.ts')
  const all = listSessions(await openSelectedStore(options, io))
  const page = { total: all.length, sessions: all.slice(0, options.limit) }
  printResult(withKnownIds(io, all), options.json, page, formatSessions)
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
