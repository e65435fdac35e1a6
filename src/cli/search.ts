// memctl search: memories about some words, best first. What `memctl recall` ranks, without its thresholds and budget.
import type { Command } from 'commander'
import type { Store } from '../broker/store.ts'
import type { Kind, Memory } from '../model/memory.ts'
import type { Tier } from '../model/tier.ts'
import { aboutStore, type StoreOptions, storeRead, wholeNumber } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { withKindAndTier } from './list.ts'
import { memoryTable } from './memoryLines.ts'

interface Words extends StoreOptions {
  readonly kind?: readonly Kind[]
  readonly tier?: readonly Tier[]
  readonly limit: number
  readonly meaning?: boolean
}

interface Found {
  readonly memories: readonly { readonly memory: Memory; readonly score: number }[]
}

export function registerSearch(program: Command, io: Io): void {
  aboutStore(
    withKindAndTier(
      program
        .command('search')
        .description('memories about some words, best first: all that recall ranks, without its limits'),
    ),
  )
    .argument('<words...>', 'what they are about')
    .option('--limit <n>', 'how many', wholeNumber(1), 20)
    .option('--meaning', 'by similarity of meaning alone, whatever the words')
    .action(async (text: readonly string[], words: Words) => {
      const find = words.meaning ? byMeaning : byWords
      tell(
        io,
        words.json,
        { memories: await find(await storeRead(words, io), text.join(' '), words, io.env) },
        rendered,
      )
    })
}

async function byWords(store: Store, text: string, words: Words): Promise<Found['memories']> {
  const { search } = await import('../broker/search/ask.ts')
  return search(store, { text, kinds: words.kind, tiers: words.tier, limit: words.limit, now: Date.now() })
}

/** As memory_search finds in its mode `semantic`. */
async function byMeaning(store: Store, text: string, words: Words, env: Io['env']): Promise<Found['memories']> {
  const [{ isChosen }, { openDesk }, { embedderForAsking }, { hybridSearch }] = await Promise.all([
    import('../broker/browse.ts'),
    import('../broker/desk.ts'),
    import('../broker/embed/embedder.ts'),
    import('../broker/search/hybridSearch.ts'),
  ])
  const hits = await hybridSearch(
    openDesk(store),
    {
      query: text,
      mode: 'semantic',
      keywordWeight: 0,
      topK: words.limit,
      similarityMin: 0,
      sortBy: 'relevance',
      importanceWeight: 0,
      passes: (memory) => isChosen(memory, { kinds: words.kind, tiers: words.tier }),
      session: undefined,
      now: Date.now(),
    },
    await embedderForAsking(store, env),
  )
  return hits.map(({ memory, similarity }) => ({ memory, score: similarity }))
}

function rendered({ memories }: Found, page: Page): string[] {
  if (memories.length === 0) return ['Nothing found.']
  return memoryTable(
    memories.map((scored) => scored.memory),
    page,
    memories.map((scored) => scored.score),
  )
}
