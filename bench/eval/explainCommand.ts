// eval explain: one question, every candidate, every feature with its weight. Of a store, or of one question of a labelled set.
import type { Command } from 'commander'
import type { Standing } from '../../src/broker/search/ask.ts'
import { aboutStore, type StoreOptions, storeGiven, wholeNumber } from '../../src/cli/given.ts'
import { type Io, type Page, tell } from '../../src/cli/io.ts'
import { MemoryError } from '../../src/model/errors.ts'
import { type Policy, weighing } from '../../src/model/policy.ts'
import { numberText, signedText } from '../../src/report/amount.ts'
import { type Part, partsOf } from '../../src/report/breakdown.ts'
import { clipped, plain, wrapped } from '../../src/report/width.ts'

interface Words extends StoreOptions {
  readonly corpus?: string
  readonly queries?: string
  readonly id?: string
  readonly limit: number
}

interface Explained {
  readonly query: string
  readonly candidates: readonly {
    readonly id: string
    readonly score: number
    /** Whether the labels say that it answers the question; absent where there are none. */
    readonly relevant?: boolean
    readonly content: string
    readonly features: Standing['features']
    /** What counted, the greatest first. */
    readonly parts: readonly Part[]
  }[]
}

export function registerExplain(evaluate: Command, io: Io): void {
  aboutStore(evaluate.command('explain').description('one question, every candidate, every feature and its weight'))
    .argument('[cue...]', 'words asked of the store')
    .option('--corpus <file>', 'instead of a store: a labelled corpus')
    .option('--queries <file>', 'and its questions')
    .option('--id <id>', 'and which of them')
    .option('--limit <n>', 'candidates told', wholeNumber(1), 50)
    .action(async (cue: readonly string[], words: Words) => {
      const explained =
        words.corpus === undefined ? await ofStore(cue.join(' '), words, io) : await ofLabelled(words, io)
      tell(io, words.json, explained, rendered)
    })
}

async function ofStore(query: string, words: Words, io: Io): Promise<Explained> {
  if (query === '') throw missing('There is no question to explain')
  const [{ standings }, { servingPolicy }] = await Promise.all([
    import('../../src/broker/search/ask.ts'),
    import('../../src/broker/policy/served.ts'),
  ])
  const store = await storeGiven(words, io)
  const { policy } = servingPolicy(store)
  const candidates = standings(store, { text: query, now: Date.now() }).slice(0, words.limit)
  return { query, candidates: candidates.map((one) => ({ ...told(one, policy), id: one.id })) }
}

async function ofLabelled({ corpus, queries, id, limit }: Words, io: Io): Promise<Explained> {
  if (queries === undefined || id === undefined) throw missing('A corpus needs its questions and which one is meant')
  const [{ corpusIn, queriesIn }, { asked, withConversations }, { servingPolicy }] = await Promise.all([
    import('./labelledFiles.ts'),
    import('./conversations.ts'),
    import('../../src/broker/policy/served.ts'),
  ])
  const query = queriesIn(queries, io.cwd).find((one) => one.id === id)
  if (!query) throw missing(`${queries} has no question ${id}`)
  const own = corpusIn(corpus!, io.cwd).filter(({ conv }) => conv === query.conv)
  let candidates: Explained['candidates'] = []
  await withConversations(own, Date.now(), (conversation) => {
    const { policy } = servingPolicy(conversation.store)
    candidates = asked(conversation, query, limit).map((one) => {
      const line = conversation.ids.get(one.id)!
      return { ...told(one, policy), id: line, relevant: query.relevant.includes(line) }
    })
  })
  return { query: query.query, candidates }
}

const told = ({ score, features, memory }: Standing, policy: Policy) => ({
  ...{ score, features, content: memory().content, parts: partsOf(features, weighing(policy.recall, 'ask')) },
})

const missing = (what: string): MemoryError =>
  new MemoryError('USAGE', what, {
    mend: 'Give words, and --store or --project; or --corpus, --queries and --id of one question.',
  })

function rendered({ query, candidates }: Explained, { palette, columns }: Page): string[] {
  if (candidates.length === 0) return [`Nothing was found for: ${plain(query)}`]
  return candidates.flatMap(({ id, score, relevant, content, parts }, i) => [
    clipped(
      `${String(i + 1).padStart(3)} ${palette.bold(numberText(score))} ${relevant ? palette.green('✓ ') : ''}${palette.dim(id)} ${plain(content)}`,
      columns,
    ),
    ...wrapped(
      parts
        .map((one) => `${one.feature} ${numberText(one.value)}×${numberText(one.weight)}=${signedText(one.part)}`)
        .join('  '),
      columns - 4,
    ).map((line) => `    ${line}`),
  ])
}
