// A person's hand on the policy: memctl policy freeze, thaw, rollback, reset; explain and diff say what it would be laid on.
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { PolicyCommandResult } from '../../broker/commands/policyCommands.ts'
import type { PolicyDifference, PolicyExplanation } from '../../broker/queries/comparePolicies.ts'
import type { ExclusionRule } from '../../model/exclusion.ts'
import { wrapText } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { applyPolicyChoice } from '../context/applyConfig.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatExclusionRule } from '../format/exclusionText.ts'

/** What `explain` calls the rules by. */
const RULES = 'exclusions'

export function registerPolicyControl(policy: Command, io: CliContext): void {
  withStoreOptions(
    policy.command('explain').description('what a number means, its range, and why it stands where it does'),
  )
    .argument(
      '[number]',
      `a number or a part, such as recall.weights.words or moments, or ${RULES}; all of them without one`,
    )
    .action(async (wanted: string | undefined, options: StoreOptions) => {
      const [{ explainPolicy }, { summarizePolicy }] = await Promise.all([
        import('../../broker/queries/comparePolicies.ts'),
        import('../../broker/queries/policySummary.ts'),
      ])
      const store = await openSelectedStore(options, io)
      const exclusions = wanted === undefined || wanted === RULES ? summarizePolicy(store).exclusions : []
      printResult(
        io,
        options.json,
        { numbers: wanted === RULES ? [] : explainPolicy(store, wanted), exclusions },
        explainedLines,
      )
    })
  withStoreOptions(policy.command('diff').description('what differs between two policies'))
    .argument('[before]', 'shipped, chosen, serving, a version, the name of a shipped policy, or a file', 'chosen')
    .argument('[after]', 'the same', 'serving')
    .action(async (before: string, after: string, options: StoreOptions) => {
      const { listPolicyDifferences, resolvePolicyName } = await import('../../broker/queries/comparePolicies.ts')
      const store = await openSelectedStore(options, io)
      const meant = (word: string) => resolvePolicyName(store, word, (file) => path.resolve(io.cwd, file))
      printResult(
        io,
        options.json,
        { before, after, differences: listPolicyDifferences(meant(before), meant(after)) },
        differenceLines,
      )
    })
  const hand = (name: string, about: string) => withStoreOptions(policy.command(name).description(about))
  hand('freeze', 'stop learning from moving anything; evidence is gathered on').action(
    async (options: StoreOptions) => {
      const { setPolicyFrozen } = await import('../../broker/commands/policyCommands.ts')
      await done(
        options,
        io,
        (store, now) => setPolicyFrozen(store, true, now),
        'Frozen: learning moves nothing',
        'It is frozen already',
      )
    },
  )
  hand('thaw', 'let learning go on').action(async (options: StoreOptions) => {
    const { setPolicyFrozen } = await import('../../broker/commands/policyCommands.ts')
    await done(
      options,
      io,
      (store, now) => setPolicyFrozen(store, false, now),
      'Thawed: learning goes on',
      'It was not frozen',
    )
  })
  hand('rollback', 'back to the numbers of an earlier version')
    .argument('[version]', 'as `memctl policy history` tells; the version before without one', versionNumber)
    .action(async (version: number | undefined, options: StoreOptions) => {
      const { rollBackPolicy } = await import('../../broker/commands/policyCommands.ts')
      await done(
        options,
        io,
        (store, now) => rollBackPolicy(store, version, now),
        'Rolled back',
        'Those numbers serve already',
      )
    })
  hand('reset', 'forget what was learned: the chosen policy serves as it is').action(async (options: StoreOptions) => {
    const { resetPolicy } = await import('../../broker/commands/policyCommands.ts')
    await done(options, io, resetPolicy, 'Reset: nothing is learned', 'Nothing was learned')
  })
}

type Act = (store: Awaited<ReturnType<typeof openSelectedStore>>, now: number) => PolicyCommandResult

async function done(options: StoreOptions, io: CliContext, act: Act, did: string, already: string): Promise<void> {
  const store = await openSelectedStore(options, io)
  const now = Date.now()
  await applyPolicyChoice(store, now)
  printResult(io, options.json, act(store, now), ({ version, changed }) => [
    `${changed ? did : already} (version ${version}).`,
  ])
}

function versionNumber(text: string): number {
  const version = Number(text)
  if (!Number.isInteger(version) || version < 0) throw new InvalidArgumentError('It must be a whole number from 0 up.')
  return version
}

interface Explanation {
  readonly numbers: readonly PolicyExplanation[]
  readonly exclusions: readonly ExclusionRule[]
}

function explainedLines({ numbers, exclusions }: Explanation, { palette, columns }: Terminal): string[] {
  const rules = exclusions.flatMap((rule) => formatExclusionRule(rule, Date.now()))
  if (numbers.length === 0) return rules.length === 0 ? ['Nothing is left out here.'] : rules
  const explanations = numbers.flatMap(
    ({ path: name, meaning, unit, range, defaultValue, configuredValue, activeValue, changes }) => [
      `${palette.bold(name)}  ${said(activeValue)}`,
      ...wrapText(
        `${meaning}; ${unit}, ${range}. Shipped ${said(defaultValue)}, chosen ${said(configuredValue)}.`,
        columns - 2,
      ).map((line) => `  ${line}`),
      ...changes.map(({ version, at, by, reason, value, evidence }) => {
        const told = Object.entries(evidence).map(([key, one]) => `${key} ${one}`)
        const how = told.length > 0 ? ` (${told.join(', ')})` : ''
        return palette.dim(
          `  version ${version}, ${formatTimestamp(at)} UTC, by ${by}: ${said(value)}, ${reason}${how}`,
        )
      }),
    ],
  )
  return [...explanations, ...rules]
}

function differenceLines(
  {
    before,
    after,
    differences,
  }: { readonly before: string; readonly after: string; readonly differences: readonly PolicyDifference[] },
  { palette, columns }: Terminal,
): string[] {
  if (differences.length === 0) return [`${before} and ${after} are the same.`]
  const layout = [{ head: 'number' }, { head: before, canShrink: true }, { head: after, canShrink: true }]
  return formatTable(
    layout,
    differences.map((one) => [one.path, said(one.before), said(one.after)]),
    columns,
    palette.dim,
  )
}

const said = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : value === null || value === undefined ? 'never' : String(value)
