// eval fit and eval ablation: fits the weights for questions, and measures the contribution of each.
import type { Command } from 'commander'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { type CliContext, printResult, type Terminal } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { FEATURES, QUESTION_FEATURES, selectRankingModel } from '../../src/model/rankingScore.ts'
import { formatNumber } from '../../src/report/formatNumber.ts'
import { formatTable } from '../../src/report/formatTable.ts'
import { askEach, rankFor } from './conversations.ts'
import { evaluationProgress, type OutputOptions, withOutputOptions } from './evalOptions.ts'
import { type FeatureWeights, fitWeights, type LabelledCandidates, measureRanking } from './fitWeights.ts'
import { readCorpus, readQueries } from './labelledFiles.ts'
import { generateDialogues } from './syntheticDialogues.ts'

interface WeightOptions extends OutputOptions {
  readonly corpus?: string
  readonly queries?: string
  readonly except?: string
  readonly talks: number
  readonly seed: number
}

type Quality = ReturnType<typeof measureRanking>

/** The features that labelled text can train. It has no files, commands and errors, and no history of use. */
const FITTED = ['words', 'window', 'session', ...QUESTION_FEATURES]

/** The initial weights: a memory's own words, and those of its neighbours. */
const INITIAL: Readonly<FeatureWeights> = { words: 0.2, window: 0.6 }

/** Every third dialogue is in the test set. */
const TEST_EVERY = 3

export function registerWeights(evaluate: Command, io: CliContext): void {
  const command = (name: string, description: string): Command =>
    withOutputOptions(
      evaluate
        .command(name)
        .description(description)
        .option('--corpus <file>', 'a labelled corpus (default: synthetic dialogues)')
        .option('--queries <file>', 'the questions of the corpus')
        .option('--except <category>', 'leave out the questions of a category')
        .option('--talks <n>', 'the number of dialogues to generate', integerOption(3), 12)
        .option('--seed <n>', 'the random seed of the dialogues', integerOption(0), 1),
    )
  command('fit', 'fit the weights for questions on two of three dialogues and test them on the third').action(
    (options: WeightOptions) => printResult(io, options.json, fitAndTest(candidatesFor(options, io)), fitLines),
  )
  command('ablation', 'measure what recall of questions loses without each feature').action((options: WeightOptions) =>
    printResult(io, options.json, ablate(candidatesFor(options, io)), ablationLines),
  )
}

/** The candidates of each question that has an answer, as the store's own recall ranks them. */
function candidatesFor(options: WeightOptions, io: CliContext): readonly LabelledCandidates[] {
  const { corpus, queries } =
    options.corpus !== undefined && options.queries !== undefined
      ? { corpus: readCorpus(options.corpus, io.cwd), queries: readQueries(options.queries, io.cwd) }
      : generateDialogues(options.talks, options.seed)
  const selected = queries.filter(
    ({ category, relevant }) => relevant.length > 0 && (category === undefined || category !== options.except),
  )
  const collected: LabelledCandidates[] = []
  const bar = evaluationProgress(io, selected.length, options)
  try {
    askEach({ corpus, queries: selected }, Date.now(), (conversation, query) => {
      const { conv, relevant } = query
      const candidates = rankFor(conversation, query, 0).map(({ id, features }) => ({
        features,
        relevant: relevant.includes(conversation.ids.get(id)!),
      }))
      collected.push({ conv, candidates, relevantCount: relevant.length })
      bar.advance(conv)
    })
  } finally {
    bar.clear()
  }
  return collected
}

interface Fit {
  readonly weights: FeatureWeights
  readonly training: Quality
  readonly test: Quality
  /** The test with the initial weights. */
  readonly initial: Quality
}

function fitAndTest(questions: readonly LabelledCandidates[]): Fit {
  const convs = [...new Set(questions.map(({ conv }) => conv))]
  const testConvs = new Set(convs.filter((_, i) => i % TEST_EVERY === TEST_EVERY - 1))
  const training = questions.filter(({ conv }) => !testConvs.has(conv))
  const test = questions.filter(({ conv }) => testConvs.has(conv))
  const initial = Object.fromEntries(FITTED.map((name) => [name, INITIAL[name] ?? 0]))
  const weights = fitWeights(training, initial, FITTED)
  return {
    weights: rounded(weights),
    training: measureRanking(training, weights),
    test: measureRanking(test, weights),
    initial: measureRanking(test, initial),
  }
}

const fitLines = ({ weights, test, initial }: Fit, { columns, palette }: Terminal): string[] => [
  ...formatTable(
    ['feature', { head: 'weight', align: 'right' }],
    Object.entries(weights).map(([name, value]) => [name, formatNumber(value)]),
    columns,
    palette.bold,
  ),
  `On the test dialogues: nDCG@10 ${test.ndcg10.toFixed(2)}, before fitting ${initial.ndcg10.toFixed(2)}.`,
]

interface Ablation {
  readonly questions: number
  readonly whole: Quality
  readonly without: readonly { readonly feature: string; readonly weight: number; readonly gain: Quality }[]
}

/** Each feature's gain: the quality with it minus the quality without it, in points. */
function ablate(questions: readonly LabelledCandidates[]): Ablation {
  const weights: FeatureWeights = { ...selectRankingModel(DEFAULT_POLICY.recall, 'ask').weights }
  const whole = measureRanking(questions, weights)
  const without = [...FEATURES, ...QUESTION_FEATURES]
    .filter((name) => weights[name] !== 0)
    .map((feature) => {
      const rest = measureRanking(questions, { ...weights, [feature]: 0 })
      const gain = { r5: whole.r5 - rest.r5, r10: whole.r10 - rest.r10, ndcg10: whole.ndcg10 - rest.ndcg10 }
      return { feature, weight: weights[feature]!, gain }
    })
  return { questions: questions.length, whole, without: without.sort((a, b) => b.gain.ndcg10 - a.gain.ndcg10) }
}

function ablationLines({ questions, whole, without }: Ablation, { columns, palette }: Terminal): string[] {
  const points = (value: number): string => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(2)}`
  const rows = without.map(({ feature, weight, gain }) => [
    feature,
    formatNumber(weight),
    points(gain.r5),
    points(gain.r10),
    points(gain.ndcg10),
  ])
  const right = ['weight', 'R@5', 'R@10', 'nDCG@10'].map((head) => ({ head, align: 'right' as const }))
  return [
    ...formatTable(['gain of', ...right], rows, columns, palette.bold),
    `With all features, ${questions} questions: R@5 ${whole.r5.toFixed(2)}, R@10 ${whole.r10.toFixed(2)}` +
      `, nDCG@10 ${whole.ndcg10.toFixed(2)}.`,
  ]
}

const rounded = (weights: Readonly<FeatureWeights>): FeatureWeights =>
  Object.fromEntries(Object.entries(weights).map(([name, value]) => [name, Math.round(value * 100) / 100]))
