// memctl policy freeze, unfreeze, rollback and reset: control of what is learned.
import type { Command } from 'commander'
import type { PolicyCommandResult } from '../../broker/commands/policyCommands.ts'
import type { PolicyChange } from '../../broker/projection/projection.ts'
import type { DescribedExclusion, PolicyDifference } from '../../broker/queries/policySummary.ts'
import { formatTable } from '../../report/formatTable.ts'
import { applyPolicyChoice } from '../context/applyConfig.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion, withConfirmOptions } from '../context/confirm.ts'
import { integerOption, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatExclusionRule } from '../format/exclusionText.ts'

export function registerPolicyControl(policy: Command, io: CliContext): void {
  const command = (name: string, about: string): Command => withStoreOptions(policy.command(name).description(about))
  command('freeze', 'stop learning from changing the policy; memctl still collects evidence').action(
    async (options: StoreOptions) => {
      const { setPolicyFrozen } = await import('../../broker/commands/policyCommands.ts')
      const result = await changePolicy(options, io, (store, now) => setPolicyFrozen(store, true, now))
      printChange(result, ['Frozen: learning changes nothing', 'Already frozen'], options, io)
    },
  )
  command('unfreeze', 'let learning change the policy again').action(async (options: StoreOptions) => {
    const { setPolicyFrozen } = await import('../../broker/commands/policyCommands.ts')
    const result = await changePolicy(options, io, (store, now) => setPolicyFrozen(store, false, now))
    printChange(result, ['Unfrozen: learning continues', 'It was not frozen'], options, io)
  })
  command('rollback', 'restore the numbers of an earlier version')
    .argument('[version]', 'a version from `memctl policy history` (default: the previous version)', integerOption(0))
    .action(async (version: number | undefined, options: StoreOptions) => {
      const { rollBackPolicy } = await import('../../broker/commands/policyCommands.ts')
      const result = await changePolicy(options, io, (store, now) => rollBackPolicy(store, version, now))
      printChange(result, ['Rolled back', 'These numbers are already in effect'], options, io)
    })
  withConfirmOptions(command('reset', 'discard learned numbers and use the configured policy')).action(
    async (options: StoreOptions & ConfirmOptions) => {
      const { resetPolicy } = await import('../../broker/commands/policyCommands.ts')
      const deletion = {
        preview: () => readLearned(options, io),
        isEmpty: ({ differences, exclusions }: LearnedNumbers) => differences.length + exclusions.length === 0,
        format: formatLearned,
        question: 'Discard what was learned?',
      }
      if (!(await confirmDeletion(io, options, deletion))) return
      const result = await changePolicy(options, io, resetPolicy)
      printChange(result, ['Reset: nothing is learned', 'Nothing was learned'], options, io)
    },
  )
}

/** What a reset discards: the learned numbers beside the configured ones, and the exclusions. */
interface LearnedNumbers {
  readonly before: string
  readonly after: string
  readonly differences: readonly PolicyDifference[]
  readonly version: number
  readonly changed: false
  readonly exclusions: readonly DescribedExclusion[]
}

async function readLearned(options: StoreOptions, io: CliContext): Promise<LearnedNumbers> {
  const [{ listLearnedDifferences }, { summarizePolicy }] = await Promise.all([
    import('../../broker/queries/policySummary.ts'),
    import('../../broker/queries/policySummary.ts'),
  ])
  const store = await openSelectedStore(options, io)
  const { version, exclusions } = summarizePolicy(store)
  const differences = listLearnedDifferences(store)
  return { version, changed: false, before: 'active', after: 'configured', differences, exclusions }
}

const formatLearned = (learned: LearnedNumbers, terminal: Terminal): string[] =>
  learned.differences.length + learned.exclusions.length === 0
    ? [`Nothing was learned (version ${learned.version}).`]
    : [
        ...formatDifferences(learned, terminal),
        ...learned.exclusions.flatMap((rule) => formatExclusionRule(rule, Date.now())),
        `\`memctl policy rollback ${learned.version}\` brings them back.`,
      ]

type PolicyCommand = (store: Awaited<ReturnType<typeof openSelectedStore>>, now: number) => PolicyCommandResult

async function changePolicy(options: StoreOptions, io: CliContext, run: PolicyCommand): Promise<PolicyCommandResult> {
  const store = await openSelectedStore(options, io)
  const now = Date.now()
  await applyPolicyChoice(store, now)
  return run(store, now)
}

/** `texts`: for a change, and for none. */
const printChange = (
  result: PolicyCommandResult,
  texts: readonly [string, string],
  options: StoreOptions,
  io: CliContext,
): void =>
  printResult(io, options.json, result, ({ version, changed }) => [`${texts[changed ? 0 : 1]} (version ${version}).`])

function formatDifferences({ before, after, differences }: LearnedNumbers, { palette, columns }: Terminal): string[] {
  if (differences.length === 0) return [`${before} and ${after} are the same.`]
  const layout = [{ head: 'number' }, { head: before, canShrink: true }, { head: after, canShrink: true }]
  const rows = differences.map((number) => [number.path, formatValue(number.before), formatValue(number.after)])
  return formatTable(layout, rows, columns, palette.dim)
}

const formatValue = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : value === null || value === undefined ? 'never' : String(value)

/** The evidence of a policy change: `recalls 40, gain 0.1`. */
export const formatEvidence = (evidence: PolicyChange['evidence']): string =>
  Object.entries(evidence)
    .map(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? `${name}: ${formatEvidence(value as PolicyChange['evidence'])}`
        : `${name} ${value}`,
    )
    .join(', ')
