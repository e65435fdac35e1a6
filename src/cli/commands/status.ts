// memctl status: the state of a project's memory. It reads little, so it can run often.
import type { Command } from 'commander'
import type { StoreStatus } from '../../broker/queries/storeStatus.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTimeAgo, formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatFields } from '../format/fieldTable.ts'
import { formatKinds } from '../format/memoryText.ts'

export function registerStatus(program: Command, io: CliContext): void {
  withStoreOptions(program.command('status').description("show the state of this project's memory")).action(
    async (options: StoreOptions) => {
      const { readStoreStatus } = await import('../../broker/queries/storeStatus.ts')
      printResult(io, options.json, readStoreStatus(await openSelectedStore(options, io)), formatStatus)
    },
  )
}

function formatStatus(status: StoreStatus, terminal: Terminal): string[] {
  const { project, store, bytes, events, memories, unorganized, policyVersion, lastOrganized, faults } = status
  const { palette } = terminal
  const archived = memories.archived > 0 ? `, ${memories.archived} archived` : ''
  const fields: [string, string][] = [
    ['project', `${palette.bold(project.name)} ${palette.dim(project.root)}`],
    ['store', store],
    ['size', `${formatBytes(bytes.log)} of log, ${formatBytes(bytes.memories)} of memories`],
    ['events', events.lines === null ? 'not counted (log too large)' : formatCount(events.lines, 'event')],
    ['memories', `${formatCount(memories.total, 'memory', 'memories')}${archived}`],
  ]
  const tiers = Object.entries(memories.byTier).flatMap(([tier, count]) => (count > 0 ? [`${count} ${tier}`] : []))
  if (memories.total > 0) fields.push(['', formatKinds(memories.byKind)], ['', tiers.join(', ')])
  fields.push(
    ['to organize', unorganized === 0 ? 'nothing' : palette.yellow(formatCount(unorganized, 'session'))],
    [
      'organized',
      lastOrganized ? `${formatTimestamp(lastOrganized)} UTC, ${formatTimeAgo(lastOrganized, Date.now())}` : 'not yet',
    ],
    ['policy', policyVersion === 0 ? 'default' : `version ${policyVersion}, learned here`],
    ['faults', faults.count === 0 ? 'none' : palette.red(String(faults.count))],
  )
  if (faults.latest) {
    const { at, where, what, hint } = faults.latest
    fields.push(['', sanitizeForTerminal(`${formatTimestamp(at)} ${where}: ${what}. ${hint}`)])
  }
  return formatFields(fields, terminal)
}
