// memctl tiers: hot, warm and cold, what moved last, what would move now, and taking a move back.
import type { Command } from 'commander'
import type { TierOverview, TierPlan } from '../../broker/commands/tierPlan.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface Words extends StoreOptions {
  readonly dryRun?: boolean
}

export function registerTiers(program: Command, io: CliContext): void {
  const tiers = withStoreOptions(
    program.command('tiers').description('hot, warm and cold: sizes, ages, what moved last'),
  )
    .option('--dry-run', 'say what would move now, and move nothing')
    .action(async (options: Words) => {
      const { planTransitions, summarizeTiers } = await import('../../broker/commands/tierPlan.ts')
      const store = await openSelectedStore(options, io)
      if (options.dryRun) printResult(io, options.json, planTransitions(store, Date.now()), outlookLines)
      else printResult(io, options.json, summarizeTiers(store), tierLines)
    })
  withStoreOptions(
    tiers.command('undo').description('take back from the archive what the latest move put there'),
  ).action(async (_words: StoreOptions, command: Command) => {
    const options = command.optsWithGlobals<StoreOptions>()
    const { undoTransition } = await import('../../broker/commands/tierPlan.ts')
    const restored = undoTransition(await openSelectedStore(options, io), Date.now())
    printResult(io, options.json, { restored }, () => [
      `Took back ${formatCount(restored.length, 'memory', 'memories')} from the archive; age alone does not archive them again.`,
    ])
  })
}

function tierLines({ tiers, transitions }: TierOverview, { palette, columns }: Terminal): string[] {
  const layout = [
    { head: 'tier' },
    { head: 'active', align: 'right' },
    { head: 'archived', align: 'right' },
    { head: 'size', align: 'right' },
    { head: 'oldest (UTC)' },
    { head: 'newest (UTC)' },
  ] as const
  const moment = (at: string | null) => (at === null ? '' : formatTimestamp(at))
  const rows = tiers.map((one) => [
    one.tier,
    String(one.active),
    String(one.archived),
    formatBytes(one.bytes),
    moment(one.oldest),
    moment(one.newest),
  ])
  const last = transitions[0]
  const moved = last
    ? `Moved last, ${formatTimestamp(last.at)}: ${[
        ...Object.entries(last.tiers).map(([tier, count]) => `${count} to ${tier}`),
        ...(last.archived.length > 0 ? [`${last.archived.length} into the archive`] : []),
      ].join(', ')}.`
    : 'Nothing has moved yet.'
  return [...formatTable(layout, rows, columns, palette.dim), moved]
}

function outlookLines({ transitions, archived, months }: TierPlan): string[] {
  if (transitions.length === 0 && archived.length === 0) return ['Nothing would move now.']
  const to = (tier: string) => transitions.filter((one) => one.to === tier).length
  return [
    `Would move: ${to('warm')} to warm, ${to('cold')} to cold, ${archived.length} into the archive.`,
    ...(months.length > 0 ? [`Would sum up: ${months.join(', ')}.`] : []),
  ]
}
