// memctl policy: the active numbers against the default ones, and how they changed.
import type { Command } from 'commander'
import type { PolicyChange } from '../../broker/projection/projection.ts'
import type { PolicySummary } from '../../broker/queries/policySummary.ts'
import { shortId } from '../../model/id.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatExclusionRule } from '../format/exclusionText.ts'
import { numberColumns } from '../format/fieldTable.ts'
import { formatEvidence, registerPolicyControl } from './policyControl.ts'
import { registerPolicyFiles } from './policyFiles.ts'

type ShownPolicy = Omit<PolicySummary, 'history'>

export function registerPolicy(program: Command, io: CliContext): void {
  const policy = program.command('policy').description('show and control the policy and its learned numbers')
  withStoreOptions(policy.command('show').description('compare the active policy with the default policy'))
    .option('--all', 'include unchanged numbers')
    .action(async (options: StoreOptions & { readonly all?: boolean }) => {
      const { summarizePolicy } = await import('../../broker/queries/policySummary.ts')
      const summary = summarizePolicy(await openSelectedStore(options, io))
      const { name, version, frozen, judged, exclusions } = summary
      const numbers = options.all ? summary.numbers : summary.numbers.filter((number) => number.difference !== 0)
      const shown = { name, version, frozen, judged, numbers, exclusions }
      printResult(io, options.json, shown, formatPolicy)
    })
  withStoreOptions(
    policy.command('history').description('list every change with time, author, reason and evidence'),
  ).action(async (options: StoreOptions) => {
    const { summarizePolicy } = await import('../../broker/queries/policySummary.ts')
    const { history } = summarizePolicy(await openSelectedStore(options, io))
    printResult(io, options.json, { total: history.length, history }, (_, terminal) => formatHistory(history, terminal))
  })
  registerPolicyControl(policy, io)
  registerPolicyFiles(policy, io)
}

function formatPolicy(shown: ShownPolicy, { palette, columns }: Terminal): string[] {
  const { name, version, frozen, judged, numbers, exclusions } = shown
  const state = frozen ? ' Frozen: learning changes nothing until `memctl policy unfreeze`.' : ''
  const head = `Policy ${name}, ${version === 0 ? 'default values' : `version ${version}`}.${state}`
  const evidence = `${formatCount(judged, 'judged recall')}.`
  const rules = exclusions.flatMap((rule) => formatExclusionRule(rule, Date.now()))
  const excluded = rules.length === 0 ? [] : ['Excluded for a time, because it never helped:', ...rules]
  if (numbers.length === 0) {
    const reason = version === 0 ? 'Nothing has been learned yet.' : 'All numbers have their default values.'
    return [head, ...excluded, `${reason} ${evidence}`]
  }
  const layout = [{ head: 'number', canShrink: true }, ...numberColumns('default', 'active', 'difference')]
  const rows = numbers.map(({ path, defaultValue, activeValue, difference }) => [
    path,
    formatNumber(defaultValue),
    formatNumber(activeValue),
    difference === 0 ? '' : formatSigned(difference),
  ])
  return [head, ...formatTable(layout, rows, columns, palette.dim), ...excluded, evidence]
}

function formatHistory(history: readonly PolicyChange[], { palette }: Terminal): string[] {
  if (history.length === 0) return ['The policy has never changed.']
  return history.flatMap(({ version, at, by, reason, values, exclusions = [], evidence, base }) => {
    const changes = [
      ...Object.entries(values).map(([path, value]) => `  ${path} = ${formatNumber(value)}`),
      ...exclusions.map(
        (rule) => `  excluded: ${shortId(rule.memory)} (${rule.moment}), until ${formatTimestamp(rule.until)} UTC`,
      ),
    ]
    return [
      `${palette.bold(`version ${version}`)}  ${formatTimestamp(at)} UTC  by ${by}: ${reason}`,
      ...(Object.keys(evidence).length > 0 ? [palette.dim(`  evidence: ${formatEvidence(evidence)}`)] : []),
      ...(changes.length > 0 ? changes : [`  the numbers of ${base ?? 'default'}, nothing learned`]),
    ]
  })
}
