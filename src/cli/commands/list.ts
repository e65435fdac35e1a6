// memctl list: the memories there are, as a table.
import { type Command, Option } from 'commander'
import type { MemorySort } from '../../broker/queries/browse.ts'
import { MEMORY_KINDS, MEMORY_STATUSES, type Memory, type MemoryKind, type MemoryStatus } from '../../model/memory.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import {
  collectChoices,
  integerOption,
  openSyncedStore,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import { formatMemoryTable } from '../format/memoryText.ts'

interface Words extends StoreOptions {
  readonly kind?: readonly MemoryKind[]
  readonly tier?: readonly Tier[]
  readonly status?: MemoryStatus
  readonly session?: string
  readonly limit: number
  readonly offset: number
  readonly sort: MemorySort
}

interface Listed {
  readonly total: number
  readonly offset: number
  readonly memories: readonly Memory[]
}

export function registerList(program: Command, io: CliContext): void {
  const command = program.command('list').description('the memories there are')
  withStoreOptions(withMemoryFilterOptions(command))
    .addOption(new Option('--status <status>', 'only active or only archived ones').choices(MEMORY_STATUSES))
    .option('--session <id>', 'only those of one session (an id, or how it begins)')
    .option('--limit <n>', 'how many', integerOption(1), 30)
    .option('--offset <n>', 'after how many', integerOption(0), 0)
    .addOption(new Option('--sort <by>', 'what comes first').choices(SORT_NAMES).default('updated'))
    .action(async (options: Words) => {
      const { listMemories } = await import('../../broker/queries/browse.ts')
      const { kind: kinds, tier: tiers, status, session, limit, offset, sort } = options
      const all = listMemories(await openSyncedStore(options, io), { kinds, tiers, status, session }, sort)
      const listed = { total: all.length, offset, memories: all.slice(offset, offset + limit) }
      printResult(io, options.json, listed, rendered)
    })
}

/** The options by which memories are chosen; each may be given several times. */
export const withMemoryFilterOptions = (command: Command): Command =>
  command
    .option(
      '--kind <kind>',
      `only of this kind, may be given again: ${MEMORY_KINDS.join(', ')}`,
      collectChoices(MEMORY_KINDS),
    )
    .option('--tier <tier>', `only of this tier, may be given again: ${TIERS.join(', ')}`, collectChoices(TIERS))

const SORT_NAMES: readonly MemorySort[] = ['updated', 'created', 'importance', 'strength', 'help']

function rendered({ total, offset, memories }: Listed, page: Terminal): string[] {
  if (memories.length === 0) {
    return [
      total === 0
        ? 'No memories here yet. They come when a session with the hooks wired has ended.'
        : `There are ${total}.`,
    ]
  }
  const shown = offset + memories.length
  const more = shown < total ? [page.palette.dim(`${shown} of ${total}; --offset ${shown} goes on.`)] : []
  return [...formatMemoryTable(memories, page), ...more]
}
