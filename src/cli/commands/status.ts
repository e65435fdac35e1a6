// memctl status: how the memory of a project stands. Cheap, so that it can be asked again and again.
import type { Command } from 'commander'
import type { StoreStatus } from '../../broker/queries/storeStatus.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimeAgo, formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

export function registerStatus(program: Command, io: CliContext): void {
  withStoreOptions(program.command('status').description('how the memory of this project stands')).action(
    async (options: StoreOptions) => {
      const { readStoreStatus } = await import('../../broker/queries/storeStatus.ts')
      printResult(io, options.json, readStoreStatus(await openSelectedStore(options, io)), rendered)
    },
  )
}

function rendered(overview: StoreStatus, { palette, columns }: Terminal): string[] {
  const { project, bytes, events, memories, unorganized, policyVersion, lastOrganized, faults } = overview
  const of = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
      .join(', ')
  const archived = memories.archived > 0 ? `, ${memories.archived} archived` : ''
  const rows = [
    ['project', `${palette.bold(project.name)} ${palette.dim(project.root)}`],
    ['store', overview.store],
    ['size', `${formatBytes(bytes.log)} of log, ${formatBytes(bytes.memories)} of memories`],
    ['events', events.lines === null ? 'too many to count here' : formatCount(events.lines, 'event')],
    ['memories', `${formatCount(memories.total, 'memory', 'memories')}${archived}`],
    ...(memories.total > 0
      ? [
          ['', of(memories.byKind)],
          ['', of(memories.byTier)],
        ]
      : []),
    ['to organise', unorganized === 0 ? 'nothing' : palette.yellow(formatCount(unorganized, 'session'))],
    [
      'organised',
      lastOrganized ? `${formatTimestamp(lastOrganized)} UTC, ${formatTimeAgo(lastOrganized, Date.now())}` : 'not yet',
    ],
    ['policy', policyVersion === 0 ? 'as shipped' : `version ${policyVersion}, learned here`],
    ['faults', faults.count === 0 ? 'none' : palette.red(String(faults.count))],
    ...(faults.latest
      ? [
          [
            '',
            sanitizeForTerminal(
              `${formatTimestamp(faults.latest.at)} ${faults.latest.where}: ${faults.latest.what}. ${faults.latest.hint}`,
            ),
          ],
        ]
      : []),
  ]
  return formatTable(
    [{ head: '' }, { head: '', canShrink: true }],
    rows.map(([name, value]) => [palette.dim(name!), value!]),
    columns,
  )
}
