// eval fit and eval ablation: where the weights for questions come from, and what each of them is worth.
import type { Command } from 'commander'
import { wholeNumber } from '../../src/cli/given.ts'
import { type Io, type Page, tell } from '../../src/cli/io.ts'
import { FEATURES, type Policy, QUESTION_FEATURES } from '../../src/model/policy.ts'
import { numberText } from '../../src/report/amount.ts'
import { paletteFor } from '../../src/report/colour.ts'
import { progressOn } from '../../src/report/progress.ts'
import { table } from '../../src/report/table.ts'
import { type Fitted, fitted, type Lesson, worthOf } from './fitWeights.ts'

interface Words {
  readonly corpus?: string
  readonly queries?: string
  readonly except?: string
  readonly talks: number
  readonly seed: number
  readonly quiet?: boolean
  readonly json?: boolean
}

/** What is fitted: features that labelled text can say something of. Files, commands, errors and a record of helping it has none. */
const FITTED = [...(['words', 'window', 'session'] as const), ...QUESTION_FEATURES]

/** Where fitting begins: a memory with its neighbours, and its own words. */
const BEGIN: Readonly<Fitted> = { words: 0.2, window: 0.6 }

/** One of three talks is kept for looking whether what was learned holds. */
const KEPT_OF = 3

export function registerWeights(evaluate: Command, io: Io): void {
  const command = (name: string, says: string): Command =>
    evaluate
      .command(name)
      .description(says)
      .option('--corpus <file>', 'a labelled corpus (default: talks made up for this)')
      .option('--queries <file>', 'and its questions')
      .option('--except <category>', 'leave out the questions of a category')
      .option('--talks <n>', 'how many talks are made up', wholeNumber(3), 12)
      .option('--seed <n>', 'which ones', wholeNumber(0), 1)
      .option('--quiet', 'no progress bar')
      .option('--json', 'answer as one line of JSON')
  command('fit', 'weights for questions, fitted on two of three talks, tested on the third').action(
    async (words: Words) => {
      const lessons = await lessonsFor(words, io)
      const convs = [...new Set(lessons.map((lesson) => lesson.conv))]
      const kept = new Set(convs.filter((_, i) => i % KEPT_OF === KEPT_OF - 1))
      const told = lessons.filter((lesson) => !kept.has(lesson.conv))
      const test = lessons.filter((lesson) => kept.has(lesson.conv))
      const begin = Object.fromEntries(FITTED.map((name) => [name, BEGIN[name] ?? 0]))
      const weights = fitted(told, begin, FITTED)
      const result = { weights: rounded(weights), told: worthOf(told, weights), test: worthOf(test, weights) }
      tell(io, words.json, { ...result, begun: worthOf(test, begin) }, ({ weights: all, test: worth, begun }, page) => [
        ...table(
          [{ head: 'feature' }, { head: 'weight', side: 'right' }],
          Object.entries(all).map(([name, value]) => [name, numberText(value)]),
          page.columns,
          page.palette.bold,
        ),
        `On the talks kept for it: nDCG@10 ${worth.ndcg10.toFixed(2)}, before fitting ${begun.ndcg10.toFixed(2)}.`,
      ])
    },
  )
  command('ablation', 'what recall loses without each of its features for questions').action(async (words: Words) => {
    const { SHIPPED } = await import('../../src/broker/policy/served.ts')
    tell(io, words.json, ablated(await lessonsFor(words, io), SHIPPED), rendered)
  })
}

async function lessonsFor(words: Words, io: Io): Promise<readonly Lesson[]> {
  const [{ corpusIn, queriesIn }, { lessonsOf }, { madeUpTalks }] = await Promise.all([
    import('./labelledFiles.ts'),
    import('./labelledCandidates.ts'),
    import('./syntheticDialogues.ts'),
  ])
  const given = words.corpus !== undefined && words.queries !== undefined
  const { corpus, queries } = given
    ? { corpus: corpusIn(words.corpus!, io.cwd), queries: queriesIn(words.queries!, io.cwd) }
    : madeUpTalks(words.talks, words.seed)
  const asked = queries.filter((query) => query.category === undefined || query.category !== words.except)
  const bar = progressOn(io.err, paletteFor(io.err, io.env), asked.length, words.quiet || words.json)
  try {
    return await lessonsOf(corpus, asked, Date.now(), (conv) => bar.step(conv))
  } finally {
    bar.end()
  }
}

interface Ablation {
  readonly questions: number
  readonly whole: ReturnType<typeof worthOf>
  readonly without: readonly {
    readonly feature: string
    readonly weight: number
    readonly gain: ReturnType<typeof worthOf>
  }[]
}

/** Each feature's gain: the worth with it minus the worth without it, in points. */
function ablated(lessons: readonly Lesson[], shipped: Policy): Ablation {
  const weights: Fitted = { ...shipped.recall.asked }
  const whole = worthOf(lessons, weights)
  const without = [...FEATURES, ...QUESTION_FEATURES]
    .filter((name) => weights[name] !== 0)
    .map((feature) => {
      const rest = worthOf(lessons, { ...weights, [feature]: 0 })
      const gain = { r5: whole.r5 - rest.r5, r10: whole.r10 - rest.r10, ndcg10: whole.ndcg10 - rest.ndcg10 }
      return { feature, weight: weights[feature]!, gain }
    })
  return { questions: lessons.length, whole, without: without.sort((a, b) => b.gain.ndcg10 - a.gain.ndcg10) }
}

function rendered({ questions, whole, without }: Ablation, { columns, palette }: Page): string[] {
  const points = (value: number): string => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(2)}`
  const rows = without.map(({ feature, weight, gain }) => [
    ...[feature, numberText(weight), points(gain.r5), points(gain.r10), points(gain.ndcg10)],
  ])
  const right = ['weight', 'R@5', 'R@10', 'nDCG@10'].map((head) => ({ head, side: 'right' as const }))
  return [
    ...table([{ head: 'gain of' }, ...right], rows, columns, palette.bold),
    `All together, ${questions} questions: R@5 ${whole.r5.toFixed(2)}, R@10 ${whole.r10.toFixed(2)}, nDCG@10 ${whole.ndcg10.toFixed(2)}.`,
  ]
}

const rounded = (weights: Readonly<Fitted>): Fitted =>
  Object.fromEntries(Object.entries(weights).map(([name, value]) => [name, Math.round(value * 100) / 100]))
