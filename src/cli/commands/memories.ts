// memctl list, search and show: memories as a table, found by words, or one with all its
// fields; and what the log contains: list --events and --sessions.
import { type Command, Option } from 'commander'
import { SYSTEM_SESSION } from '../../broker/commit/commitEvents.ts'
import type { MemorySort, SessionSummary } from '../../broker/queries/browse.ts'
import { type Event, type EventKind, listEventKinds } from '../../model/event.ts'
import { KNOWLEDGE_TYPES } from '../../model/knowledge.ts'
import {
  kindOfKnowledge,
  MEMORY_KINDS,
  MEMORY_STATUSES,
  type Memory,
  type MemoryKind,
  type MemoryStatus,
  TIERS,
  type Tier,
} from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { provenanceOf, withProvenance } from '../../model/provenance.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTimestamp } from '../../report/formatNumber.ts'
import { formatItems } from '../../report/formatTable.ts'
import { inBothLanguages, translate, translateStored } from '../../report/translation.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import {
  collectChoices,
  integerOption,
  openSelectedStore,
  openSyncedStore,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import { formatEventDetail } from '../format/eventText.ts'
import { formatMemory, formatMemoryTable, formatNothing, formatSuccession } from '../format/memoryText.ts'

interface FilterOptions extends StoreOptions {
  readonly kind?: readonly MemoryKind[]
  readonly tier?: readonly Tier[]
  readonly limit: number
  readonly private?: boolean
}

interface ListOptions extends FilterOptions {
  readonly status?: MemoryStatus
  readonly session?: string
  readonly origin?: string
  readonly offset: number
  readonly sort: MemorySort
  readonly claudeMd?: string | true
  readonly sessions?: true
  readonly events?: string | true
  readonly write?: boolean
}

interface ShowOptions extends StoreOptions {
  readonly private?: boolean
  readonly all?: boolean
  readonly contribution?: true
}

/** Options that mean nothing for sessions and events. */
const OF_MEMORIES = ['kind', 'tier', 'status', 'origin', 'offset', 'sort', 'private', 'claudeMd', 'write']

const SORT_NAMES: readonly MemorySort[] = ['updated', 'created', 'importance', 'strength', 'help']

export function registerList(program: Command, io: CliContext): void {
  withFilterOptions(program.command('list').alias('ls').description('list memories'))
    .addOption(new Option('--status <status>', 'only active or only archived memories').choices(MEMORY_STATUSES))
    .option('--session <id>', 'only memories or events of one session (an id or a prefix of it)')
    .option('--origin <source>', 'only imported memories of this source, such as claude-mem; import for all')
    .option('--limit <n>', 'maximum number of them', integerOption(1), 30)
    .option('--offset <n>', 'number of memories to skip', integerOption(0), 0)
    .addOption(new Option('--sort <by>', 'sort order').choices(SORT_NAMES).default('updated'))
    .option('--claude-md [file]', 'print the change that adds the standing entries to CLAUDE.md (or to this file)')
    .option('--write', 'with --claude-md: change the file')
    .addOption(
      new Option('--sessions', 'list sessions instead, the newest first').conflicts([...OF_MEMORIES, 'session']),
    )
    .addOption(
      new Option('--events [kind]', 'list the latest events of the log instead').conflicts([
        ...OF_MEMORIES,
        'sessions',
      ]),
    )
    .action(async (options: ListOptions) => {
      const { sessions, events } = options
      if (sessions) return printSessions(options, io)
      if (events !== undefined) return printEvents(events, options, io)
      const { findSessionByPrefix, listMemories, listMemoryPage } = await import('../../broker/queries/browse.ts')
      const { kind: kinds, tier: tiers, status, origin, limit, offset, sort, claudeMd } = options
      const store = await openSyncedStore(options, io)
      const withPrivate = options.private === true
      if (claudeMd !== undefined) {
        const { proposeClaudeMd } = await import('./claudeMd.ts')
        return proposeClaudeMd(store, listMemories(store, { kinds, withPrivate }, sort), { ...options, claudeMd }, io)
      }
      const session = options.session === undefined ? undefined : findSessionByPrefix(store, options.session)
      const filter = { kinds, tiers, status, session, origin, withPrivate }
      const { total, memories, knownIds } = listMemoryPage(store, filter, { sort, offset, limit })
      const listed = memories.map(withProvenance)
      printResult({ ...io, knownIds }, options.json, { total, offset, memories: listed }, (_, terminal) =>
        total === 0
          ? formatNothing('memories', knownIds.length === 0, { kind: kinds, tier: tiers, status, session, origin })
          : formatPage(listed, offset, total, terminal),
      )
    })
}

export function registerShow(program: Command, io: CliContext): void {
  withStoreOptions(program.command('show').description('show one memory with the events it was derived from'))
    .argument('<id>', 'id of the memory or a prefix of it')
    .option('--private', 'also if it is private; not inside a session')
    .option('--all', 'every field, also those that only memctl uses')
    .option('--contribution', 'what its recalls contributed instead; provisional while the session is open')
    .action(async (id: string, options: ShowOptions) => {
      if (options.contribution) return (await import('./contribution.ts')).printContribution('memory', id, options, io)
      const { findRelatedMemory, listReleaseEvents, listSourceEvents } = await import('../../broker/queries/browse.ts')
      const store = await openSyncedStore(options, io)
      const found = findRelatedMemory(store, id, { withPrivate: options.private === true })
      const { successor, predecessors, knownIds } = found
      const memory = withProvenance(found.memory)
      const result = { memory, events: listSourceEvents(store, [memory]), releases: listReleaseEvents(store, memory) }
      printResult({ ...io, knownIds }, options.json, result, ({ events, releases }, terminal) => [
        ...formatSuccession(successor, predecessors, terminal),
        ...formatMemory(memory, { events, releases, isComplete: options.all === true }, terminal),
      ])
    })
}

