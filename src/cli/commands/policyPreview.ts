// memctl policy preview: the last sessions again under another policy, without changing anything.

import path from 'node:path'
import type { Command } from 'commander'
import type { NoteChange, PolicyPreview } from '../../broker/queries/previewPolicy.ts'
import { shortId } from '../../model/idPrefix.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { numberColumns } from '../format/fieldTable.ts'

/** Notes of each list that are printed; `--json` has all. */
const LISTED_MAX = 20

export function registerPolicyPreview(policy: Command, io: CliContext): void {
  withStoreOptions(
    policy.command('preview').description('show what another policy would have shown in the last sessions'),
  )
    .argument('<policy>', 'default, configured, active, a version, the name of a built-in policy, or a file')
    .option('--sessions <n>', 'how many of the latest sessions', integerOption(1), 50)
    .action(async (name: string, options: StoreOptions & { readonly sessions: number }) => {
      const [{ resolvePolicyName }, { previewPolicy }] = await Promise.all([
        import('../../broker/queries/comparePolicies.ts'),
        import('../../broker/queries/previewPolicy.ts'),
      ])
      const store = await openSelectedStore(options, io)
      const wanted = resolvePolicyName(store, name, (file) => path.resolve(io.cwd, file))
      printResult(io, options.json, previewPolicy(store, wanted, options.sessions), formatPreview)
    })
}

function formatPreview({ policy, sessions, moments, appear, disappear }: PolicyPreview, terminal: Terminal): string[] {
  if (moments.length === 0) return ['No session was shown a note yet.']
  const { palette, columns } = terminal
  const layout = [{ head: 'moment' }, ...numberColumns('recalls', 'notes', 'would be', 'tokens', 'would be')]
  const rows = moments.map(({ moment, ...counts }) => [
    moment,
    ...[counts.recalls, counts.shown, counts.wouldShow, counts.shownTokens, counts.wouldTokens].map(String),
  ])
  return [
    `The last ${formatCount(sessions, 'session')} under the policy ${policy}, from the recalls in the log:`,
    ...formatTable(layout, rows, columns, palette.dim),
    ...formatChanges('Would appear', appear, columns),
    ...formatChanges('Would disappear', disappear, columns),
    palette.dim('Memories that a recall found but did not rank among its first are not counted.'),
  ]
}

function formatChanges(head: string, changes: readonly NoteChange[], columns: number): string[] {
  if (changes.length === 0) return [`${head}: nothing.`]
  const more = changes.length > LISTED_MAX ? [`  and ${changes.length - LISTED_MAX} more (--json lists all)`] : []
  const lines = changes.slice(0, LISTED_MAX).map(({ memory, moment, times, content }) => {
    const start = `  ${shortId(memory)} ${moment}, ${formatCount(times, 'time')}: `
    return start + sanitizeForTerminal(firstLine(content, Math.max(20, columns - start.length)))
  })
  return [`${head}: ${formatCount(changes.length, 'note')}.`, ...lines, ...more]
}
