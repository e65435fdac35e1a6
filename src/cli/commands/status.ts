// memctl status: the state of a project's memory. It reads little, so it can run often.
import type { Command } from 'commander'
import type { DistillStatus } from '../../broker/distill/distillStatus.ts'
import { hasUserConfig } from '../../broker/open/hookConfig.ts'
import type { Store } from '../../broker/open/openStore.ts'
import type { StoreStatus } from '../../broker/queries/storeStatus.ts'
import type { HubStatus } from '../../broker/team/hubStatus.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTimeAgo, formatTimestamp } from '../../report/formatTime.ts'
import { formatHubFault, formatHubLine } from '../../report/hubLine.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatFields } from '../format/fieldTable.ts'
import { formatKinds } from '../format/memoryText.ts'

export function registerStatus(program: Command, io: CliContext): void {
  withStoreOptions(program.command('status').description("show the state of this project's memory")).action(
    async (options: StoreOptions) => {
      const { readStoreStatus } = await import('../../broker/queries/storeStatus.ts')
      const store = await openSelectedStore(options, io)
      const { readHubStatus } = await import('../../broker/team/hubStatus.ts')
      const distill = await readDistill(store, io)
      const hub = readHubStatus(store, io.env)
      const status = { ...readStoreStatus(store), ...(distill && { distill }), ...(hub && { hub }) }
      printResult(io, options.json, status, formatStatus)
    },
  )
}

/** The status of the optional model; undefined if none is configured. `memctl doctor` reports an invalid config. */
async function readDistill(store: Store, io: CliContext): Promise<DistillStatus | undefined> {
  if (!hasUserConfig(store)) return undefined
  const { readDistillStatus } = await import('../../broker/distill/distillStatus.ts')
  try {
    return readDistillStatus(store, io.env, Date.now()) ?? undefined
  } catch (error) {
    if (error instanceof MemoryError) return undefined
    throw error
  }
}

function formatDistill({ by, model, today, lastRun, error }: DistillStatus, { palette }: Terminal): [string, string][] {
  const spent = `today ${today.calls} of ${today.callsMax} calls, ${today.tokens} of ${today.tokensMax} tokens`
  const name = [by, model].filter(Boolean).join(' ')
  const { at, project, stored, dropped } = lastRun ?? {}
  const last = at ? `last ${formatTimestamp(at)} UTC, ${project}: ${stored} stored, ${dropped} dropped` : 'not yet'
  const fields: [string, string][] = [
    ['distill', `${name}, ${spent}`],
    ['', last],
  ]
  if (error) fields.push(['', palette.yellow(sanitizeForTerminal(`${error.what}. ${error.hint}`))])
  return fields
}

function formatHub(hub: HubStatus, { palette }: Terminal): [string, string][] {
  const fault = formatHubFault(hub)
  const line: [string, string] = ['hub', sanitizeForTerminal(formatHubLine(hub, Date.now()))]
  return fault === '' ? [line] : [line, ['', palette.yellow(sanitizeForTerminal(fault))]]
}

/** Where the memory is, if the folder uses that of another project, or could. */
function formatIdentity({ project, earlier }: StoreStatus, { palette }: Terminal): [string, string][] {
  if (project.linkedFrom !== undefined)
    return [['linked', `from ${project.linkedFrom}; \`memctl project unlink\` separates them`]]
  return earlier.map(({ store, title, memories, joins }) => {
    const which = `${sanitizeForTerminal(title)} (${formatCount(memories, 'memory', 'memories')})`
    return joins
      ? ['earlier', `the next session uses the memory of ${which}`]
      : ['earlier', palette.yellow(`this may be ${which}: \`memctl project link ${store}\``)]
  })
}

/** Unreadable entry files that are listed one by one. */
const SHOWN_FILES_MAX = 5

interface StatusAnswer extends StoreStatus {
  readonly distill?: DistillStatus
  readonly hub?: HubStatus
}

function formatStatus(status: StatusAnswer, terminal: Terminal): string[] {
  const { project, store, bytes, events, memories, unorganized, policyVersion, lastOrganized, faults, distill } = status
  const { hasContent, invalidEntries, trust } = status
  const { palette } = terminal
  const archived = memories.archived > 0 ? `, ${memories.archived} archived` : ''
  const fields: [string, string][] = [
    ['project', `${palette.bold(project.name)} ${palette.dim(project.root)}`],
    ['store', store],
    ...formatIdentity(status, terminal),
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
    ...(distill ? formatDistill(distill, terminal) : []),
    ...(status.hub ? formatHub(status.hub, terminal) : []),
    ['faults', faults.count === 0 ? 'none' : palette.red(String(faults.count))],
  )
  if (hasContent && trust !== 'trusted') {
    fields.push(['trust', 'what this repository brings is not used: `memctl project trust`'])
  }
  if (invalidEntries.length > 0) {
    const count = formatCount(invalidEntries.length, 'unreadable file')
    fields.push(['entries', palette.yellow(`${count}, see \`memctl doctor\``)])
    fields.push(
      ...invalidEntries.slice(0, SHOWN_FILES_MAX).map((file): [string, string] => ['', sanitizeForTerminal(file)]),
    )
  }
  if (faults.latest) {
    const { at, where, what, hint } = faults.latest
    fields.push(['', sanitizeForTerminal(`${formatTimestamp(at)} ${where}: ${what}. ${hint}`)])
  }
  return formatFields(fields, terminal)
}
