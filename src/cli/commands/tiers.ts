// The tiers hot, warm and cold: memctl status --tiers, organize --dry-run and organize --undo.
import type { TierOverview, TierPlan } from '../../broker/commands/agingCommands.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'
import { numberColumns } from '../format/fieldTable.ts'

/** Prints size, age and last transition of the tiers hot, warm and cold. */
export async function printTiers(options: StoreOptions, io: CliContext): Promise<void> {
  const { summarizeTiers } = await import('../../broker/commands/agingCommands.ts')
  printResult(io, options.json, summarizeTiers(await openSelectedStore(options, io)), formatOverview)
}

/** Prints which memories would move now, and changes nothing. */
export async function previewTransitions(options: StoreOptions, io: CliContext): Promise<void> {
  const { planTransitions } = await import('../../broker/commands/agingCommands.ts')
  printResult(io, options.json, planTransitions(await openSelectedStore(options, io), Date.now()), formatPlan)
}

/** Restores the memories that the last transition archived. */
export async function undoLastTransition(options: StoreOptions, io: CliContext): Promise<void> {
  const { undoTransition } = await import('../../broker/commands/agingCommands.ts')
  const restored = undoTransition(await openSelectedStore(options, io), Date.now())
  printResult(io, options.json, { restored }, () => [
    `Restored ${formatCount(restored.length, 'memory', 'memories')} from the archive; ` +
      'age alone does not archive them again.',
  ])
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
