// bench:recall: every public set and the recorded sessions asked through memctl's own store and recall, scored by the bench's own scorer.
//
//   node bench/recall.mjs [--bench DIR] [--recordings DIR] [--only locomo,recordings,…] [--learn]
//
// The data lie outside this repository (../shared/bench); what is not there is skipped, and said.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '..')
const RUN = path.join(ROOT, 'bench', 'run.mjs')

const { values } = parseArgs({
  options: {
    bench: { type: 'string', default: path.join(ROOT, '..', 'shared', 'bench') },
    recordings: { type: 'string', default: path.join(ROOT, '..', 'shared', 'recordings', 'cli') },
    only: { type: 'string' },
    learn: { type: 'boolean', default: false },
  },
})
// Its true path: the scorer does nothing where it is started by another.
const bench = fs.existsSync(values.bench) ? fs.realpathSync(values.bench) : path.resolve(values.bench)
const scorer = path.join(bench, 'score.mjs')

/** `exclude` and `only` are categories; bars are [R@5, R@10, nDCG@10]. */
const SETS = [
  {
    name: 'locomo',
    corpus: 'locomo/corpus.jsonl',
    queries: 'locomo/queries.jsonl',
    exclude: 'adversarial',
    bars: [66, 74, 57],
  },
  {
    name: 'locomo adversarial',
    corpus: 'locomo/corpus.jsonl',
    queries: 'locomo/queries.jsonl',
    only: 'adversarial',
    bars: [undefined, 82],
  },
  {
    name: 'jsquad',
    corpus: 'japanese/jsquad-corpus.jsonl',
    queries: 'japanese/jsquad-queries.jsonl',
    bars: [undefined, undefined, 95],
  },
  {
    name: 'jsts',
    corpus: 'japanese/jsts-corpus.jsonl',
    queries: 'japanese/jsts-queries.jsonl',
    bars: [undefined, undefined, 78],
  },
  {
    name: 'scifact',
    corpus: 'scifact/corpus.jsonl.gz',
    queries: 'scifact/queries.jsonl',
    bars: [undefined, undefined, 70],
  },
]

if (!fs.existsSync(scorer)) {
  console.log(`SKIPPED: there is no ${scorer}; give its folder with --bench DIR.`)
  process.exit(0)
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-bench-recall-'))
try {
  const wanted = values.only?.split(',')
  const rows = SETS.filter((set) => !wanted || wanted.includes(set.name)).map(measured)
  if (values.learn) rows.push(learned())
  if (rows.length > 0) for (const line of table(rows)) console.log(line)
  if (!wanted || wanted.includes('recordings')) for (const line of recorded()) console.log(line)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function measured(set) {
  const run = path.join(folder, `${set.name}.jsonl`)
  const began = Date.now()
  retrieval(set, path.join(bench, set.queries), run)
  return { ...set, ...scored(set, path.join(bench, set.queries), run), seconds: (Date.now() - began) / 1000 }
}

/** What recorded sessions would have been told: of all of them, and of the last 40 % alone, which shipped numbers were not chosen on. */
function recorded() {
  const dir = path.resolve(values.recordings)
  if (!fs.existsSync(dir))
    return ['', `SKIPPED: there is no ${dir}; give the folder of recordings with --recordings DIR.`]
  const run = path.join(folder, 'recordings.jsonl')
  const done = spawnSync(process.execPath, [RUN, 'eval', 'recordings', dir, '--out', run, '--quiet'], {
    encoding: 'utf8',
  })
  if (done.status !== 0) throw new Error(done.stderr)
  const late = path.join(folder, 'late.txt')
  const sessions = fs
    .readdirSync(dir)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8').split('\n', 1)[0]))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  const from = Math.floor(0.6 * sessions.length)
  fs.writeFileSync(
    late,
    sessions
      .slice(from)
      .map(({ payload }) => payload.session_id)
      .join('\n'),
  )
  const judged = (kind, ...more) => {
    const words = [kind, '--recordings', dir, '--run', run, '--json', ...more]
    const scores = spawnSync(process.execPath, [scorer, ...words], { encoding: 'utf8' })
    if (scores.status !== 0) throw new Error(scores.stderr)
    return JSON.parse(scores.stdout).overall
  }
  const row = (name, ...more) => {
    const { n, 'gnDCG@10': pointed } = judged('sessions', ...more)
    const calls = judged('warnings', ...more)
    const worth = [pointed, calls['nDCG@10']]
    return `| ${[name, n, calls.n, ...worth.map((value) => value?.toFixed(2) ?? '–')].join(' | ')} |`
  }
  return [
    '',
    '| recordings | sessions | calls | gnDCG@10 (57) | nDCG@10 of failures (65) |',
    '|---|---:|---:|---:|---:|',
    row('all'),
    row('the last 40 %', '--only', late),
    'The detector of calls that will fail was removed; docs/improve.md has what it reached.',
  ]
}

/** Each conversation of LoCoMo asked with what the project's own learning made of the four others; one run of all, scored at once. */
function learned() {
  const [set] = SETS
  const lines = fs.readFileSync(path.join(bench, set.queries), 'utf8').trimEnd().split('\n')
  const convs = [...new Set(lines.map((line) => JSON.parse(line).conv))]
  const began = Date.now()
  const runs = convs.map((conv) => {
    const [own, others] = [true, false].map((is) => lines.filter((line) => (JSON.parse(line).conv === conv) === is))
    const files = { own: path.join(folder, 'own.jsonl'), others: path.join(folder, 'others.jsonl') }
    fs.writeFileSync(files.own, own.join('\n'))
    fs.writeFileSync(files.others, others.filter((line) => JSON.parse(line).category !== set.exclude).join('\n'))
    const run = path.join(folder, 'fold.jsonl')
    retrieval(set, files.own, run, '--learn', files.others)
    return fs.readFileSync(run, 'utf8')
  })
  const run = path.join(folder, 'learned.jsonl')
  fs.writeFileSync(run, runs.join(''))
  const worth = scored(set, path.join(bench, set.queries), run)
  return { ...worth, name: 'locomo --learn', bars: [76, 83, 68], seconds: (Date.now() - began) / 1000 }
}

function retrieval(set, queries, run, ...more) {
  const words = ['eval', 'retrieval', '--corpus', path.join(bench, set.corpus), '--queries', queries, '--out', run]
  const done = spawnSync(process.execPath, [RUN, ...words, ...more, '--quiet'], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
}

function scored({ exclude, only }, queries, run) {
  const words = ['retrieval', '--queries', queries, '--run', run, '--json', ...(exclude ? ['--exclude', exclude] : [])]
  const done = spawnSync(process.execPath, [scorer, ...words], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
  const all = JSON.parse(done.stdout)
  return only ? all[only] : all.overall
}

function table(rows) {
  const cell = (value, bar) => (bar === undefined ? value.toFixed(2) : `${value.toFixed(2)} (${bar})`)
  return [
    '| set | questions | R@5 | R@10 | nDCG@10 | seconds |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows.map((one) => {
      const [r5, r10, ndcg] = one.bars
      const worth = [cell(one['R@5'], r5), cell(one['R@10'], r10), cell(one['nDCG@10'], ndcg)]
      return `| ${[one.name, one.n, ...worth, one.seconds.toFixed(0)].join(' | ')} |`
    }),
    'In brackets the bar.',
  ]
}
