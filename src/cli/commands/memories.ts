// memctl list, search and show: memories as a table, found by words or by meaning, or one with all its fields.
import { type Command, Option } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import type { MemorySort } from '../../broker/queries/browse.ts'
import { selectByPrefix } from '../../model/idPrefix.ts'
import { MEMORY_KINDS, MEMORY_STATUSES, type Memory, type MemoryKind, type MemoryStatus } from '../../model/memory.ts'
import { withProvenance } from '../../model/provenanceOf.ts'
import { findSuccessor } from '../../model/statement.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import {
  assertPersonAsks,
  collectChoices,
  integerOption,
  openSyncedStore,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import { formatMemory, formatMemoryTable, formatSuccession } from '../format/memoryText.ts'
import { formatNothing } from '../format/nothingText.ts'

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
}

interface SearchOptions extends FilterOptions {
  readonly semantic?: boolean
  readonly hub?: boolean
}

interface MemoryPage {
  readonly total: number
  readonly offset: number
  readonly memories: readonly Memory[]
}

interface SearchHit {
  readonly memory: Memory
  readonly score: number
}

const SORT_NAMES: readonly MemorySort[] = ['updated', 'created', 'importance', 'strength', 'help']

export function registerList(program: Command, io: CliContext): void {
  withFilterOptions(program.command('list').alias('ls').description('list memories'))
    .addOption(new Option('--status <status>', 'only active or only archived memories').choices(MEMORY_STATUSES))
    .option('--session <id>', 'only memories of one session (an id or a prefix of it)')
    .option('--origin <source>', 'only imported memories of this source, such as claude-mem; import for all')
    .option('--limit <n>', 'maximum number of memories', integerOption(1), 30)
    .option('--offset <n>', 'number of memories to skip', integerOption(0), 0)
    .addOption(new Option('--sort <by>', 'sort order').choices(SORT_NAMES).default('updated'))
    .action(async (options: ListOptions) => {
      const { findSessionByPrefix, listMemories, matchesFilter } = await import('../../broker/queries/browse.ts')
      const { kind: kinds, tier: tiers, status, origin, limit, offset, sort } = options
      const store = await openSyncedStore(options, io)
      const withPrivate = mayListPrivate(options, io)
      const all = listMemories(store, { withPrivate }, sort)
      const session = options.session === undefined ? undefined : findSessionByPrefix(store, options.session)
      const filter = { kinds, tiers, status, session, origin, withPrivate }
      const found = all.filter((memory) => matchesFilter(memory, filter))
      const page = { total: found.length, offset, memories: found.slice(offset, offset + limit).map(withProvenance) }
      printResult(withKnownIds(io, all), options.json, page, (shown, terminal) =>
        found.length === 0
          ? formatNothing('memories', all.length === 0, { kind: kinds, tier: tiers, status, session, origin })
          : formatPage(shown, terminal),
      )
    })
}

export function registerShow(program: Command, io: CliContext): void {
  withStoreOptions(program.command('show').description('show one memory with the events it was derived from'))
    .argument('<id>', 'id of the memory or a prefix of it')
    .option('--private', 'also if it is private; not inside a session')
    .action(async (id: string, options: StoreOptions & { readonly private?: boolean }) => {
      const { listMemories, listReleaseEvents, listSourceEvents, MEMORY_IDS } = await import(
        '../../broker/queries/browse.ts'
      )
      const store = await openSyncedStore(options, io)
      const all = listMemories(store, { withPrivate: mayListPrivate(options, io) })
      const memory = withProvenance(selectByPrefix(all, id, MEMORY_IDS))
      const successor = all.find((other) => other.id === findSuccessor(memory))
      const predecessors = all.filter((other) => findSuccessor(other) === memory.id)
      const result = { memory, events: listSourceEvents(store, memory), releases: listReleaseEvents(store, memory) }
      printResult(withKnownIds(io, all), options.json, result, ({ events, releases }, terminal) => [
        ...formatSuccession(successor, predecessors, terminal),
        ...formatMemory(memory, events, releases, terminal),
      ])
    })
}

export function registerSearch(program: Command, io: CliContext): void {
  withFilterOptions(program.command('search').description('search memories by words; the best match comes first'))
    .argument('<words...>', 'the words to search for')
    .option('--limit <n>', 'maximum number of memories', integerOption(1), 20)
    .addOption(new Option('--semantic', 'search by meaning only, not by words').conflicts('hub'))
    .option('--hub', HUB_OPTION_ABOUT)
    .action((words: readonly string[], options: SearchOptions) => searchMemories(words, options, io))
}

