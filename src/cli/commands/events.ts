// memctl events: what the log has, the latest ones, in its order.
import { type Command, Option } from 'commander'
import type { Event, EventKind } from '../../model/event.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatEventDetail } from '../format/eventText.ts'
import { ID_CHARS_SHOWN } from '../format/memoryText.ts'

interface Words extends StoreOptions {
  readonly session?: string
  readonly kind?: EventKind
  readonly limit: number
}

// A record and not a list, so that a kind that is left out does not compile.
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
  withStoreOptions(program.command('events').description('what happened, as the log keeps it; the latest'))
    .option('--session <id>', 'only of one session (an id, or how it begins)')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(Object.keys(KINDS)))
    .option('--limit <n>', 'how many', integerOption(1), 40)
    .action(async (options: Words) => {
      const { listLatestEvents } = await import('../../broker/queries/browse.ts')
      printResult(
        io,
        options.json,
        { events: listLatestEvents(await openSelectedStore(options, io), options) },
        rendered,
      )
    })
}

function rendered({ events }: { readonly events: readonly Event[] }, { palette, columns }: Terminal): string[] {
  if (events.length === 0) return ['No events here yet.']
  const layout = [
    { head: 'at (UTC)' },
    { head: 'session' },
    { head: 'role' },
    { head: 'kind' },
    { head: '', canShrink: true },
  ]
  const rows = events.map((event) => [
    formatTimestamp(event.at),
    event.session.slice(0, ID_CHARS_SHOWN),
    event.role,
    event.kind,
    sanitizeForTerminal(formatEventDetail(event)),
  ])
  return formatTable(layout, rows, columns, palette.dim)
}
