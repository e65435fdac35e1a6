// eval explain: all candidates for one question, with features and weights; in a store or in a labelled set.
import type { Command } from 'commander'
import { readActivePolicy } from '../../src/broker/policy/activePolicy.ts'
import { type CliContext, printResult, type Terminal } from '../../src/cli/context/cliContext.ts'
import {
  integerOption,
  openSelectedStore,
  type StoreOptions,
  withStoreOptions,
} from '../../src/cli/context/storeOption.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import type { Policy } from '../../src/model/policy.ts'
import { selectRankingModel } from '../../src/model/rankingScore.ts'
import { clipText, sanitizeForTerminal, wrapText } from '../../src/report/fitText.ts'
import { formatNumber, formatSigned } from '../../src/report/formatNumber.ts'
import { listScoreParts, type ScorePart } from '../../src/report/noteReason.ts'
import { askEach, rankFor } from './conversations.ts'
import { readCorpus, readQueries } from './labelledFiles.ts'
import { type RankedCandidate, rankQuestion } from './rankQuestion.ts'

interface ExplainOptions extends StoreOptions {
  readonly corpus?: string
  readonly queries?: string
  readonly id?: string
  readonly limit: number
}

interface ExplainedCandidate {
  readonly id: string
  readonly score: number
  /** Whether it answers the question, by the labels; absent without labels. */
  readonly relevant?: boolean
  readonly content: string
  readonly features: RankedCandidate['features']
  /** The parts of the score, the largest first. */
  readonly parts: readonly ScorePart[]
}

interface Explanation {
  readonly query: string
  readonly candidates: readonly ExplainedCandidate[]
}

export function registerExplain(evaluate: Command, io: CliContext): void {
  withStoreOptions(
    evaluate.command('explain').description('show all candidates for one question, with every feature and its weight'),
  )
    .argument('[cue...]', 'the question')
    .option('--corpus <file>', 'a labelled corpus to search instead of a store')
    .option('--queries <file>', 'the questions of the corpus')
    .option('--id <id>', 'the id of the question')
    .option('--limit <n>', 'candidates shown', integerOption(1), 50)
    .action(async (words: readonly string[], options: ExplainOptions) => {
      const explanation =
        options.corpus === undefined
          ? await explainStore(words.join(' '), options, io)
          : explainLabelled(options.corpus, options, io)
      printResult(io, options.json, explanation, explanationLines)
    })
}

async function explainStore(query: string, options: ExplainOptions, io: CliContext): Promise<Explanation> {
  if (query === '') throw usage('There is no question to explain')
  const store = await openSelectedStore(options, io)
  const { policy } = readActivePolicy(store)
  const candidates = rankQuestion(store, { text: query, now: Date.now() }).slice(0, options.limit)
  return { query, candidates: candidates.map((candidate) => ({ ...explain(candidate, policy), id: candidate.id })) }
}

function explainLabelled(corpus: string, { queries, id, limit }: ExplainOptions, io: CliContext): Explanation {
  if (queries === undefined || id === undefined) throw usage('A corpus needs --queries and --id')
  const query = readQueries(queries, io.cwd).find((line) => line.id === id)
  if (!query) throw usage(`${queries} has no question ${id}`)
  let candidates: Explanation['candidates'] = []
  askEach({ corpus: readCorpus(corpus, io.cwd), queries: [query] }, Date.now(), (conversation) => {
    const { policy } = readActivePolicy(conversation.store)
    candidates = rankFor(conversation, query, limit).map((candidate) => {
      const line = conversation.ids.get(candidate.id)!
      return { ...explain(candidate, policy), id: line, relevant: query.relevant.includes(line) }
    })
  })
  return { query: query.query, candidates }
}

const explain = ({ score, features, memory }: RankedCandidate, policy: Policy): Omit<ExplainedCandidate, 'id'> => ({
  score,
  features,
  content: memory.content,
  parts: listScoreParts(features, selectRankingModel(policy.recall, 'ask')),
})

const usage = (problem: string): MemoryError =>
  new MemoryError('USAGE', problem, {
    hint: 'Give the words of a question, and --store or --project; or --corpus, --queries and the --id of one question.',
  })

function explanationLines({ query, candidates }: Explanation, { palette, columns }: Terminal): string[] {
  if (candidates.length === 0) return [`Nothing was found for: ${sanitizeForTerminal(query)}`]
  return candidates.flatMap(({ id, score, relevant, content, parts }, i) => [
    clipText(
      `${String(i + 1).padStart(3)} ${palette.bold(formatNumber(score))} ` +
        `${relevant ? palette.green('✓ ') : ''}${palette.dim(id)} ${sanitizeForTerminal(content)}`,
      columns,
    ),
    ...wrapText(parts.map(partText).join('  '), columns - 4).map((line) => `    ${line}`),
  ])
}

const partText = ({ feature, value, weight, part }: ScorePart): string =>
  `${feature} ${formatNumber(value)}×${formatNumber(weight)}=${formatSigned(part)}`
