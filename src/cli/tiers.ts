// memctl tiers: hot, warm and cold, what moved last, what would move now, and taking a move back.
import type { Command } from 'commander'
import type { Outlook, Tiers } from '../broker/tiers.ts'
import { bytesText, countText } from '../report/amount.ts'
import { table } from '../report/table.ts'
import { momentText } from '../report/time.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'

interface Words extends StoreOptions {
  readonly dryRun?: boolean
}

export function registerTiers(program: Command, io: Io): void {
  const tiers = aboutStore(program.command('tiers').description('hot, warm and cold: sizes, ages, what moved last'))
    .option('--dry-run', 'say what would move now, and move nothing')
    .action(async (words: Words) => {
      const { outlookOf, tiersOf } = await import('../broker/tiers.ts')
      const store = await storeGiven(words, io)
      if (words.dryRun) tell(io, words.json, outlookOf(store, Date.now()), outlookLines)
      else tell(io, words.json, tiersOf(store), tierLines)
    })
  aboutStore(tiers.command('undo').description('take back from the archive what the latest move put there')).action(
    async (_words: StoreOptions, command: Command) => {
      const words = command.optsWithGlobals<StoreOptions>()
      const { undoMove } = await import('../broker/tiers.ts')
      const restored = undoMove(await storeGiven(words, io), Date.now())
      tell(io, words.json, { restored }, () => [
        `Took back ${countText(restored.length, 'memory', 'memories')} from the archive; age alone does not archive them again.`,
      ])
    },
  )
}

function tierLines({ tiers, moves }: Tiers, { palette, columns }: Page): string[] {
  const layout = [
    { head: 'tier' },
    { head: 'active', side: 'right' },
    { head: 'archived', side: 'right' },
    { head: 'size', side: 'right' },
    { head: 'oldest (UTC)' },
    { head: 'newest (UTC)' },
  ] as const
  const moment = (at: string | null) => (at === null ? '' : momentText(at))
  const rows = tiers.map((one) => [
    one.tier,
    String(one.active),
    String(one.archived),
    bytesText(one.bytes),
    moment(one.oldest),
    moment(one.newest),
  ])
  const last = moves[0]
  const moved = last
    ? `Moved last, ${momentText(last.at)}: ${[
        ...Object.entries(last.tiers).map(([tier, count]) => `${count} to ${tier}`),
        ...(last.archived.length > 0 ? [`${last.archived.length} into the archive`] : []),
      ].join(', ')}.`
    : 'Nothing has moved yet.'
  return [...table(layout, rows, columns, palette.dim), moved]
}

function outlookLines({ moved, archived, months }: Outlook): string[] {
  if (moved.length === 0 && archived.length === 0) return ['Nothing would move now.']
  const to = (tier: string) => moved.filter((one) => one.to === tier).length
  return [
    `Would move: ${to('warm')} to warm, ${to('cold')} to cold, ${archived.length} into the archive.`,
    ...(months.length > 0 ? [`Would sum up: ${months.join(', ')}.`] : []),
  ]
}
