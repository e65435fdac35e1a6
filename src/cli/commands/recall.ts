// memctl recall: what would be injected for a query, and why. It records nothing.
import { type Command, Option } from 'commander'
import { type RankingModel, selectRankingModel } from '../../model/policy.ts'
import { RECALL_MOMENTS, type RecallMoment, type RecallResult } from '../../model/recallQuery.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatCount, formatNumber } from '../../report/formatNumber.ts'
import { formatBreakdown } from '../../report/scoreBreakdown.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { collect, integerOption, openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatExclusionRule } from '../format/exclusionText.ts'
import { indentText, shortId } from '../format/memoryText.ts'

interface RecallOptions extends StoreOptions {
  readonly file?: readonly string[]
  readonly command?: string
  readonly error?: string
  readonly branch?: string
  readonly task?: string
  readonly role?: string
  readonly moment: RecallMoment
  readonly limit?: number
  readonly explain?: boolean
}

export function registerRecall(program: Command, io: CliContext): void {
  withStoreOptions(program.command('recall').description('show which memories would be injected for a query, and why'))
    .argument('[query...]', 'the text to recall memories for')
    .option('--file <path>', 'a file in use (repeatable)', collect)
    .option('--command <command>', 'a command that is about to run')
    .option('--error <text>', 'an error message')
    .option('--branch <name>', 'the current branch')
    .option('--task <id>', 'the issue or task, such as #42 or ABC-12')
    .option('--role <role>', 'recall for an agent of this role (default: main)')
    .addOption(
      new Option('--moment <moment>', 'apply the limits of this moment').choices(RECALL_MOMENTS).default('ask'),
    )
    .option('--limit <n>', 'maximum number of memories', integerOption(1))
    .option('--explain', 'show how each score is computed: feature × weight')
    .action(async (words: readonly string[], options: RecallOptions) => {
      const [{ recallMemories }, { readActivePolicy }] = await Promise.all([
        import('../../broker/search/recallMemories.ts'),
        import('../../broker/policy/activePolicy.ts'),
      ])
      const store = await openSyncedStore(options, io)
      const { file, command, error, branch, task, role, moment, limit } = options
      const result = recallMemories(store, {
        text: words.join(' '),
        moment,
        now: Date.now(),
        ...(file && { files: file }),
        ...(command && { command }),
        ...(error && { error }),
        ...(branch && { branch }),
        ...(task && { taskId: task }),
        ...(role && { role }),
        ...(limit && { topK: limit }),
      })
      const model = options.explain ? selectRankingModel(readActivePolicy(store).policy.recall, moment) : undefined
      printResult(io, options.json, result, (recall, terminal) => formatRecall(recall, model, terminal))
    })
}

/** What would be injected, or with a ranking model the score of each memory. */
function formatRecall(recall: RecallResult, model: RankingModel | undefined, terminal: Terminal): string[] {
  const { palette, columns } = terminal
  const rules = recall.rules?.flatMap((rule) => formatExclusionRule(rule, Date.now())) ?? []
  const excluded = rules.length === 0 ? [] : ['Excluded, because it never helped:', ...rules.map((line) => `  ${line}`)]
  if (recall.shown.length === 0) {
    const others = recall.others.length
    const below = others === 0 ? '' : ` ${formatCount(others, 'memory', 'memories')} scored below the limits.`
    return [`Nothing would be injected.${below}`, ...excluded]
  }
  if (!model) return [...wrapText(sanitizeForTerminal(recall.text), columns), ...excluded]
  const shown = recall.shown.flatMap(({ memory, score, features }) => [
    `${palette.bold(formatNumber(score))} ${memory.kind} ${palette.dim(shortId(memory.id))}`,
    ...indentText(memory.content, columns),
    ...formatBreakdown(features, model, columns - 4, { head: palette.dim }).map((line) => `    ${line}`),
    '',
  ])
  return [...shown, ...excluded]
}
