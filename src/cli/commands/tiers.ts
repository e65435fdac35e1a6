// memctl tiers: the tiers hot, warm and cold, their last transition, what would change now, and undoing it.
import type { Command } from 'commander'
import type { TierOverview, TierPlan } from '../../broker/commands/tierPlan.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { numberColumns } from '../format/fieldTable.ts'

export function registerTiers(program: Command, io: CliContext): void {
  const tiers = program.command('tiers').description('show and undo how memories move between the tiers')
  const command = (name: string, about: string): Command => withStoreOptions(tiers.command(name).description(about))
  command('show', 'show size, age and last transition of the tiers hot, warm and cold').action(
    async (options: StoreOptions) => {
      const { summarizeTiers } = await import('../../broker/commands/tierPlan.ts')
      printResult(io, options.json, summarizeTiers(await openSelectedStore(options, io)), formatOverview)
    },
  )
  command('preview', 'show which memories would move now, but change nothing').action(async (options: StoreOptions) => {
    const { planTransitions } = await import('../../broker/commands/tierPlan.ts')
    printResult(io, options.json, planTransitions(await openSelectedStore(options, io), Date.now()), formatPlan)
  })
  command('undo', 'restore the memories that the last transition archived').action(async (options: StoreOptions) => {
    const { undoTransition } = await import('../../broker/commands/tierPlan.ts')
    const restored = undoTransition(await openSelectedStore(options, io), Date.now())
    printResult(io, options.json, { restored }, () => [
      `Restored ${formatCount(restored.length, 'memory', 'memories')} from the archive; ` +
        'age alone does not archive them again.',
    ])
  })
}

function formatOverview({ tiers, transitions }: TierOverview, { palette, columns }: Terminal): string[] {
  const layout = [
    { head: 'tier' },
    ...numberColumns('active', 'archived', 'size'),
    { head: 'oldest (UTC)' },
    { head: 'newest (UTC)' },
  ]
  const formatDate = (at: string | null): string => (at === null ? '' : formatTimestamp(at))
  const rows = tiers.map(({ tier, active, archived, bytes, oldest, newest }) => [
    tier,
    String(active),
    String(archived),
    formatBytes(bytes),
    formatDate(oldest),
    formatDate(newest),
  ])
  return [...formatTable(layout, rows, columns, palette.dim), formatLastTransition(transitions[0])]
}

function formatLastTransition(last: TierOverview['transitions'][number] | undefined): string {
  if (!last) return 'No transition yet.'
  const moves = Object.entries(last.tiers).map(([tier, count]) => `${count} to ${tier}`)
  if (last.archived.length > 0) moves.push(`${last.archived.length} archived`)
  return `Last transition, ${formatTimestamp(last.at)}: ${moves.join(', ')}.`
}

function formatPlan({ transitions, archived, months }: TierPlan): string[] {
  if (transitions.length === 0 && archived.length === 0) return ['Nothing would move now.']
  const countTo = (tier: string): number => transitions.filter((transition) => transition.to === tier).length
  return [
    `Would move: ${countTo('warm')} to warm, ${countTo('cold')} to cold, ${archived.length} to the archive.`,
    ...(months.length > 0 ? [`Would summarize: ${months.join(', ')}.`] : []),
  ]
}
