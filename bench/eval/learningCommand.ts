// eval learning: is what is injected of more use per token if memctl learns? Replays labelled projects with learning,
// without it, and with verdicts given to the wrong memories, and counts the notes that were followed beyond chance.
import path from 'node:path'
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { formatTable } from '../../src/report/formatTable.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import {
  findLabels,
  type LabelledOptions,
  replay,
  runScorer,
  selectProjects,
  withLabelledOptions,
} from './notesCommand.ts'

interface LearningOptions extends LabelledOptions {
  readonly seeds: number
}

interface LearningRow {
  readonly project: string
  readonly run: string
  /** A quarter of the characters that were injected. */
  readonly tokens: number
  readonly followed: number
  readonly byChance: number
  /** Notes followed beyond chance in 1,000 tokens. */
  readonly rate: number
  /** Against the frozen run: the change of the rate, and the share of its followed notes; absent for that run. */
  readonly change?: number
  readonly kept?: number
}

export function registerLearning(evaluate: Command, io: CliContext): void {
  const command = evaluate
    .command('learning')
    .description('compare the notes that are followed with learning, without it, and with shuffled feedback')
    .option('--seeds <n>', 'runs with shuffled feedback', integerOption(1), 1)
  withLabelledOptions(command).action(async (options: LearningOptions) => {
    const { shared, projects } = selectProjects(options, io)
    if (projects.length === 0) return
    const rows: LearningRow[] = []
    for (const name of projects) rows.push(...(await measureProject(shared, name, options, io)))
    printResult(io, options.json, { rows }, (result, { columns }) => formatRows(result.rows, columns))
  })
}

async function measureProject(
  shared: string,
  project: string,
  options: LearningOptions,
  io: CliContext,
): Promise<LearningRow[]> {
  const measure = (run: string, ...more: readonly string[]) => measureRun({ shared, project, run, more }, options, io)
  const frozen = await measure('frozen', '--frozen')
  const compare = (row: LearningRow): LearningRow => ({
    ...row,
    change: row.rate / frozen.rate - 1,
    kept: row.followed / frozen.followed,
  })
  const rows = [frozen, compare(await measure('learning'))]
  for (let seed = 1; seed <= options.seeds; seed++)
    rows.push(compare(await measure(`shuffled ${seed}`, '--shuffle-feedback', String(seed))))
  return rows
}

interface Run {
  readonly shared: string
  readonly project: string
  readonly run: string
  readonly more: readonly string[]
}

async function measureRun({ shared, project, run, more }: Run, options: LearningOptions, io: CliContext) {
  const recordings = path.join(shared, 'recordings', project)
  using home = createTempHome('learning')
  const file = path.join(home.path, 'run.jsonl')
  const folders = ['--project', path.join(home.path, project), '--store', path.join(home.path, 'store')]
  await replay([recordings, ...folders, '--injected', file, ...more], options, io)
  const labels = findLabels(shared, project) ?? ''
  const scorer = path.join(shared, 'bench', 'notes.mjs')
  const words = ['score', '--recordings', recordings, '--labels', labels, '--run', file, '--json']
  const scores = JSON.parse(runScorer(scorer, words)) as Readonly<Record<string, number>>
  const named = scores['notes that name a file or command'] ?? 0
  const countOf = (name: string): number => Math.round(((scores[name] ?? 0) / 100) * named)
  const [tokens, followed, byChance] = [
    scores['tokens in all'] ?? 0,
    countOf('followed %'),
    countOf('followed by chance %'),
  ]
  return { project, run, tokens, followed, byChance, rate: (1000 * (followed - byChance)) / tokens }
}

function formatRows(rows: readonly LearningRow[], columns: number): string[] {
  const right = (head: string) => ({ head, align: 'right' as const })
  const layout = [
    'project',
    'run',
    ...['tokens', 'followed', 'by chance', 'beyond, per 1,000 tokens', 'change %', 'kept %'].map(right),
  ]
  const percent = (share: number | undefined): string => (share === undefined ? '' : (100 * share).toFixed(1))
  const cells = rows.map(({ project, run, tokens, followed, byChance, rate, change, kept }) => [
    ...[project, run, String(tokens), String(followed), String(byChance), rate.toFixed(3)],
    ...[percent(change), percent(kept)],
  ])
  return formatTable(layout, cells, columns)
}
