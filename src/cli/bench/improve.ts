// bench improve: whether learning helps, and whether noise does nothing. On recorded sessions, and on conversations left out in turn.
import path from 'node:path'
import type { Lesson } from '../../broker/lessons.ts'
import { corpusIn, queriesIn } from '../eval/labelledFiles.ts'
import { learnedOf, lessonsOf, takeLearned } from '../eval/learn.ts'
import { evaluated, type Learning, projectsIn } from '../eval/recordings.ts'
import { asked, withConversations } from '../eval/retrieval.ts'
import type { Bench, Difference, SessionLabel } from './labels.ts'
import { seeded } from './seeded.ts'

/** One line of the table. */
export interface ImproveRow {
  readonly set: 'recordings' | 'locomo'
  readonly what: string
  /** gnDCG@10 or nDCG@10, in percent; the mean of the seeds. */
  readonly value: number
  /** R@5 and R@10, in percent. */
  readonly recall?: readonly [number, number]
  /** Against the first line of its set. */
  readonly against?: Difference
}

/** The share of the sessions after which what is frozen learns no more, and from which on sessions are scored. */
const TUNED = 0.3

type Scores = Readonly<Record<string, number>>

/** Frozen after 30 % of the sessions, against what goes on learning; the last 70 % are scored. */
export function benchRecordings(
  shared: string,
  bench: Bench,
  seeds: number,
  onRun: (what: string) => void,
): ImproveRow[] {
  const folder = path.join(shared, 'recordings', 'cli')
  const labels = bench.labelsOf([folder])
  const [project] = projectsIn([folder], shared)
  const starts = project!.recordings.map(({ payloads }) => payloads[0]!.at).sort((a, b) => a - b)
  const from = starts[Math.floor(TUNED * starts.length)]!
  const late = labels.filter(({ start }) => Date.parse(start) >= from)
  const scored = (what: string, learning: Learning): Scores[] => {
    onRun(`recordings, ${what}`)
    const lines = evaluated(project!, () => undefined, learning)
    const ranked = new Map(lines.flatMap((line) => (line.type === 'session' ? [[line.session_id, line.ranked]] : [])))
    const idsOf = ({ session_id }: SessionLabel) => (ranked.get(session_id) ?? []).map((one) => one.session_id)
    return late.map((label) => ({ value: bench.graded(idsOf(label), label.gain) }))
  }
  const frozen = scored('frozen', { feedback: { kind: 'real' }, seed: 1, until: TUNED })
  const rows: ImproveRow[] = [
    { set: 'recordings', what: `frozen after ${100 * TUNED} %`, value: percent(frozen, 'value') },
  ]
  const variants = [
    { what: 'learning', feedback: { kind: 'real' }, seeds: 1 },
    { what: 'learning, 20 % flipped', feedback: { kind: 'flipped', share: 0.2 }, seeds },
    { what: 'learning, shuffled', feedback: { kind: 'shuffled' }, seeds },
  ] as const
  for (const { what, feedback, seeds: runs } of variants) {
    const all = Array.from({ length: runs }, (_, i) => scored(`${what}, seed ${i + 1}`, { feedback, seed: i + 1 }))
    const mean = late.map((_, i) => ({ value: all.reduce((sum, run) => sum + run[i]!['value']!, 0) / runs }))
    rows.push({ set: 'recordings', what, value: percent(mean, 'value'), against: bench.paired(frozen, mean, 'value') })
  }
  return rows
}

/** Each conversation asked with what was learned from the others, against the shipped policy. Questions without an answer are not scored. */
export async function benchConversations(
  shared: string,
  bench: Bench,
  now: number,
  onRun: (what: string) => void,
): Promise<ImproveRow[]> {
  const folder = path.join(shared, 'bench', 'locomo')
  const corpus = corpusIn(path.join(folder, 'corpus.jsonl'), shared)
  const all = queriesIn(path.join(folder, 'queries.jsonl'), shared)
  const answerable = all.filter(({ relevant, category }) => relevant.length > 0 && category !== 'adversarial')
  onRun('conversations, as shipped')
  const lessons = await lessonsOf(corpus, all, now)
  const convOf = new Map(all.map(({ id, conv }) => [id, conv]))
  const scores = async (learned?: (conv: string) => string): Promise<Scores[]> => {
    const found = new Map<string, Scores>()
    await withConversations(corpus, now, (conversation) => {
      if (learned) takeLearned(conversation, learned(conversation.conv), now)
      for (const query of answerable) {
        if (query.conv !== conversation.conv) continue
        const ids = asked(conversation, query, 50).map(({ id }) => conversation.ids.get(id)!)
        found.set(query.id, bench.binary(ids, query.relevant))
      }
    })
    return answerable.map(({ id }) => found.get(id)!)
  }
  const shipped = await scores()
  const row = (what: string, some: readonly Scores[]): ImproveRow => ({
    ...{ set: 'locomo', what, value: percent(some, 'nDCG@10') },
    recall: [percent(some, 'R@5'), percent(some, 'R@10')],
  })
  const rows = [row('as shipped', shipped)]
  const variants: readonly (readonly [string, (others: readonly Lesson[]) => readonly Lesson[]])[] = [
    ['50 questions of four others', (others) => drawn(others, 50)],
    ['the same, shuffled', (others) => shuffled(drawn(others, 50), convOf)],
    ['all questions of four others', (others) => others],
    ['the same, shuffled', (others) => shuffled(others, convOf)],
  ]
  for (const [what, of] of variants) {
    onRun(`conversations, ${what}`)
    const some = await scores((conv) => learnedOf(of(lessons.filter(({ id }) => convOf.get(id) !== conv)), now))
    rows.push({ ...row(what, some), against: bench.paired(shipped, some, 'nDCG@10') })
  }
  return rows
}

/** Some of the lessons in which something helped, the same ones every time. */
function drawn(lessons: readonly Lesson[], count: number): Lesson[] {
  const chance = seeded(1)
  const keyed = lessons.filter(({ helped }) => helped.length > 0).map((lesson) => ({ lesson, key: chance.next() }))
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ lesson }) => lesson)
}

/** Each with the answers of another of the same conversation. */
function shuffled(lessons: readonly Lesson[], convOf: ReadonlyMap<string, string>): Lesson[] {
  const dealt = new Map<string, Lesson['helped'][]>()
  for (const { id, helped } of drawn(lessons, lessons.length)) {
    const conv = convOf.get(id)!
    dealt.set(conv, [...(dealt.get(conv) ?? []), helped])
  }
  return lessons.map((lesson) => ({ ...lesson, helped: dealt.get(convOf.get(lesson.id)!)?.pop() ?? [] }))
}

const percent = (rows: readonly Scores[], key: string): number =>
  Math.round((10_000 * rows.reduce((sum, row) => sum + row[key]!, 0)) / rows.length) / 100
