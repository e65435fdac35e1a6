// bench:improve: whether learning helps and whether noise does nothing, on recorded sessions and on conversations left out in turn.
//
//   node bench/improve.mjs [--shared DIR] [--seeds N] [--only recordings|locomo]
//
// recordings: frozen learns from the first 30 % of the sessions only, learning from all as they end; the last 70 % are scored. Asked
// through `npm run eval`, scored by the bench's own scorer. The data lie outside this repository; what is not there is skipped, and said.
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
// Its true path: the scorer does nothing where it is started by another.
const shared = fs.existsSync(values.shared) ? fs.realpathSync(values.shared) : path.resolve(values.shared)
const scorer = path.join(shared, 'bench', 'score.mjs')
if (!fs.existsSync(scorer)) {
  console.log(`SKIPPED: there is no ${scorer}; give the folder of bench and recordings with --shared DIR.`)
  process.exit(0)
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-bench-improve-'))
const at = (name) => path.join(folder, name)
try {
  if (values.only !== 'locomo') recordings(path.join(shared, 'recordings', 'cli'), Number(values.seeds))
  if (values.only !== 'recordings') conversations(path.join(shared, 'bench', 'locomo'), Number(values.seeds))
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function recordings(cli, seeds) {
  const runOf = (name, ...words) => {
    evaluate('eval', 'recordings', cli, '--policy', 'learning', '--out', at(name), '--quiet', ...words)
    return at(name)
  }
  const late = at('late')
  fs.writeFileSync(late, lateSessions(cli).join('\n'))
  const frozen = runOf('frozen', '--learn-until', String(TUNED))
  const score = (run) => scored('sessions', '--recordings', cli, '--only', late, '--run', frozen, '--vs', run)
  row('recordings', `frozen after ${100 * TUNED} %`, `gnDCG@10 ${score(frozen).overall['gnDCG@10'].toFixed(2)}`)
  for (const [feedback, runs] of [
    ['real', 1],
    ['flipped:0.2', seeds],
    ['shuffled', seeds],
  ]) {
    for (let seed = 1; seed <= runs; seed++) {
      const told = score(runOf('learning', '--feedback', feedback, '--seed', String(seed)))
      const value = told['vs overall']['gnDCG@10'].toFixed(2)
      row(
        'recordings',
        `learning, ${feedback}, seed ${seed}`,
        `gnDCG@10 ${value}  ${between(told['difference gnDCG@10'])}`,
      )
    }
  }
}

/** The sessions that begin after the first share of them, by their ids. */
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
  const told = (taught) => learnedAnswers(locomo, queries, taught)
  const rowOf = (what, runs) => {
    const mean = (key) => runs.reduce((sum, run) => sum + run[key], 0) / runs.length
    const each = runs.length > 1 ? `  (${runs.map((run) => run['nDCG@10'].toFixed(2)).join(', ')})` : ''
    const shown = ['nDCG@10', 'R@5', 'R@10'].map((key) => `${key} ${mean(key).toFixed(2)}`)
    row('locomo', what, shown.join('  ') + each)
  }
  const draws = Array.from({ length: seeds }, (_, i) => i + 1)
  rowOf('as shipped', [told()])
  rowOf(
    '50 questions of four others',
    draws.map((seed) => told((others) => drawn(others, 50, seed))),
  )
  rowOf(
    'the same, shuffled',
    draws.map((seed) => told((others) => shuffled(drawn(others, 50, seed), seed))),
  )
  rowOf('all answered by four others', [told((others) => drawn(others, others.length, 1))])
  rowOf('the same, shuffled', [told((others) => shuffled(drawn(others, others.length, 1), 1))])
}

/** What each conversation is worth, asked with what was learned from the others. */
function learnedAnswers(locomo, queries, taught) {
  const corpus = path.join(locomo, 'corpus.jsonl')
  const convs = [...new Set(queries.map(({ conv }) => conv))]
  const parts = convs.map((conv) => {
    written(
      'test',
      queries.filter((query) => query.conv === conv),
    )
    const learn = taught && ['--learn', written('learn', taught(queries.filter((query) => query.conv !== conv)))]
    const words = ['--corpus', corpus, '--queries', at('test'), '--out', at('run'), '--quiet']
    evaluate('eval', 'retrieval', ...words, ...(learn ?? []))
    return fs.readFileSync(at('run'), 'utf8')
  })
  fs.writeFileSync(at('run'), parts.join(''))
  const all = path.join(locomo, 'queries.jsonl')
  return scored('retrieval', '--queries', all, '--run', at('run'), '--exclude', 'adversarial').overall
}

/** Some questions with an answer, for a seed the same ones every time: those whose ids hash lowest. */
function drawn(queries, count, seed) {
  const keyed = queries.filter(({ relevant, category }) => relevant.length > 0 && category !== 'adversarial')
  return keyed.sort((a, b) => hashOf(seed + a.id) - hashOf(seed + b.id)).slice(0, count)
}

/** Each question with the answers of another of the same conversation. */
function shuffled(queries, seed) {
  const dealt = new Map()
  for (const { conv, relevant } of [...queries].sort((a, b) => hashOf(`${seed}${a.id}!`) - hashOf(`${seed}${b.id}!`))) {
    dealt.set(conv, [...(dealt.get(conv) ?? []), relevant])
  }
  return queries.map((query) => ({ ...query, relevant: dealt.get(query.conv).pop() }))
}

/** FNV-1a. */
function hashOf(text) {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  return hash >>> 0
}

function written(name, lines) {
  fs.writeFileSync(at(name), lines.map((line) => JSON.stringify(line)).join('\n'))
  return at(name)
}

function evaluate(...words) {
  return ran(RUN, ...words)
}

function scored(...words) {
  // Its real place: the scorer runs only as the script that was named.
  return JSON.parse(ran(fs.realpathSync(scorer), ...words, '--json'))
}

function ran(script, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${path.basename(script)} ${words.join(' ')}: ${stderr}`)
  return stdout
}

function between({ delta, lo, hi }) {
  return `${delta} (${lo} … ${hi})`
}

function row(set, what, told) {
  console.log(`${set.padEnd(12)}${what.padEnd(36)}${told}`)
}