export function registerSearch(program: Command, io: CliContext): void {
  withFilterOptions(program.command('search').description('search memories by words; the best match comes first'))
    .argument('<words...>', 'the words to search for')
    .option('--limit <n>', 'maximum number of memories', integerOption(1), 20)
    .action(async (words: readonly string[], options: FilterOptions) => {
      const { readKnownIds } = await import('../../broker/queries/browse.ts')
      const { recordFound } = await import('../../broker/entries/searchEntries.ts')
      const { searchByWords } = await import('../../broker/search/recallMemories.ts')
      const store = await openSyncedStore(options, io)
      const text = words.join(' ')
      const { kind: kinds, tier: tiers, limit, private: withPrivate } = options
      const query = { text, kinds, tiers, limit, withPrivate, withListed: true, now: Date.now() }
      const found = searchByWords(store, query)
      recordFound(store, found, Date.now())
      const memories = found.map((hit) => ({ ...hit, memory: withProvenance(hit.memory) }))
      const knownIds = options.json ? [] : readKnownIds(store, found.length > 0)
      const [listed, scores] = [memories.map(({ memory }) => memory), memories.map(({ score }) => score)]
      printResult({ ...io, knownIds }, options.json, { total: memories.length, memories }, (_, terminal) =>
        memories.length === 0
          ? formatNothing('memories', knownIds.length === 0, { words: [text], kind: kinds, tier: tiers })
          : formatMemoryTable(listed, terminal, scores),
      )
    })
}

/** As lists print them: a memory of knowledge has its type there. */
const KIND_NAMES = [...new Set([...MEMORY_KINDS, ...KNOWLEDGE_TYPES])]

/** A kind by its name in either language; a rule is a preference, a correction is a decision. */
function collectKind(value: string, before: readonly MemoryKind[] = []): readonly MemoryKind[] {
  const [name] = collectChoices(KIND_NAMES)(KIND_NAMES.find((known) => translate(known) === value) ?? value)
  const type = KNOWLEDGE_TYPES.find((known) => known === name)
  return type ? [...before, kindOfKnowledge(type)] : collectChoices(MEMORY_KINDS)(name ?? value, before)
}

const withFilterOptions = (command: Command): Command =>
  withStoreOptions(command)
    .option('--kind <kind>', `only this kind (repeatable): ${KIND_NAMES.map(inBothLanguages).join(', ')}`, collectKind)
    .option('--private', 'private memories too; not inside a session')
    .option('--tier <tier>', `only this tier (repeatable): ${TIERS.join(', ')}`, collectChoices(TIERS))

function formatPage(memories: readonly Memory[], offset: number, total: number, terminal: Terminal): string[] {
  if (memories.length === 0) return [`${total} memories match; this page is empty.`]
  const end = offset + memories.length
  const more = end < total ? [terminal.palette.dim(`${end} of ${total}; continue with --offset ${end}.`)] : []
  return [...formatMemoryTable(memories, terminal), ...more]
}

/** Prints the latest events. Throws USAGE for an unknown kind. */
async function printEvents(named: string | true, options: ListOptions, io: CliContext): Promise<void> {
  const { findSessionByPrefix, listLatestEvents } = await import('../../broker/queries/browse.ts')
  const kind = named === true ? undefined : parseKind(named)
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

async function printSessions(options: StoreOptions & { readonly limit: number }, io: CliContext): Promise<void> {
  const { listSessions } = await import('../../broker/queries/browse.ts')
  const all = listSessions(await openSelectedStore(options, io))
  const [total, sessions] = [all.length, all.slice(0, options.limit)]
  printResult(withKnownIds(io, all), options.json, { total, sessions }, (_, terminal) =>
    formatSessions(sessions, total, terminal),
  )
}

const formatEvents = (events: readonly Event[], terminal: Terminal): string[] =>
  formatItems(events, terminal, [
    { head: 'at (UTC)', cell: ({ at }) => formatTimestamp(at) },
    { head: 'session', cell: ({ session }) => terminal.shortId(session) },
    { head: 'role', cell: ({ role }) => sanitizeForTerminal(role) },
    { head: 'kind', cell: ({ kind }) => sanitizeForTerminal(kind) },
    { head: '', canShrink: true, cell: (event) => sanitizeForTerminal(formatEventDetail(event)) },
  ])

function formatSessions(sessions: readonly SessionSummary[], total: number, terminal: Terminal): string[] {
  if (total === 0) return formatNothing('sessions', true)
  const { palette, shortId } = terminal
  const stateOf = ({ organized, origin }: SessionSummary): string =>
    organized ? (origin === undefined ? '' : palette.dim('imported')) : palette.yellow('to organize')
  const table = formatItems(sessions, terminal, [
    { head: 'session', cell: ({ id }) => shortId(id) },
    { head: 'started (UTC)', cell: ({ started }) => formatTimestamp(started) },
    { head: 'branch', cell: ({ branch }) => sanitizeForTerminal(branch ?? '') },
    { head: 'prompts', align: 'right', cell: ({ prompts }) => String(prompts) },
    { head: 'calls', align: 'right', cell: ({ calls }) => String(calls) },
    { head: '', cell: stateOf },
    {
      head: 'summary',
      canShrink: true,
      cell: ({ summary }) => sanitizeForTerminal(translateStored(summary ?? '', 'summary')),
    },
  ])
  return sessions.length < total ? [...table, palette.dim(`${sessions.length} of ${total}.`)] : table
}
