// memctl policy: the numbers that serve, against those that were shipped and chosen, how they came about, and a person's hand on them.
import type { Command } from 'commander'
import type { PolicyNumber } from '../broker/policy/look.ts'
import type { PolicyChange } from '../broker/view/view.ts'
import type { Exclusion } from '../model/exclusion.ts'
import { countText, numberText, signedText } from '../report/amount.ts'
import { table } from '../report/table.ts'
import { momentText } from '../report/time.ts'
import { exclusionLines } from './exclusionLines.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { registerPolicyFiles } from './policyFiles.ts'
import { registerPolicyHand } from './policyHand.ts'

interface Shown {
  readonly name: string
  readonly version: number
  readonly frozen: boolean
  readonly judged: number
  readonly evidenceMin: number
  readonly numbers: readonly PolicyNumber[]
  readonly exclusions: readonly Exclusion[]
}

export function registerPolicy(program: Command, io: Io): void {
  const policy = program
    .command('policy')
    .description('the numbers memctl decides by, what was learned, and your hand on them')
  aboutStore(policy.command('show', { isDefault: true }).description('what serves, against what was shipped'))
    .option('--all', 'every number, also those as shipped')
    .action(async (words: StoreOptions & { readonly all?: boolean }) => {
      const { policyLook } = await import('../broker/policy/look.ts')
      const { numbers, ...look } = policyLook(await storeGiven(words, io))
      const { name, version, frozen, judged, evidenceMin, exclusions } = look
      const shown = words.all ? numbers : numbers.filter((one) => one.difference !== 0)
      tell(io, words.json, { name, version, frozen, judged, evidenceMin, numbers: shown, exclusions }, renderedNumbers)
    })
  aboutStore(policy.command('history').description('every change: when, by whom, why, on what evidence')).action(
    async (words: StoreOptions) => {
      const { policyLook } = await import('../broker/policy/look.ts')
      const { history } = policyLook(await storeGiven(words, io))
      tell(io, words.json, { history }, renderedHistory)
    },
  )
  registerPolicyHand(policy, io)
  registerPolicyFiles(policy, io)
}

function renderedNumbers(shown: Shown, { palette, columns }: Page): string[] {
  const { name, version, frozen, judged, evidenceMin, numbers, exclusions } = shown
  const state = frozen ? ' Frozen: learning moves nothing until `memctl policy thaw`.' : ''
  const head = `${version === 0 ? `Policy ${name}, as shipped.` : `Policy ${name}, version ${version}.`}${state}`
  const evidence = `${countText(judged, 'judged recall')}, ${evidenceMin} are needed before anything moves.`
  const rules = exclusions.flatMap((rule) => exclusionLines(rule, Date.now()))
  const ruled = rules.length === 0 ? [] : ['Left out for some time, because it never helped:', ...rules]
  if (numbers.length === 0) {
    const as = version === 0 ? 'Nothing has been learned here yet.' : 'All numbers are as shipped.'
    return [head, ...ruled, `${as} ${evidence}`]
  }
  const layout = [
    { head: 'number', gives: true },
    { head: 'shipped', side: 'right' },
    { head: 'serving', side: 'right' },
    { head: 'difference', side: 'right' },
  ] as const
  const rows = numbers.map(({ path, shipped, serving, difference }) => [
    path,
    numberText(shipped),
    numberText(serving),
    difference === 0 ? '' : signedText(difference),
  ])
  return [head, ...table(layout, rows, columns, palette.dim), ...ruled, evidence]
}

function renderedHistory({ history }: { readonly history: readonly PolicyChange[] }, { palette }: Page): string[] {
  if (history.length === 0) return ['The policy has never changed here.']
  return history.flatMap(({ version, at, by, reason, values, exclusions = [], evidence, base }) => {
    const told = Object.entries(evidence).map(([name, value]) => `${name} ${value}`)
    const changed = [
      ...Object.entries(values).map(([path, value]) => `  ${path} = ${numberText(value)}`),
      ...exclusions.map(
        (rule) => `  not told: ${rule.by} ${rule.value} (${rule.moment}), until ${momentText(rule.until)} UTC`,
      ),
    ]
    return [
      `${palette.bold(`version ${version}`)}  ${momentText(at)} UTC  by ${by}: ${reason}`,
      ...(told.length > 0 ? [palette.dim(`  evidence: ${told.join(', ')}`)] : []),
      ...(changed.length > 0 ? changed : [`  the numbers of ${base ?? 'default'}, nothing learned`]),
    ]
  })
}
