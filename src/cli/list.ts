// memctl list: the memories there are, as a table.
import { type Command, Option } from 'commander'
import type { Sort } from '../broker/browse.ts'
import { KINDS, type Kind, type Memory, STATUSES, type Status } from '../model/memory.ts'
import { TIERS, type Tier } from '../model/tier.ts'
import { aboutStore, type StoreOptions, severalOf, storeRead, wholeNumber } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { memoryTable } from './memoryLines.ts'

interface Words extends StoreOptions {
  readonly kind?: readonly Kind[]
  readonly tier?: readonly Tier[]
  readonly status?: Status
  readonly session?: string
  readonly limit: number
  readonly offset: number
  readonly sort: Sort
}

interface Listed {
  readonly total: number
  readonly offset: number
  readonly memories: readonly Memory[]
}

export function registerList(program: Command, io: Io): void {
  const command = program.command('list').description('the memories there are')
  aboutStore(withKindAndTier(command))
    .addOption(new Option('--status <status>', 'only active or only archived ones').choices(STATUSES))
    .option('--session <id>', 'only those of one session (an id, or how it begins)')
    .option('--limit <n>', 'how many', wholeNumber(1), 30)
    .option('--offset <n>', 'after how many', wholeNumber(0), 0)
    .addOption(new Option('--sort <by>', 'what comes first').choices(SORT_NAMES).default('updated'))
    .action(async (words: Words) => {
      const { memoriesOf } = await import('../broker/browse.ts')
      const { kind: kinds, tier: tiers, status, session, limit, offset, sort } = words
      const all = memoriesOf(await storeRead(words, io), { kinds, tiers, status, session }, sort)
      const listed = { total: all.length, offset, memories: all.slice(offset, offset + limit) }
      tell(io, words.json, listed, rendered)
    })
}

/** The options by which memories are chosen; each may be given several times. */
export const withKindAndTier = (command: Command): Command =>
  command
    .option('--kind <kind>', `only of this kind, may be given again: ${KINDS.join(', ')}`, severalOf(KINDS))
    .option('--tier <tier>', `only of this tier, may be given again: ${TIERS.join(', ')}`, severalOf(TIERS))

const SORT_NAMES: readonly Sort[] = ['updated', 'created', 'importance', 'strength', 'help']

function rendered({ total, offset, memories }: Listed, page: Page): string[] {
  if (memories.length === 0) {
    return [
      total === 0
        ? 'No memories here yet. They come when a session with the hooks wired has ended.'
        : `There are ${total}.`,
    ]
  }
  const shown = offset + memories.length
  const more = shown < total ? [page.palette.dim(`${shown} of ${total}; --offset ${shown} goes on.`)] : []
  return [...memoryTable(memories, page), ...more]
}
