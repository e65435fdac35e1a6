// bench:improve: whether learning helps and noise has no effect, on recorded sessions and by leave-one-out on
// conversations.
//
//   node bench/improve.mjs [--shared DIR] [--seeds N] [--only recordings|locomo]
//
// recordings: "frozen" learns only from the first 30 % of the sessions, "learning" from each session at its end; the
// last 70 % are scored. Runs `npm run eval` and the benchmark's own scorer. The data are outside this repository;
// missing data are reported and skipped.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '..')
const RUN = path.join(ROOT, 'bench', 'run.mjs')
const TUNED = 0.3

const { values } = parseArgs({
  options: {
    shared: { type: 'string', default: path.join(ROOT, '..', 'shared') },
    seeds: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
// The real path: the scorer does nothing if it is started through a link.
const shared = fs.existsSync(values.shared) ? fs.realpathSync(values.shared) : path.resolve(values.shared)
const scorer = path.join(shared, 'bench', 'score.mjs')
if (!fs.existsSync(scorer)) {
  console.log(`SKIPPED: there is no ${scorer}; give the folder that has bench and recordings with --shared DIR.`)
  process.exit(0)
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-bench-improve-'))
const fileIn = (name) => path.join(folder, name)
try {
  if (values.only !== 'locomo') recordings(path.join(shared, 'recordings', 'cli'), Number(values.seeds))
  if (values.only !== 'recordings') conversations(path.join(shared, 'bench', 'locomo'), Number(values.seeds))
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function recordings(cli, seeds) {
  const runOf = (name, ...args) => {
    evaluate('eval', 'recordings', cli, '--policy', 'learning', '--out', fileIn(name), '--quiet', ...args)
    return fileIn(name)
  }
  const late = fileIn('late')
  fs.writeFileSync(late, lateSessions(cli).join('\n'))
  const frozen = runOf('frozen', '--learn-until', String(TUNED))
  const score = (run) => runScorer('sessions', '--recordings', cli, '--only', late, '--run', frozen, '--vs', run)
  row('recordings', `frozen after ${100 * TUNED} %`, `gnDCG@10 ${score(frozen).overall['gnDCG@10'].toFixed(2)}`)
  for (const [feedback, runs] of [
    ['real', 1],
    ['flipped:0.2', seeds],
    ['shuffled', seeds],
  ]) {
    for (let seed = 1; seed <= runs; seed++) {
      const scores = score(runOf('learning', '--feedback', feedback, '--seed', String(seed)))
      const value = scores['vs overall']['gnDCG@10'].toFixed(2)
      row(
        'recordings',
        `learning, ${feedback}, seed ${seed}`,
        `gnDCG@10 ${value}  ${formatInterval(scores['difference gnDCG@10'])}`,
      )
    }
  }
}

/** The ids of the sessions after the first share (TUNED) of all, in order of their start. */
function lateSessions(cli) {
  const begins = new Map()
  for (const file of fs.readdirSync(cli).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of fs.readFileSync(path.join(cli, file), 'utf8').split('\n').filter(Boolean)) {
      const { at: time, payload } = JSON.parse(line)
      const known = begins.get(payload.session_id)
      if (!known || time < known) begins.set(payload.session_id, time)
    }
  }
  const order = [...begins].sort((a, b) => (a[1] < b[1] ? -1 : 1)).map(([id]) => id)
  return order.slice(Math.floor(TUNED * order.length))
}

function conversations(locomo, seeds) {
  const queries = fs.readFileSync(path.join(locomo, 'queries.jsonl'), 'utf8').trim().split('\n').map(JSON.parse)
  const evaluateWith = (select) => learnedAnswers(locomo, queries, select)
  const rowOf = (what, runs) => {
    const mean = (key) => runs.reduce((sum, run) => sum + run[key], 0) / runs.length
    const each = runs.length > 1 ? `  (${runs.map((run) => run['nDCG@10'].toFixed(2)).join(', ')})` : ''
    const shown = ['nDCG@10', 'R@5', 'R@10'].map((key) => `${key} ${mean(key).toFixed(2)}`)
    row('locomo', what, shown.join('  ') + each)
  }
  const draws = Array.from({ length: seeds }, (_, i) => i + 1)
  rowOf('as shipped', [evaluateWith()])
  rowOf(
    '50 questions of four others',
    draws.map((seed) => evaluateWith((others) => sample(others, 50, seed))),
  )
  rowOf(
    'the same, shuffled',
    draws.map((seed) => evaluateWith((others) => shuffleAnswers(sample(others, 50, seed), seed))),
  )
  rowOf('all answered questions of four others', [evaluateWith((others) => sample(others, others.length, 1))])
  rowOf('the same, shuffled', [evaluateWith((others) => shuffleAnswers(sample(others, others.length, 1), 1))])
}

/**
 * The scores of all conversations, each ranked with the policy learned from the questions of the others that `select`
 * returns.
 */
function learnedAnswers(locomo, queries, select) {
  const corpus = path.join(locomo, 'corpus.jsonl')
  const convs = [...new Set(queries.map(({ conv }) => conv))]
  const parts = convs.map((conv) => {
    writeLines(
      'test',
      queries.filter((query) => query.conv === conv),
    )
    const learn = select && ['--learn', writeLines('learn', select(queries.filter((query) => query.conv !== conv)))]
    const args = ['--corpus', corpus, '--queries', fileIn('test'), '--out', fileIn('run'), '--quiet']
    evaluate('eval', 'retrieval', ...args, ...(learn ?? []))
    return fs.readFileSync(fileIn('run'), 'utf8')
  })
  fs.writeFileSync(fileIn('run'), parts.join(''))
  const all = path.join(locomo, 'queries.jsonl')
  return runScorer('retrieval', '--queries', all, '--run', fileIn('run'), '--exclude', 'adversarial').overall
}

/** A sample of the questions with an answer, the same for the same seed: those with the lowest hash of seed and id. */
function sample(queries, count, seed) {
  const answerable = queries.filter(({ relevant, category }) => relevant.length > 0 && category !== 'adversarial')
  return answerable.sort((a, b) => hashText(seed + a.id) - hashText(seed + b.id)).slice(0, count)
}

/** Assigns each question the answers of a random question of the same conversation. */
function shuffleAnswers(queries, seed) {
  const answers = new Map()
  for (const { conv, relevant } of [...queries].sort(
    (a, b) => hashText(`${seed}${a.id}!`) - hashText(`${seed}${b.id}!`),
  )) {
    answers.set(conv, [...(answers.get(conv) ?? []), relevant])
  }
  return queries.map((query) => ({ ...query, relevant: answers.get(query.conv).pop() }))
}

/** FNV-1a. */
function hashText(text) {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  return hash >>> 0
}

function writeLines(name, lines) {
  fs.writeFileSync(fileIn(name), lines.map((line) => JSON.stringify(line)).join('\n'))
  return fileIn(name)
}

function evaluate(...args) {
  return runScript(RUN, ...args)
}

function runScorer(...args) {
  // The real path: the scorer does nothing if it is started through a link.
  return JSON.parse(runScript(fs.realpathSync(scorer), ...args, '--json'))
}

function runScript(script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${path.basename(script)} ${args.join(' ')}: ${stderr}`)
  return stdout
}

function formatInterval({ delta, lo, hi }) {
  return `${delta} (${lo} … ${hi})`
}

function row(set, run, scores) {
  console.log(`${set.padEnd(12)}${run.padEnd(36)}${scores}`)
}
