// eval notes: replays labelled projects with learning, without and with the recorded answers of a model, and scores
// what was injected and kept, with the scorer beside the recordings. These and most labels are outside this repository
// (bench/labels has the others); missing data are reported and skipped.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { openStoreAt } from '../../src/broker/open/openStore.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { isAboutFailures } from '../../src/model/knowledge.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { formatTable } from '../../src/report/formatTable.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { runDev } from '../replay/devProgram.ts'
import type { RunLine } from '../replay/injectionRun.ts'
import { type Recording, readRecordings } from '../replay/recordingFiles.ts'
import { type OutputOptions, withOutputOptions } from './evalOptions.ts'

export interface LabelledOptions extends OutputOptions {
  readonly shared?: string
  readonly only?: string
}

interface NotesOptions extends LabelledOptions {
  readonly answers?: string
  readonly from?: string
  readonly until?: string
  readonly policy?: string
  readonly frozen?: boolean
  readonly out?: string
  readonly sheet?: string
  readonly each: number
  readonly seed: number
}

/** The figures of a project, by name; null if there is nothing to count. */
type Figures = Readonly<Record<string, number | string | null>>

export function registerNotes(evaluate: Command, io: CliContext): void {
  const command = evaluate
    .command('notes')
    .description('replay labelled projects and score the notes that were injected and the statements that were kept')
    .option('--answers <dir>', 'the folder with PROJECT/SESSION.json (default: bench/answers of this repository)')
    .option('--from <date>', 'score only sessions that began at this date or later', parseDate)
    .option('--until <date>', 'score only sessions that began before this date', parseDate)
    .option('--policy <name>', 'a built-in policy or a file (default: the default policy)')
    .option('--frozen', 'no learning')
    .option('--out <dir>', 'a folder for the RUN files')
    .option('--sheet <dir>', 'a folder for sheets to grade notes by reading: text and JSON')
    .option('--each <n>', 'texts of each moment in a sheet', integerOption(1), 30)
    .option('--seed <n>', 'the random seed of a sheet', integerOption(0), 1)
  withLabelledOptions(command).action(async (options: NotesOptions) => {
    const { shared, projects } = selectProjects(options, io)
    if (projects.length === 0) return
    for (const folder of [options.out, options.sheet]) {
      if (folder !== undefined) fs.mkdirSync(path.resolve(io.cwd, folder), { recursive: true })
    }
    const figures: [string, Figures][] = []
    const answers = path.resolve(io.cwd, options.answers ?? path.join(readPackageInfo().root, 'bench', 'answers'))
    for (const name of projects) {
      figures.push([name, await measureProject(shared, { name }, options, io)])
      const folder = path.join(answers, name)
      if (fs.existsSync(folder))
        figures.push([`${name}${WITH}`, await measureProject(shared, { name, answers: folder }, options, io)])
    }
    figures.push(...meanFigures(figures))
    printResult(io, options.json, Object.fromEntries(figures), (_result, { columns }) =>
      formatFigures(figures, columns),
    )
  })
}

export const withLabelledOptions = (command: Command): Command =>
  withOutputOptions(command)
    .option('--shared <dir>', 'the folder with bench/ and recordings/ (default: ../shared of this repository)')
    .option('--only <project>', 'only this project')

function parseDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new InvalidArgumentError('Use a date such as 2026-01-15.')
  return new Date(time).toISOString()
}

/** The labelled projects of the options; says so if there are none. */
export function selectProjects({ shared, only, json }: Omit<LabelledOptions, 'quiet'>, io: CliContext) {
  const given = path.resolve(io.cwd, shared ?? path.join(readPackageInfo().root, '..', 'shared'))
  // The real path: the scorer does nothing if it is started through a link.
  const folder = fs.existsSync(given) ? fs.realpathSync(given) : given
  const projects = findLabelledProjects(folder).filter((name) => only === undefined || name === only)
  const skipped = `there is no labelled project in ${folder}; give the folder with --shared DIR.`
  if (projects.length === 0) printResult(io, json, { skipped }, () => [`SKIPPED: ${skipped}`])
  return { shared: folder, projects }
}

