// bench:recall: runs memctl's own store and recall on public sets and recorded sessions, scored by the benchmark's
// own scorer.
//
//   node bench/recall.mjs [--bench DIR] [--recordings DIR] [--only locomo,recordings,…]
//
// The data are outside this repository (../shared/bench); missing data are reported and skipped.
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
  },
})
// The real path: the scorer does nothing if it is started through a link.
const bench = fs.existsSync(values.bench) ? fs.realpathSync(values.bench) : path.resolve(values.bench)
const scorer = path.join(bench, 'score.mjs')

/** `exclude` and `only` are categories; targets are [R@5, R@10, nDCG@10]. */
const SETS = [
  {
    name: 'locomo',
    corpus: 'locomo/corpus.jsonl',
    queries: 'locomo/queries.jsonl',
    exclude: 'adversarial',
    targets: [66, 74, 57],
  },
  {
    name: 'locomo adversarial',
    corpus: 'locomo/corpus.jsonl',
    queries: 'locomo/queries.jsonl',
    only: 'adversarial',
    targets: [undefined, 82],
  },
  {
    name: 'jsquad',
    corpus: 'japanese/jsquad-corpus.jsonl',
    queries: 'japanese/jsquad-queries.jsonl',
    targets: [undefined, undefined, 95],
  },
  {
    name: 'jsts',
    corpus: 'japanese/jsts-corpus.jsonl',
    queries: 'japanese/jsts-queries.jsonl',
    targets: [undefined, undefined, 78],
  },
  {
    name: 'scifact',
    corpus: 'scifact/corpus.jsonl.gz',
    queries: 'scifact/queries.jsonl',
    targets: [undefined, undefined, 70],
  },
]

if (!fs.existsSync(scorer)) {
  console.log(`SKIPPED: there is no ${scorer}; give its folder with --bench DIR.`)
  process.exit(0)
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-bench-recall-'))
try {
  const wanted = values.only?.split(',')
  const rows = SETS.filter((set) => !wanted || wanted.includes(set.name)).map(measureSet)
  if (rows.length > 0) for (const line of table(rows)) console.log(line)
  if (!wanted || wanted.includes('recordings')) for (const line of measureRecordings()) console.log(line)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function measureSet(set) {
  const run = path.join(folder, `${set.name}.jsonl`)
  const began = Date.now()
  retrieval(set, path.join(bench, set.queries), run)
  return { ...set, ...runScorer(set, path.join(bench, set.queries), run), seconds: (Date.now() - began) / 1000 }
}

/** The scores of recorded sessions: of all, and of the last 40 %, which were not used to choose the shipped numbers. */
function measureRecordings() {
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
  const scoreRun = (kind, ...more) => {
    const args = [kind, '--recordings', dir, '--run', run, '--json', ...more]
    const scores = spawnSync(process.execPath, [scorer, ...args], { encoding: 'utf8' })
    if (scores.status !== 0) throw new Error(scores.stderr)
    return JSON.parse(scores.stdout).overall
  }
  const row = (name, ...more) => {
    const { n, 'gnDCG@10': gain } = scoreRun('sessions', ...more)
    const calls = scoreRun('warnings', ...more)
    const scores = [gain, calls['nDCG@10']]
    return `| ${[name, n, calls.n, ...scores.map((value) => value?.toFixed(2) ?? '–')].join(' | ')} |`
  }
  return [
    '',
    '| recordings | sessions | calls | gnDCG@10 (57) | nDCG@10 of failures (65) |',
    '|---|---:|---:|---:|---:|',
    row('all'),
    row('the last 40 %', '--only', late),
  ]
}

function retrieval(set, queries, run) {
  const args = ['eval', 'retrieval', '--corpus', path.join(bench, set.corpus), '--queries', queries, '--out', run]
  const done = spawnSync(process.execPath, [RUN, ...args, '--quiet'], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
}

function runScorer({ exclude, only }, queries, run) {
  const args = ['retrieval', '--queries', queries, '--run', run, '--json', ...(exclude ? ['--exclude', exclude] : [])]
  const done = spawnSync(process.execPath, [scorer, ...args], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
  const all = JSON.parse(done.stdout)
  return only ? all[only] : all.overall
}

function table(rows) {
  const cell = (value, target) => (target === undefined ? value.toFixed(2) : `${value.toFixed(2)} (${target})`)
  return [
    '| set | questions | R@5 | R@10 | nDCG@10 | seconds |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows.map((row) => {
      const [r5, r10, ndcg] = row.targets
      const scores = [cell(row['R@5'], r5), cell(row['R@10'], r10), cell(row['nDCG@10'], ndcg)]
      return `| ${[row.name, row.n, ...scores, row.seconds.toFixed(0)].join(' | ')} |`
    }),
    'The targets are in parentheses.',
  ]
}
