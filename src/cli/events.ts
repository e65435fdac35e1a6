// memctl events: what the log has, the latest ones, in its order.
import { type Command, Option } from 'commander'
import type { Event, EventKind } from '../model/event.ts'
import { table } from '../report/table.ts'
import { momentText } from '../report/time.ts'
import { plain } from '../report/width.ts'
import { detailOf } from './eventWords.ts'
import { aboutStore, type StoreOptions, storeGiven, wholeNumber } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { ID_SHOWN } from './memoryLines.ts'

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

export function registerEvents(program: Command, io: Io): void {
  aboutStore(program.command('events').description('what happened, as the log keeps it; the latest'))
    .option('--session <id>', 'only of one session (an id, or how it begins)')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(Object.keys(KINDS)))
    .option('--limit <n>', 'how many', wholeNumber(1), 40)
    .action(async (words: Words) => {
      const { eventsOf } = await import('../broker/browse.ts')
      tell(io, words.json, { events: eventsOf(await storeGiven(words, io), words) }, rendered)
    })
}

function rendered({ events }: { readonly events: readonly Event[] }, { palette, columns }: Page): string[] {
  if (events.length === 0) return ['No events here yet.']
  const layout = [
    { head: 'at (UTC)' },
    { head: 'session' },
    { head: 'role' },
    { head: 'kind' },
    { head: '', gives: true },
  ]
  const rows = events.map((event) => [
    momentText(event.at),
    event.session.slice(0, ID_SHOWN),
    event.role,
    event.kind,
    plain(detailOf(event)),
  ])
  return table(layout, rows, columns, palette.dim)
}
