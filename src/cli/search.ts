// memctl search: memories about some words, best first.
import type { Command } from 'commander'
import type { Scored } from '../model/cue.ts'
import type { Kind } from '../model/memory.ts'
import type { Tier } from '../model/tier.ts'
import { aboutStore, type StoreOptions, storeGiven, wholeNumber } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { withKindAndTier } from './list.ts'
import { memoryTable } from './memoryLines.ts'

interface Words extends StoreOptions {
  readonly kind?: readonly Kind[]
  readonly tier?: readonly Tier[]
  readonly limit: number
}

interface Found {
  readonly memories: readonly Scored[]
}

export function registerSearch(program: Command, io: Io): void {
  aboutStore(withKindAndTier(program.command('search').description('memories about some words, best first')))
    .argument('<words...>', 'what they are about')
    .option('--limit <n>', 'how many', wholeNumber(1), 20)
    .action(async (text: readonly string[], words: Words) => {
      const { search } = await import('../broker/search.ts')
      const { kind: kinds, tier: tiers, limit } = words
      const wanted = { text: text.join(' '), kinds, tiers, limit, now: Date.now() }
      tell(io, words.json, { memories: search(await storeGiven(words, io), wanted) }, rendered)
    })
}

function rendered({ memories }: Found, page: Page): string[] {
  if (memories.length === 0) return ['Nothing found.']
  return memoryTable(
    memories.map((scored) => scored.memory),
    page,
    memories.map((scored) => scored.score),
  )
}
