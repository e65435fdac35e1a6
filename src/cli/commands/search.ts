// memctl search: memories about some words, best first. What `memctl recall` ranks, without its thresholds and budget.
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import type { Memory, MemoryKind } from '../../model/memory.ts'
import type { Tier } from '../../model/tier.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { integerOption, openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatMemoryTable } from '../format/memoryText.ts'
import { withMemoryFilterOptions } from './list.ts'

interface Words extends StoreOptions {
  readonly kind?: readonly MemoryKind[]
  readonly tier?: readonly Tier[]
  readonly limit: number
  readonly meaning?: boolean
}

interface Found {
  readonly memories: readonly { readonly memory: Memory; readonly score: number }[]
}

export function registerSearch(program: Command, io: CliContext): void {
  withStoreOptions(
    withMemoryFilterOptions(
      program
        .command('search')
        .description('memories about some words, best first: all that recall ranks, without its limits'),
    ),
  )
    .argument('<words...>', 'what they are about')
    .option('--limit <n>', 'how many', integerOption(1), 20)
    .option('--meaning', 'by similarity of meaning alone, whatever the words')
    .action(async (text: readonly string[], options: Words) => {
      const find = options.meaning ? byMeaning : byWords
      printResult(
        io,
        options.json,
        { memories: await find(await openSyncedStore(options, io), text.join(' '), options, io.env) },
        rendered,
      )
    })
}

async function byWords(store: Store, text: string, options: Words): Promise<Found['memories']> {
  const { searchByWords } = await import('../../broker/search/recallMemories.ts')
  return searchByWords(store, { text, kinds: options.kind, tiers: options.tier, limit: options.limit, now: Date.now() })
}

/** As memory_search finds in its mode `semantic`. */
async function byMeaning(
  store: Store,
  text: string,
  options: Words,
  env: CliContext['env'],
): Promise<Found['memories']> {
  const [{ matchesFilter }, { openLiveStore }, { openQueryEmbedder }, { hybridSearch }] = await Promise.all([
    import('../../broker/queries/browse.ts'),
    import('../../broker/live/liveStore.ts'),
    import('../../broker/embedding/openEmbedder.ts'),
    import('../../broker/search/hybridSearch.ts'),
  ])
  const hits = await hybridSearch(
    openLiveStore(store),
    {
      query: text,
      mode: 'semantic',
      keywordWeight: 0,
      topK: options.limit,
      similarityMin: 0,
      sortBy: 'relevance',
      importanceWeight: 0,
      passes: (memory) => matchesFilter(memory, { kinds: options.kind, tiers: options.tier }),
      session: undefined,
      now: Date.now(),
    },
    await openQueryEmbedder(store, env),
  )
  return hits.map(({ memory, similarity }) => ({ memory, score: similarity }))
}

function rendered({ memories }: Found, page: Terminal): string[] {
  if (memories.length === 0) return ['Nothing found.']
  return formatMemoryTable(
    memories.map((scored) => scored.memory),
    page,
    memories.map((scored) => scored.score),
  )
}
