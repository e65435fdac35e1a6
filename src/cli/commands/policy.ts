// memctl policy: the active numbers against the default ones and how they changed, control of what is learned (freeze,
// unfreeze, reset), and policies as files (validate).
import path from 'node:path'
import type { Command } from 'commander'
import type { PolicyCommandResult } from '../../broker/commands/policyCommands.ts'
import type { Store } from '../../broker/open/openStore.ts'
import type { PolicyIssue } from '../../broker/policy/policyFiles.ts'
import type { PolicyChange } from '../../broker/projection/projection.ts'
import type { PolicySummary } from '../../broker/queries/policySummary.ts'
import { shortId } from '../../model/id.ts'
import { isObject } from '../../model/unknownJson.ts'
import { formatCount, formatNumber, formatSigned, formatTimestamp } from '../../report/formatNumber.ts'
import { formatItems } from '../../report/formatTable.ts'
import { type CliContext, ExitStatus, printResult, type Terminal } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion, withConfirmOptions } from '../context/forPerson.ts'
import {
  applyPolicyChoice,
  openSelectedStore,
  type StoreOptions,
  withJsonOption,
  withProjectOption,
  withStoreOptions,
} from '../context/storeOption.ts'
import { formatExclusionRule } from '../format/memoryText.ts'

type ShownPolicy = Omit<PolicySummary, 'history' | 'learned'>

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

function formatPolicy(shown: ShownPolicy, terminal: Terminal): string[] {
  const { name, version, frozen, judged, numbers, exclusions } = shown
  const state = frozen ? ' Frozen: learning changes nothing until `memctl policy unfreeze`.' : ''
  const head = `Policy ${name}, ${version === 0 ? 'default values' : `version ${version}`}.${state}`
  const evidence = `${formatCount(judged, 'judged recall')}.`
  const rules = exclusions.flatMap(formatExclusionRule)
  const excluded = rules.length === 0 ? [] : ['Excluded for a time, because it never helped:', ...rules]
  if (numbers.length === 0) {
    const reason = version === 0 ? 'Nothing has been learned yet.' : 'All numbers have their default values.'
    return [head, ...excluded, `${reason} ${evidence}`]
  }
  const table = formatItems(numbers, terminal, [
    { head: 'number', canShrink: true, cell: ({ path }) => path },
    { head: 'default', align: 'right', cell: ({ defaultValue }) => formatNumber(defaultValue) },
    { head: 'active', align: 'right', cell: ({ activeValue }) => formatNumber(activeValue) },
    { head: 'difference', align: 'right', cell: ({ difference }) => (difference ? formatSigned(difference) : '') },
  ])
  return [head, ...table, ...excluded, evidence]
}

function formatHistory(history: readonly PolicyChange[], { palette }: Terminal): string[] {
  if (history.length === 0) return ['The policy has never changed.']
  return history.flatMap(({ version, at, by, reason, values, exclusions = [], evidence, base }) => {
    const changes = [
      ...Object.entries(values).map(([path, value]) => `  ${path} = ${formatNumber(value)}`),
      ...exclusions.map(
        ({ moment, memory, kind, until }) =>
          `  excluded: ${memory ? shortId(memory) : `kind ${kind}`} (${moment}), until ${formatTimestamp(until)} UTC`,
      ),
    ]
    return [
      `${palette.bold(`version ${version}`)}  ${formatTimestamp(at)} UTC  by ${by}: ${reason}`,
      ...(Object.keys(evidence).length > 0 ? [palette.dim(`  evidence: ${formatEvidence(evidence)}`)] : []),
      ...(changes.length > 0 ? changes : [`  the numbers of ${base ?? 'default'}, nothing learned`]),
    ]
  })
}

