// memctl recall: what would be injected for a cue, and why. Looking changes nothing.
import { type Command, Option } from 'commander'
import { type RankingModel, selectRankingModel } from '../../model/policy.ts'
import { RECALL_MOMENTS, type RecallMoment, type RecallResult } from '../../model/recallQuery.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount, formatNumber } from '../../report/formatNumber.ts'
import { formatBreakdown } from '../../report/scoreBreakdown.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { collect, integerOption, openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatExclusionRule } from '../format/exclusionText.ts'
import { ID_CHARS_SHOWN } from '../format/memoryText.ts'

interface Words extends StoreOptions {
  readonly file?: readonly string[]
  readonly command?: string
  readonly error?: string
  readonly branch?: string
  readonly role?: string
  readonly moment: RecallMoment
  readonly limit?: number
  readonly explain?: boolean
}

export function registerRecall(program: Command, io: CliContext): void {
  withStoreOptions(
    program.command('recall').description('what would be injected for a cue, within thresholds and budget, and why'),
  )
    .argument('[cue...]', 'words, as a prompt would have them')
    .option('--file <path>', 'a file at hand; may be given again', collect)
    .option('--command <command>', 'a command about to be run')
    .option('--error <text>', 'an error met')
    .option('--branch <name>', 'the branch worked on')
    .option('--role <role>', 'for an agent of this role (default: the main conversation)')
    .addOption(new Option('--moment <moment>', 'whose limits hold').choices(RECALL_MOMENTS).default('ask'))
    .option('--limit <n>', 'memories at most', integerOption(1))
    .option('--explain', 'how each score comes about: feature × weight')
    .action(async (cue: readonly string[], options: Words) => {
      const [{ recallMemories }, { readActivePolicy }] = await Promise.all([
        import('../../broker/search/recallMemories.ts'),
        import('../../broker/policy/activePolicy.ts'),
      ])
      const store = await openSyncedStore(options, io)
      const { file, command, error, branch, role, moment, limit } = options
      const question = {
        ...{ text: cue.join(' '), moment, now: Date.now() },
        ...(file && { files: file }),
        ...(command && { command }),
        ...(error && { error }),
        ...(branch && { branch }),
        ...(role && { role }),
        ...(limit && { topK: limit }),
      }
      const { policy } = readActivePolicy(store)
      printResult(io, options.json, recallMemories(store, question), (recall, page) =>
        rendered(recall, page, options.explain ? selectRankingModel(policy.recall, moment) : undefined),
      )
    })
}

function rendered(recall: RecallResult, page: Terminal, explained: RankingModel | undefined): string[] {
  const { palette, columns } = page
  const rules = recall.rules?.flatMap((rule) => formatExclusionRule(rule, Date.now())) ?? []
  const ruled = rules.length === 0 ? [] : ['Left out, because it never helped:', ...rules.map((line) => `  ${line}`)]
  if (recall.shown.length === 0) {
    const others = recall.others.length
    const near =
      others === 0 ? '' : ` ${formatCount(others, 'memory', 'memories')} came near and stayed under the limits.`
    return [`Nothing would be told.${near}`, ...ruled]
  }
  if (!explained) return [...wrapText(sanitizeForTerminal(recall.text), columns), ...ruled]
  const shown = recall.shown.flatMap(({ memory, score, features }) => [
    `${palette.bold(formatNumber(score))} ${memory.kind} ${palette.dim(memory.id.slice(0, ID_CHARS_SHOWN))}`,
    ...wrapText(sanitizeForTerminal(memory.content), columns - 2).map((line) => `  ${line}`),
    ...formatBreakdown(features, explained, columns - 4, { head: palette.dim }).map((line) => `    ${line}`),
    '',
  ])
  return [...shown, ...ruled]
}