/** The folders of recordings that have labels, there or in this repository. */
function findLabelledProjects(shared: string): string[] {
  const recordings = path.join(shared, 'recordings')
  if (!fs.existsSync(path.join(shared, 'bench', 'notes.mjs')) || !fs.existsSync(recordings)) return []
  return fs
    .readdirSync(recordings)
    .filter((name) => findLabels(shared, name) !== undefined)
    .sort()
}

/** The folder with the labels of a project; undefined if it has none. */
export const findLabels = (shared: string, name: string): string | undefined =>
  [path.join(shared, 'bench', 'notes', name), path.join(readPackageInfo().root, 'bench', 'labels', name)].find(
    (folder) => fs.existsSync(folder),
  )

/** Behind the name of a project that was replayed with answers. */
const WITH = ' + answers'

/** The means over projects, if there are several: without and with answers. */
function meanFigures(figures: readonly (readonly [string, Figures])[]): [string, Figures][] {
  return ['', WITH].flatMap((suffix): [string, Figures][] => {
    const own = figures.flatMap(([name, each]) => (name.endsWith(WITH) === (suffix === WITH) ? [each] : []))
    if (own.length < 2) return []
    const means = Object.keys(own[0] ?? {}).map((name) => {
      const values = own.flatMap((each) => (typeof each[name] === 'number' ? [each[name]] : []))
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      return [name, values.length === 0 ? null : Math.round(10 * mean) / 10] as const
    })
    return [[`mean${suffix}`, Object.fromEntries(means)]]
  })
}

interface MeasuredProject {
  readonly name: string
  /** The folder with the answers of a model. */
  readonly answers?: string
}

async function measureProject(
  shared: string,
  { name, answers }: MeasuredProject,
  options: NotesOptions,
  io: CliContext,
): Promise<Figures> {
  const folder = path.join(shared, 'recordings', name)
  const labels = findLabels(shared, name) ?? ''
  using home = createTempHome('notes')
  const out = options.out === undefined ? home.path : path.resolve(io.cwd, options.out)
  const label = answers === undefined ? name : `${name}-answers`
  const run = path.join(out, `${label}.jsonl`)
  const store = path.join(home.path, 'store')
  const words = [folder, '--project', path.join(home.path, name), '--store', store, '--injected', run]
  if (answers === undefined) await replay(words, options, io)
  else await replayWithAnswers(words, { from: answers, to: path.join(home.path, 'answers') }, options, io)
  const recordings = readRecordings([folder], io.cwd)
  const only = selectSessions(recordings, options)
  const ids = path.join(home.path, 'ids.txt')
  fs.writeFileSync(ids, [...only].join('\n'))
  const scorer = path.join(shared, 'bench', 'notes.mjs')
  const common = ['--recordings', folder, '--run', run, '--only', ids]
  const scores = JSON.parse(runScorer(scorer, ['score', ...common, '--labels', labels, '--json'])) as Figures
  if (options.sheet !== undefined) {
    const sheet = path.join(path.resolve(io.cwd, options.sheet), label)
    const drawn = ['--each', String(options.each), '--seed', String(options.seed), '--out', `${sheet}.json`]
    fs.writeFileSync(`${sheet}.txt`, runScorer(scorer, ['sheet', ...common, ...drawn]))
  }
  const { missed: _, ...numbers } = scores
  return { ...numbers, ...countMoments(run, recordings, only), ...countFirings(store, home.path) }
}

export async function replay(args: readonly string[], options: ReplayWords, io: CliContext): Promise<void> {
  // The summary of the replay is not printed, its errors are.
  const status = await runDev(replayWords(args, options), { ...io, out: { write: () => {} } })
  if (status !== 0) throw replayFailed()
}

type ReplayWords = Pick<NotesOptions, 'policy' | 'frozen' | 'quiet' | 'json'>

const replayWords = (args: readonly string[], { policy, frozen, quiet, json }: ReplayWords): string[] => [
  ...['replay', ...args],
  ...(policy ? ['--policy', policy] : []),
  ...(frozen ? ['--frozen'] : []),
  ...(quiet ? ['--quiet'] : []),
  ...(json ? ['--json'] : []),
]

const replayFailed = (): MemoryError =>
  new MemoryError('INPUT_INVALID', 'The replay failed', { hint: 'The line above says why.' })

