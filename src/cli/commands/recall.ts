// memctl recall: what a hook would inject now, or what a question finds. It records nothing.
import { type Command, Option } from 'commander'
import { hideSecrets } from '../../broker/commands/newMemory.ts'
import type { HookMoment, RecallPreview } from '../../broker/handlers/previewRecall.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { selectRankingModel } from '../../model/rankingScore.ts'
import { RECALL_MOMENTS, type RecallMoment, UNRANKED_FEATURE } from '../../model/recallQuery.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatNumber } from '../../report/formatNumber.ts'
import { explainNote, formatBreakdown } from '../../report/noteReason.ts'
import { translate } from '../../report/translation.ts'
import { type CliContext, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import {
  collect,
  integerOption,
  openSelectedStore,
  openSyncedStore,
  openToolContext,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import { formatExclusionRule, formatKnowledge, indentText } from '../format/memoryText.ts'

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
    .option('--explain', 'show why: each score as feature × weight; of an entry its author and triggers')
    .action(async (words: readonly string[], options: RecallOptions) => {
      const { moment } = options
      const answer =
        moment === 'ask'
          ? await recallForQuestion(words.join(' '), options, io)
          : await recallForHook(moment, words.join(' '), options, io)
      const reasons = options.explain ? await readReasons(await openSelectedStore(options, io), moment) : undefined
      const named = answer.shown.map(({ memory }) => memory)
      printResult(withKnownIds(io, named), options.json, answer, (recall, terminal) =>
        formatRecall(recall, reasons, terminal),
      )
    })
}

/** What explains why something is shown: the weights of the moment, and the memories of this project. */
type Reasons = Awaited<ReturnType<typeof readReasons>>

async function readReasons(store: Store, moment: RecallMoment) {
  const { readActivePolicy } = await import('../../broker/policy/activePolicy.ts')
  const { openLiveStore } = await import('../../broker/live/liveStore.ts')
  const memories = openLiveStore(store).memories()
  return { model: selectRankingModel(readActivePolicy(store).policy.recall, moment), memories }
}

/** What the hook would inject, from its own handler. Entry files are not read again: the hook does not either. */
async function recallForHook(
  moment: HookMoment,
  text: string,
  options: RecallOptions,
  io: CliContext,
): Promise<RecallAnswer> {
  const { previewRecall } = await import('../../broker/handlers/previewRecall.ts')
  const { findSessionByPrefix } = await import('../../broker/queries/browse.ts')
  const store = await openSelectedStore(options, io)
  const { file: files, command, tool, error, branch, role, agent: agentId, limit: topK } = options
  const session = options.session === undefined ? undefined : findSessionByPrefix(store, options.session)
  const request = { moment, text, files, command, tool, error, branch, role, agentId, session, topK }
  return previewRecall(store, { ...request, now: Date.now() })
}

async function recallForQuestion(text: string, options: RecallOptions, io: CliContext): Promise<RecallAnswer> {
  const { recallMemories } = await import('../../broker/search/recallMemories.ts')
  const { estimateTokens } = await import('../../text/excerpt.ts')
  const { findForms } = await import('../../tools/everyday/question.ts')
  const store = await openSyncedStore(options, io)
  // As memory_search does: ビルド finds what names `npm run build`.
  const forms = await findForms(text, await openToolContext(options, io))
  const words = [text, ...new Set([...forms.values()].flat())].join(' ')
  const { file: files, command, error, branch, task: taskId, role, limit: topK } = options
  const request = { moment: 'ask', text: words, files, command, error, branch, taskId, role, topK } as const
  const { next: _, ...result } = recallMemories(store, { ...request, now: Date.now() })
  return { moment: 'ask', ...result, tokens: estimateTokens(result.text) }
}

/** What would be injected, or with reasons why each memory would be. */
function formatRecall(recall: RecallAnswer, reasons: Reasons | undefined, terminal: Terminal): string[] {
  const { palette, shortId } = terminal
  const rules = recall.rules?.flatMap(formatExclusionRule) ?? []
  const excluded = rules.length === 0 ? [] : ['Excluded, because it never helped:', ...rules.map((line) => `  ${line}`)]
  const sources = recall.shown.map(({ memory }) => `${memory.kind} ${shortId(memory.id)}`)
  const from = sources.length === 0 || reasons ? [] : ['', `From: ${sources.join(', ')}`]
  const after = [...from.map(palette.dim), ...describeHook(recall).map(palette.dim), ...excluded]
  if (recall.text === '') return ['Nothing would be injected.', ...after]
  const lines = hideSecrets(recall.text).split('\n').map(sanitizeForTerminal)
  // What a hook injects is printed as it is.
  if (!reasons) return [...lines, ...after]
  return [...recall.shown.flatMap((shown) => [...formatReason(shown, recall.moment, reasons, terminal), '']), ...after]
}

/** A memory with the parts of its score; an entry, which has none, with its author, triggers and record. */
function formatReason(
  { memory, score, features }: RecallAnswer['shown'][number],
  moment: RecallMoment,
  { model, memories }: Reasons,
  terminal: Terminal,
): string[] {
  const { palette, columns, shortId } = terminal
  const known = memories.get(memory.id)
  const name = `${translate(known?.knowledge?.type ?? memory.kind)} ${palette.dim(shortId(memory.id))}`
  const text = indentText(memory.content, columns)
  const indent = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`)
  if (!(UNRANKED_FEATURE in features)) {
    const parts = formatBreakdown(features, model, columns - 4, palette.dim)
    return [`${palette.bold(formatNumber(score))} ${name}`, ...text, ...indent(parts)]
  }
  // Only what a person says is shown in other projects.
  const why = known ? explainNote({ features, moment, score, memory: known }, model) : 'said for all projects'
  return [name, ...text, ...indent([translate(why), ...(known ? formatKnowledge(known, terminal) : [])])]
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