function registerPolicyControl(policy: Command, io: CliContext): void {
  const command = (name: string, about: string): Command => withStoreOptions(policy.command(name).description(about))
  const setFrozen = (isFrozen: boolean, texts: ChangeTexts) => async (options: StoreOptions) => {
    const { setPolicyFrozen } = await import('../../broker/commands/policyCommands.ts')
    await changePolicy((store, now) => setPolicyFrozen(store, isFrozen, now), texts, options, io)
  }
  command('freeze', 'stop learning from changing the policy; memctl still collects evidence').action(
    setFrozen(true, ['Frozen: learning changes nothing', 'Already frozen']),
  )
  command('unfreeze', 'let learning change the policy again').action(
    setFrozen(false, ['Unfrozen: learning continues', 'It was not frozen']),
  )
  withConfirmOptions(command('reset', 'discard learned numbers and use the configured policy')).action(
    async (options: StoreOptions & ConfirmOptions) => {
      const { resetPolicy } = await import('../../broker/commands/policyCommands.ts')
      const deletion = {
        preview: () => readLearned(options, io),
        isEmpty: ({ values, exclusions }: LearnedNumbers) => Object.keys(values).length + exclusions.length === 0,
        format: formatLearned,
        question: 'Discard what was learned?',
      }
      if (!(await confirmDeletion(io, options, deletion))) return
      await changePolicy(resetPolicy, ['Reset: nothing is learned', 'Nothing was learned'], options, io)
    },
  )
}

/** What a reset discards. */
type LearnedNumbers = Awaited<ReturnType<typeof readLearned>>

async function readLearned(options: StoreOptions, io: CliContext) {
  const { summarizePolicy } = await import('../../broker/queries/policySummary.ts')
  const { version, learned, exclusions } = summarizePolicy(await openSelectedStore(options, io))
  return { version, changed: false, values: learned, exclusions }
}

function formatLearned({ version, values, exclusions }: LearnedNumbers): string[] {
  const lines = [
    ...Object.entries(values).map(([path, value]) => `${path} = ${formatNumber(value)}`),
    ...exclusions.flatMap(formatExclusionRule),
  ]
  return lines.length === 0 ? [`Nothing was learned (version ${version}).`] : lines
}

type PolicyCommand = (store: Store, now: number) => PolicyCommandResult

/** For a change, and for none. */
type ChangeTexts = readonly [string, string]

async function changePolicy(
  run: PolicyCommand,
  texts: ChangeTexts,
  options: StoreOptions,
  io: CliContext,
): Promise<void> {
  const store = await openSelectedStore(options, io)
  const now = Date.now()
  await applyPolicyChoice(store, now)
  printResult(io, options.json, run(store, now), ({ version, changed }) => [
    `${texts[changed ? 0 : 1]} (version ${version}).`,
  ])
}

/** The evidence of a policy change: `recalls 40, gain 0.1`. */
const formatEvidence = (evidence: PolicyChange['evidence']): string =>
  Object.entries(evidence)
    .map(([name, value]) => (isObject(value) ? `${name}: ${formatEvidence(value)}` : `${name} ${value}`))
    .join(', ')

type ValidatedFile = Readonly<{ file: string; valid: boolean; issues: readonly PolicyIssue[] }>

function registerPolicyFiles(policy: Command, io: CliContext): void {
  const validateAbout = 'check policy files, or the configured policy; the exit status is 2 if a policy is invalid'
  withJsonOption(withProjectOption(policy.command('validate').description(validateAbout).argument('[file...]'))).action(
    async (names: readonly string[], options: StoreOptions) => {
      const store = await openSelectedStore(options, io)
      const files = names.length > 0 ? await validateFiles(store, names, io) : [await validateConfigured(store)]
      const valid = files.every((file) => file.valid)
      printResult(io, options.json, { valid, files }, () => files.flatMap(formatValidated))
      if (!valid) throw new ExitStatus(2)
    },
  )
}

async function validateFiles(store: Store, names: readonly string[], io: CliContext): Promise<ValidatedFile[]> {
  const { loadPolicyWithIssues, hintOf } = await import('../../broker/policy/policyFiles.ts')
  return names.map((file) => {
    const found = loadPolicyWithIssues(store.files, path.resolve(io.cwd, file)).issues
    const issues = found.map((issue) => ({ line: issue.line, path: issue.path, what: issue.what, hint: hintOf(issue) }))
    return { file, valid: issues.length === 0, issues }
  })
}

/** Throws CONFIG_INVALID or POLICY_INVALID if the configured policy is invalid. */
async function validateConfigured(store: Store): Promise<ValidatedFile> {
  const { resolveConfiguredPolicy } = await import('../../broker/commands/policyCommands.ts')
  const { policy, sourceFile } = resolveConfiguredPolicy(store)
  return { file: sourceFile ?? `built-in policy ${policy.name}`, valid: true, issues: [] }
}

const formatValidated = ({ file, issues }: ValidatedFile): string[] =>
  issues.length === 0
    ? [`${file}: valid.`]
    : issues.map(({ line, what, hint }) => `${file}, line ${line}: ${what}. ${hint}`)
