// memctl policy: the numbers that serve, against those that were shipped, and how they came about.
import type { Command } from 'commander'
import type { PolicyNumber } from '../broker/policyLook.ts'
import type { PolicyChange } from '../broker/view.ts'
import { numberText, signedText } from '../report/amount.ts'
import { table } from '../report/table.ts'
import { momentText } from '../report/time.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'

interface Shown {
  readonly name: string
  readonly version: number
  readonly numbers: readonly PolicyNumber[]
}

export function registerPolicy(program: Command, io: Io): void {
  const policy = program.command('policy').description('the numbers memctl decides by, and what was learned')
  aboutStore(policy.command('show', { isDefault: true }).description('what was learned, against what was shipped'))
    .option('--all', 'every number, also those as shipped')
    .action(async (words: StoreOptions & { readonly all?: boolean }) => {
      const { policyLook } = await import('../broker/policyLook.ts')
      const { name, version, numbers } = policyLook(await storeGiven(words, io))
      const shown = words.all ? numbers : numbers.filter((one) => one.difference !== 0)
      tell(io, words.json, { name, version, numbers: shown }, renderedNumbers)
    })
  aboutStore(policy.command('history').description('every change: when, by whom, why, on what evidence')).action(
    async (words: StoreOptions) => {
      const { policyLook } = await import('../broker/policyLook.ts')
      const { history } = policyLook(await storeGiven(words, io))
      tell(io, words.json, { history }, renderedHistory)
    },
  )
}

function renderedNumbers({ name, version, numbers }: Shown, { palette, columns }: Page): string[] {
  const head = version === 0 ? `Policy ${name}, as shipped.` : `Policy ${name}, version ${version}.`
  if (numbers.length === 0) {
    return [
      head,
      version === 0
        ? 'Nothing has been learned here yet.'
        : 'All numbers are as shipped: what was learned was taken back.',
    ]
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
  return [head, ...table(layout, rows, columns, palette.dim)]
}

function renderedHistory({ history }: { readonly history: readonly PolicyChange[] }, { palette }: Page): string[] {
  if (history.length === 0) return ['The policy has never changed here.']
  return history.flatMap(({ version, at, by, reason, values, evidence }) => {
    const told = Object.entries(evidence).map(([name, value]) => `${name} ${value}`)
    const changed = Object.entries(values).map(([path, value]) => `  ${path} = ${numberText(value)}`)
    return [
      `${palette.bold(`version ${version}`)}  ${momentText(at)} UTC  by ${by}: ${reason}`,
      ...(told.length > 0 ? [palette.dim(`  evidence: ${told.join(', ')}`)] : []),
      ...(changed.length > 0 ? changed : ['  back to the shipped numbers']),
    ]
  })
}
