// memctl policy: the numbers that serve, against those that were shipped and chosen, how they came about, and a person's hand on them.
import type { Command } from 'commander'
import type { PolicyChange } from '../../broker/projection/projection.ts'
import type { PolicyNumber } from '../../broker/queries/policySummary.ts'
import type { ExclusionRule } from '../../model/exclusion.ts'
import { formatCount, formatNumber, formatSigned } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatExclusionRule } from '../format/exclusionText.ts'
import { registerPolicyControl } from './policyControl.ts'
import { registerPolicyFiles } from './policyFiles.ts'

interface Shown {
  readonly name: string
  readonly version: number
  readonly frozen: boolean
  readonly judged: number
  readonly evidenceMin: number
  readonly numbers: readonly PolicyNumber[]
  readonly exclusions: readonly ExclusionRule[]
}

export function registerPolicy(program: Command, io: CliContext): void {
  const policy = program
    .command('policy')
    .description('the numbers memctl decides by, what was learned, and your hand on them')
  withStoreOptions(policy.command('show', { isDefault: true }).description('what serves, against what was shipped'))
    .option('--all', 'every number, also those as shipped')
    .action(async (words: StoreOptions & { readonly all?: boolean }) => {
      const { summarizePolicy } = await import('../../broker/queries/policySummary.ts')
      const { numbers, ...look } = summarizePolicy(await openSelectedStore(words, io))
      const { name, version, frozen, judged, evidenceMin, exclusions } = look
      const shown = words.all ? numbers : numbers.filter((one) => one.difference !== 0)
      printResult(
        io,
        words.json,
        { name, version, frozen, judged, evidenceMin, numbers: shown, exclusions },
        renderedNumbers,
      )
    })
  withStoreOptions(policy.command('history').description('every change: when, by whom, why, on what evidence')).action(
    async (options: StoreOptions) => {
      const { summarizePolicy } = await import('../../broker/queries/policySummary.ts')
      const { history } = summarizePolicy(await openSelectedStore(options, io))
      printResult(io, options.json, { history }, renderedHistory)
    },
  )
  registerPolicyControl(policy, io)
  registerPolicyFiles(policy, io)
}

function renderedNumbers(shown: Shown, { palette, columns }: Terminal): string[] {
  const { name, version, frozen, judged, evidenceMin, numbers, exclusions } = shown
  const state = frozen ? ' Frozen: learning moves nothing until `memctl policy thaw`.' : ''
  const head = `${version === 0 ? `Policy ${name}, as shipped.` : `Policy ${name}, version ${version}.`}${state}`
  const evidence = `${formatCount(judged, 'judged recall')}, ${evidenceMin} are needed before anything moves.`
  const rules = exclusions.flatMap((rule) => formatExclusionRule(rule, Date.now()))
  const ruled = rules.length === 0 ? [] : ['Left out for some time, because it never helped:', ...rules]
  if (numbers.length === 0) {
    const as = version === 0 ? 'Nothing has been learned here yet.' : 'All numbers are as shipped.'
    return [head, ...ruled, `${as} ${evidence}`]
  }
  const layout = [
    { head: 'number', canShrink: true },
    { head: 'shipped', align: 'right' },
    { head: 'serving', align: 'right' },
    { head: 'difference', align: 'right' },
  ] as const
  const rows = numbers.map(({ path, defaultValue, activeValue, difference }) => [
    path,
    formatNumber(defaultValue),
    formatNumber(activeValue),
    difference === 0 ? '' : formatSigned(difference),
  ])
  return [head, ...formatTable(layout, rows, columns, palette.dim), ...ruled, evidence]
}

function renderedHistory({ history }: { readonly history: readonly PolicyChange[] }, { palette }: Terminal): string[] {
  if (history.length === 0) return ['The policy has never changed here.']
  return history.flatMap(({ version, at, by, reason, values, exclusions = [], evidence, base }) => {
    const told = Object.entries(evidence).map(([name, value]) => `${name} ${value}`)
    const changed = [
      ...Object.entries(values).map(([path, value]) => `  ${path} = ${formatNumber(value)}`),
      ...exclusions.map(
        (rule) => `  not told: ${rule.by} ${rule.value} (${rule.moment}), until ${formatTimestamp(rule.until)} UTC`,
      ),
    ]
    return [
      `${palette.bold(`version ${version}`)}  ${formatTimestamp(at)} UTC  by ${by}: ${reason}`,
      ...(told.length > 0 ? [palette.dim(`  evidence: ${told.join(', ')}`)] : []),
      ...(changed.length > 0 ? changed : [`  the numbers of ${base ?? 'default'}, nothing learned`]),
    ]
  })
}
