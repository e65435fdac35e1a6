// memctl recall: what a hook would inject now, or what a question finds. It records nothing.
import { type Command, Option } from 'commander'
import type { HookMoment, RecallPreview } from '../../broker/handlers/previewRecall.ts'
import { type RankingModel, selectRankingModel } from '../../model/rankingScore.ts'
import { RECALL_MOMENTS, type RecallMoment } from '../../model/recallQuery.ts'
import { sanitizeForTerminal, wrapText } from '../../report/fitText.ts'
import { formatNumber } from '../../report/formatNumber.ts'
import { formatBreakdown } from '../../report/noteReason.ts'
import { translate } from '../../report/translation.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import {
  collect,
  integerOption,
  openSelectedStore,
  openSyncedStore,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import { formatExclusionRule, indentText } from '../format/memoryText.ts'

interface RecallOptions extends StoreOptions {
  readonly file?: readonly string[]
  readonly command?: string
  readonly tool?: string
  readonly error?: string
  readonly branch?: string
  readonly task?: string
  readonly role?: string
  readonly agent?: string
  readonly session?: string
  readonly moment: RecallMoment
  readonly limit?: number
  readonly explain?: boolean
}

/** What a recall shows; for a hook's moment with everything about the hook. */
type RecallAnswer = Pick<RecallPreview, 'text' | 'tokens' | 'shown' | 'others' | 'rules'> &
  Partial<Omit<RecallPreview, 'moment'>> & { readonly moment: RecallMoment }

export function registerRecall(program: Command, io: CliContext): void {
  withStoreOptions(
    program.command('recall').description('show what a hook would inject now, or what a question finds, and why'),
  )
    .argument('[query...]', 'the prompt, the task of an agent, the new text of an edit, or a question')
    .option('--file <path>', 'a file in use (repeatable)', collect)
    .option('--command <command>', 'a command that is about to run, or has failed')
    .option('--tool <name>', 'the tool of the call (default: Bash, or Edit with a file)')
    .option('--error <text>', 'an error message')
    .option('--branch <name>', 'the current branch')
    .option('--task <id>', 'the issue or task of a question, such as #42; a hook finds it itself')
    .option('--role <role>', 'recall for an agent of this role (default: main)')
    .option('--agent <id>', 'the conversation of this subagent')
    .option(
      '--session <id>',
      'leave out what this session was shown; at a start it is resumed (default: a new session)',
    )
    .addOption(
      new Option('--moment <moment>', 'run the hook of this moment; ask answers a question')
        .choices(RECALL_MOMENTS)
        .default('ask'),
    )
    .option('--limit <n>', 'maximum number of memories', integerOption(1))
    .option('--explain', 'show how each score is computed: feature × weight')
    .action(async (words: readonly string[], options: RecallOptions) => {
      const { moment } = options
      const answer =
        moment === 'ask'
          ? await recallForQuestion(words.join(' '), options, io)
          : await recallForHook(moment, words.join(' '), options, io)
      const { readActivePolicy } = await import('../../broker/policy/activePolicy.ts')
      const store = await openSelectedStore(options, io)
      const model = options.explain ? selectRankingModel(readActivePolicy(store).policy.recall, moment) : undefined
      const named = answer.shown.map(({ memory }) => memory)
      printResult(withKnownIds(io, named), options.json, answer, (recall, terminal) =>
        formatRecall(recall, model, terminal),
      )
    })
}

/** What the hook would inject, from its own handler. Entry files are not read again: the hook does not either. */
async function recallForHook(
  moment: HookMoment,
  text: string,
  options: RecallOptions,
  io: CliContext,
): Promise<RecallAnswer> {
  const { previewRecall } = await import('../../broker/handlers/previewRecall.ts')
  const { file: files, command, tool, error, branch, role, agent: agentId, session, limit: topK } = options
  const request = { moment, text, files, command, tool, error, branch, role, agentId, session, topK }
  return previewRecall(await openSelectedStore(options, io), { ...request, now: Date.now() })
}

async function recallForQuestion(text: string, options: RecallOptions, io: CliContext): Promise<RecallAnswer> {
  const { recallMemories } = await import('../../broker/search/recallMemories.ts')
  const { estimateTokens } = await import('../../text/excerpt.ts')
  const store = await openSyncedStore(options, io)
  const { file: files, command, error, branch, task: taskId, role, limit: topK } = options
  const request = { moment: 'ask', text, files, command, error, branch, taskId, role, topK } as const
  const { next: _, ...result } = recallMemories(store, { ...request, now: Date.now() })
  return { moment: 'ask', ...result, tokens: estimateTokens(result.text) }
}

/** What would be injected, or with a ranking model the score of each memory. */
function formatRecall(recall: RecallAnswer, model: RankingModel | undefined, terminal: Terminal): string[] {
  const { palette, columns, shortId } = terminal
  const rules = recall.rules?.flatMap(formatExclusionRule) ?? []
  const excluded = rules.length === 0 ? [] : ['Excluded, because it never helped:', ...rules.map((line) => `  ${line}`)]
  const sources = recall.shown.map(({ memory }) => `${memory.kind} ${shortId(memory.id)}`)
  const from = sources.length === 0 || model ? [] : ['', ...wrapText(`From: ${sources.join(', ')}`, columns)]
  const after = [...from.map(palette.dim), ...describeHook(recall).map(palette.dim), ...excluded]
  if (recall.text === '') return ['Nothing would be injected.', ...after]
  const lines = recall.text.split('\n').map(sanitizeForTerminal)
  // What a hook injects is printed as it is.
  if (!model) return [...(recall.moment === 'ask' ? lines.flatMap((line) => wrapText(line, columns)) : lines), ...after]
  const shown = recall.shown.flatMap(({ memory, score, features }) => [
    `${palette.bold(formatNumber(score))} ${translate(memory.kind)} ${palette.dim(shortId(memory.id))}`,
    ...indentText(memory.content, columns),
    ...formatBreakdown(features, model, columns - 4, palette.dim).map((line) => `    ${line}`),
    '',
  ])
  return [...shown, ...after]
}

/** What only a hook's moment has. */
function describeHook({ event, text, tokens, blocks, message, silent, withholdShare = 0 }: RecallAnswer): string[] {
  if (event === undefined) return []
  const shown = message === undefined ? '' : ` The person sees "${message.split('\n')[0]}".`
  const held = withholdShare > 0 ? ` Of such recalls ${formatNumber(100 * withholdShare)} % are withheld.` : ''
  return [
    ...(silent === undefined ? [] : [`The hook of ${event} does not search: ${silent}.`]),
    ...(text === ''
      ? []
      : ['', `${event}${blocks ? ', which blocks the call once' : ''}: ${tokens} tokens.${shown}${held}`]),
  ]
}