/** The status of a replay that waits for an answer. */
const WAITING = 3

/** Replays with a copy of the answers. A session without one gets an empty file: it counts as not read. */
async function replayWithAnswers(
  args: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
  options: ReplayWords,
  io: CliContext,
): Promise<void> {
  fs.cpSync(from, to, { recursive: true })
  const words = replayWords([...args, '--answers', to], { ...options, json: true })
  for (;;) {
    let out = ''
    const status = await runDev(words, { ...io, out: { write: (text) => (out += text) } })
    if (status === 0) return
    const waiting = status === WAITING && (JSON.parse(out) as { waiting: { answer: string } }).waiting
    if (!waiting) throw replayFailed()
    fs.writeFileSync(waiting.answer, '')
  }
}

/** Over all entries that calls and failures can show: the share of firings that failed, or broke the rule. */
function countFirings(folder: string, root: string): Figures {
  const { memories } = loadProjection(openStoreAt(folder, root)).projection
  const counts = { learned: { fired: 0, failed: 0 }, wanted: { fired: 0, failed: 0 } }
  for (const { knowledge, searchOnly } of memories.values()) {
    if (!knowledge || searchOnly || !knowledge.when.some(({ at }) => at === 'call' || at === 'failure')) continue
    const count = isAboutFailures(knowledge) ? counts.learned : counts.wanted
    count.fired += knowledge.record.fired
    count.failed += knowledge.record.failed
  }
  const share = ({ fired, failed }: typeof counts.learned) =>
    fired === 0 ? null : Math.round((1000 * failed) / fired) / 10
  return {
    'firings of facts and lessons that failed %': share(counts.learned),
    'firings of wishes that broke them %': share(counts.wanted),
  }
}

/** The sessions that began in the time of the options. */
function selectSessions(recordings: readonly Recording[], { from, until }: NotesOptions): ReadonlySet<string> {
  const begins = new Map<string, number>()
  for (const { at, payload } of recordings.flatMap(({ payloads }) => payloads)) {
    begins.set(payload.session_id, Math.min(at, begins.get(payload.session_id) ?? at))
  }
  const isIn = (at: number) => (!from || at >= Date.parse(from)) && (!until || at < Date.parse(until))
  return new Set([...begins].flatMap(([session, at]) => (isIn(at) ? session : [])))
}

export function runScorer(scorer: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [scorer, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status === 0) return stdout
  throw new MemoryError('INPUT_INVALID', `The scorer failed: ${stderr}`, { hint: `Check ${scorer} and its labels.` })
}

/** The notes of each moment, and the share of prompts that stay silent. */
function countMoments(run: string, recordings: readonly Recording[], only: ReadonlySet<string>): Figures {
  const lines = readLines<RunLine>(run).filter(({ session }) => only.has(session))
  const payloads = recordings.flatMap((recording) => recording.payloads.map(({ payload }) => payload))
  const prompts = payloads.filter((each) => each.hook_event_name === 'UserPromptSubmit' && only.has(each.session_id))
  const injected = lines.flatMap((line) => (line.type === 'injected' ? [line] : []))
  const notes = (moment: string): number =>
    injected.reduce((sum, line) => sum + (line.moment === moment ? line.text.split(/^(?=- )/m).length - 1 : 0), 0)
  const spoken = injected.filter(({ moment }) => moment === 'prompt').length
  return {
    'notes at start / prompt / call / failure / agent': ['start', 'prompt', 'call', 'failure', 'agent']
      .map(notes)
      .join(' / '),
    'silent prompts %': prompts.length === 0 ? null : Math.round(1000 * (1 - spoken / prompts.length)) / 10,
  }
}

const readLines = <Line>(file: string): Line[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)

function formatFigures(figures: readonly (readonly [string, Figures])[], columns: number): string[] {
  const names = [...new Set(figures.flatMap(([, each]) => Object.keys(each)))]
  const layout = ['', ...figures.map(([head]) => ({ head, align: 'right' as const }))]
  const rows = names.map((name) => [name, ...figures.map(([, each]) => String(each[name] ?? '–'))])
  return formatTable(layout, rows, columns)
}
