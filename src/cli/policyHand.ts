// A person's hand on the policy: memctl policy freeze, thaw, rollback, reset; explain and diff say what it would be laid on.
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Difference, Explained } from '../broker/policy/compare.ts'
import type { Control } from '../broker/policy/control.ts'
import type { Exclusion } from '../model/exclusion.ts'
import { table } from '../report/table.ts'
import { momentText } from '../report/time.ts'
import { wrapped } from '../report/width.ts'
import { takeChoice } from './config.ts'
import { exclusionLines } from './exclusionLines.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'

/** What `explain` calls the rules by. */
const RULES = 'exclusions'

export function registerPolicyHand(policy: Command, io: Io): void {
  aboutStore(policy.command('explain').description('what a number means, its range, and why it stands where it does'))
    .argument(
      '[number]',
      `a number or a part, such as recall.weights.words or moments, or ${RULES}; all of them without one`,
    )
    .action(async (wanted: string | undefined, words: StoreOptions) => {
      const [{ explained }, { policyLook }] = await Promise.all([
        import('../broker/policy/compare.ts'),
        import('../broker/policy/look.ts'),
      ])
      const store = await storeGiven(words, io)
      const exclusions = wanted === undefined || wanted === RULES ? policyLook(store).exclusions : []
      tell(io, words.json, { numbers: wanted === RULES ? [] : explained(store, wanted), exclusions }, explainedLines)
    })
  aboutStore(policy.command('diff').description('what differs between two policies'))
    .argument('[before]', 'shipped, chosen, serving, a version, the name of a shipped policy, or a file', 'chosen')
    .argument('[after]', 'the same', 'serving')
    .action(async (before: string, after: string, words: StoreOptions) => {
      const { differencesOf, policyMeant } = await import('../broker/policy/compare.ts')
      const store = await storeGiven(words, io)
      const meant = (word: string) => policyMeant(store, word, (file) => path.resolve(io.cwd, file))
      tell(io, words.json, { before, after, differences: differencesOf(meant(before), meant(after)) }, differenceLines)
    })
  const hand = (name: string, about: string) => aboutStore(policy.command(name).description(about))
  hand('freeze', 'stop learning from moving anything; evidence is gathered on').action(async (words: StoreOptions) => {
    const { freeze } = await import('../broker/policy/control.ts')
    await done(
      words,
      io,
      (store, now) => freeze(store, true, now),
      'Frozen: learning moves nothing',
      'It is frozen already',
    )
  })
  hand('thaw', 'let learning go on').action(async (words: StoreOptions) => {
    const { freeze } = await import('../broker/policy/control.ts')
    await done(words, io, (store, now) => freeze(store, false, now), 'Thawed: learning goes on', 'It was not frozen')
  })
  hand('rollback', 'back to the numbers of an earlier version')
    .argument('[version]', 'as `memctl policy history` tells; the version before without one', versionNumber)
    .action(async (version: number | undefined, words: StoreOptions) => {
      const { rollBack } = await import('../broker/policy/control.ts')
      await done(words, io, (store, now) => rollBack(store, version, now), 'Rolled back', 'Those numbers serve already')
    })
  hand('reset', 'forget what was learned: the chosen policy serves as it is').action(async (words: StoreOptions) => {
    const { reset } = await import('../broker/policy/control.ts')
    await done(words, io, reset, 'Reset: nothing is learned', 'Nothing was learned')
  })
}

type Act = (store: Awaited<ReturnType<typeof storeGiven>>, now: number) => Control

async function done(words: StoreOptions, io: Io, act: Act, did: string, already: string): Promise<void> {
  const store = await storeGiven(words, io)
  const now = Date.now()
  await takeChoice(store, now)
  tell(io, words.json, act(store, now), ({ version, changed }) => [`${changed ? did : already} (version ${version}).`])
}

function versionNumber(text: string): number {
  const version = Number(text)
  if (!Number.isInteger(version) || version < 0) throw new InvalidArgumentError('It must be a whole number from 0 up.')
  return version
}

interface Explanation {
  readonly numbers: readonly Explained[]
  readonly exclusions: readonly Exclusion[]
}

function explainedLines({ numbers, exclusions }: Explanation, { palette, columns }: Page): string[] {
  const rules = exclusions.flatMap((rule) => exclusionLines(rule, Date.now()))
  if (numbers.length === 0) return rules.length === 0 ? ['Nothing is left out here.'] : rules
  const explanations = numbers.flatMap(({ path: name, meaning, unit, range, shipped, chosen, serving, changes }) => [
    `${palette.bold(name)}  ${said(serving)}`,
    ...wrapped(`${meaning}; ${unit}, ${range}. Shipped ${said(shipped)}, chosen ${said(chosen)}.`, columns - 2).map(
      (line) => `  ${line}`,
    ),
    ...changes.map(({ version, at, by, reason, value, evidence }) => {
      const told = Object.entries(evidence).map(([key, one]) => `${key} ${one}`)
      const how = told.length > 0 ? ` (${told.join(', ')})` : ''
      return palette.dim(`  version ${version}, ${momentText(at)} UTC, by ${by}: ${said(value)}, ${reason}${how}`)
    }),
  ])
  return [...explanations, ...rules]
}

function differenceLines(
  {
    before,
    after,
    differences,
  }: { readonly before: string; readonly after: string; readonly differences: readonly Difference[] },
  { palette, columns }: Page,
): string[] {
  if (differences.length === 0) return [`${before} and ${after} are the same.`]
  const layout = [{ head: 'number' }, { head: before, gives: true }, { head: after, gives: true }]
  return table(
    layout,
    differences.map((one) => [one.path, said(one.before), said(one.after)]),
    columns,
    palette.dim,
  )
}

const said = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : value === null || value === undefined ? 'never' : String(value)