export const HUB_OPTION_ABOUT = 'ask the hub of the team, not the memory of this machine'

/** Searches and prints what was found: here, or with `hub` on the hub. */
export async function searchMemories(words: readonly string[], options: SearchOptions, io: CliContext): Promise<void> {
  const store = await openSyncedStore(options, io)
  const text = words.join(' ')
  const found = options.hub
    ? await searchHub(store, text, options, io)
    : options.semantic
      ? await searchByMeaning(store, text, options, io)
      : await searchByText(store, text, { ...options, private: mayListPrivate(options, io) })
  const memories = found.map((hit) => ({ ...hit, memory: withProvenance(hit.memory) }))
  const { listMemories } = await import('../../broker/queries/browse.ts')
  const all = options.json ? [] : listMemories(store)
  const result = { total: memories.length, memories }
  printResult(withKnownIds(io, all), options.json, result, (_, terminal) =>
    memories.length === 0
      ? formatNothing('memories', all.length === 0, { words: [text], kind: options.kind, tier: options.tier })
      : formatHits(memories, terminal),
  )
}

/** Whether the person asked for private memories. Throws NOT_ALLOWED inside a session: an agent may not. */
function mayListPrivate(options: { readonly private?: boolean }, io: CliContext): boolean {
  if (options.private) assertPersonAsks('--private', io)
  return options.private === true
}

const withFilterOptions = (command: Command): Command =>
  withStoreOptions(command)
    .option(
      '--kind <kind>',
      `only this kind (repeatable): ${MEMORY_KINDS.join(', ')}`,
      collectChoices<MemoryKind>(MEMORY_KINDS),
    )
    .option('--private', 'private memories too; not inside a session')
    .option('--tier <tier>', `only this tier (repeatable): ${TIERS.join(', ')}`, collectChoices<Tier>(TIERS))

/** The hub knows kinds, but no tiers: these are of one machine. */
async function searchHub(
  store: Store,
  text: string,
  { kind, limit }: FilterOptions,
  io: CliContext,
): Promise<readonly SearchHit[]> {
  const { searchOnHub } = await import('./searchHub.ts')
  const found = await searchOnHub(store, text, limit, io)
  return kind === undefined ? found : found.filter(({ memory }) => kind.includes(memory.kind))
}

async function searchByText(store: Store, text: string, options: FilterOptions): Promise<readonly SearchHit[]> {
  const { searchByWords } = await import('../../broker/search/recallMemories.ts')
  const { kind: kinds, tier: tiers, limit, private: withPrivate } = options
  return searchByWords(store, { text, kinds, tiers, limit, withPrivate, now: Date.now() })
}

/** The search of the tool memory_search in its mode `semantic`. */
async function searchByMeaning(
  store: Store,
  query: string,
  options: FilterOptions,
  io: CliContext,
): Promise<readonly SearchHit[]> {
  const [{ matchesFilter }, { openLiveStore }, { openQueryEmbedder }, { hybridSearch }] = await Promise.all([
    import('../../broker/queries/browse.ts'),
    import('../../broker/live/liveStore.ts'),
    import('../../broker/embedding/openEmbedder.ts'),
    import('../../broker/search/hybridSearch.ts'),
  ])
  const embedder = await openQueryEmbedder(store, io.env)
  const search = {
    query,
    mode: 'semantic',
    keywordWeight: 0,
    topK: options.limit,
    similarityMin: 0,
    sortBy: 'relevance',
    importanceWeight: 0,
    passes: (memory: Memory) => matchesFilter(memory, { kinds: options.kind, tiers: options.tier, withPrivate: true }),
    isPerson: mayListPrivate(options, io) ? true : undefined,
    session: undefined,
    now: Date.now(),
  } as const
  const hits = await hybridSearch(openLiveStore(store), search, embedder)
  return hits.map(({ memory, similarity }) => ({ memory, score: similarity }))
}

function formatPage({ total, offset, memories }: MemoryPage, terminal: Terminal): string[] {
  if (memories.length === 0) return [`${total} memories match; this page is empty.`]
  const end = offset + memories.length
  const more = end < total ? [terminal.palette.dim(`${end} of ${total}; continue with --offset ${end}.`)] : []
  return [...formatMemoryTable(memories, terminal), ...more]
}

function formatHits(hits: readonly SearchHit[], terminal: Terminal): string[] {
  const memories = hits.map((hit) => hit.memory)
  const scores = hits.map((hit) => hit.score)
  return formatMemoryTable(memories, terminal, scores)
}
