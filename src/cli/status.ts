// memctl status: how the memory of a project stands. Cheap, so that it can be asked again and again.
import type { Command } from 'commander'
import type { Overview } from '../broker/overview.ts'
import { bytesText, countText } from '../report/amount.ts'
import { table } from '../report/table.ts'
import { agoText, momentText } from '../report/time.ts'
import { plain } from '../report/width.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'

export function registerStatus(program: Command, io: Io): void {
  aboutStore(program.command('status').description('how the memory of this project stands')).action(
    async (options: StoreOptions) => {
      const { overviewOf } = await import('../broker/overview.ts')
      tell(io, options.json, overviewOf(await storeGiven(options, io)), rendered)
    },
  )
}

function rendered(overview: Overview, { palette, columns }: Page): string[] {
  const { project, bytes, events, memories, unorganised, policyVersion, lastOrganised, faults } = overview
  const of = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
      .join(', ')
  const archived = memories.archived > 0 ? `, ${memories.archived} archived` : ''
  const rows = [
    ['project', `${palette.bold(project.name)} ${palette.dim(project.root)}`],
    ['store', overview.store],
    ['size', `${bytesText(bytes.log)} of log, ${bytesText(bytes.memories)} of memories`],
    ['events', events.lines === null ? 'too many to count here' : countText(events.lines, 'event')],
    ['memories', `${countText(memories.total, 'memory', 'memories')}${archived}`],
    ...(memories.total > 0
      ? [
          ['', of(memories.byKind)],
          ['', of(memories.byTier)],
        ]
      : []),
    ['to organise', unorganised === 0 ? 'nothing' : palette.yellow(countText(unorganised, 'session'))],
    [
      'organised',
      lastOrganised ? `${momentText(lastOrganised)} UTC, ${agoText(lastOrganised, Date.now())}` : 'not yet',
    ],
    ['policy', policyVersion === 0 ? 'as shipped' : `version ${policyVersion}, learned here`],
    ['faults', faults.count === 0 ? 'none' : palette.red(String(faults.count))],
    ...(faults.latest
      ? [
          [
            '',
            plain(
              `${momentText(faults.latest.at)} ${faults.latest.where}: ${faults.latest.what}. ${faults.latest.mend}`,
            ),
          ],
        ]
      : []),
  ]
  return table(
    [{ head: '' }, { head: '', gives: true }],
    rows.map(([name, value]) => [palette.dim(name!), value!]),
    columns,
  )
}
