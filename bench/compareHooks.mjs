// Compares the hooks of two builds: before, bare Node and after run in turn, with the same payloads.
//
//   node bench/compareHooks.mjs --before DIR --after DIR --fixtures-before DIR --fixtures-after DIR [--runs 30]
//
// DIR is a checkout that was built. Fixtures are folders that `npm run -s bench -- hooks --store DIR` of the same build wrote.
// The table shows the median of the ratios of each run, so that changes in the speed of the machine cancel out. An empty
// worker replaces the real one: starting it is part of a hook's time, but its work would disturb the next process.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

// What is compared, and the hook that does it. The last ones make a hook start the worker.
const CASES = {
  'session-start': 'session-start',
  'user-prompt-submit': 'user-prompt-submit',
  'pre-tool-use': 'pre-tool-use',
  'post-tool-use': 'post-tool-use',
  'post-tool-use-failure': 'post-tool-use-failure',
  'subagent-start': 'subagent-start',
  'subagent-stop': 'subagent-stop',
  stop: 'stop',
  'user-prompt-submit, a statement': 'user-prompt-submit',
  'post-tool-use, a fix': 'post-tool-use',
  'post-tool-use-failure, the same again': 'post-tool-use-failure',
}
const WORDS = 'price stock receipt build test discount tax order invoice customer cents module import error'.split(' ')
const WARM_UP_RUNS = 3
/** The wait after each process, in milliseconds: an empty worker ends meanwhile. */
const PAUSE_MS = 60
const USAGE =
  'node bench/compareHooks.mjs --before DIR --after DIR --fixtures-before DIR --fixtures-after DIR [--runs 30]'

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string' },
    'fixtures-before': { type: 'string' },
    'fixtures-after': { type: 'string' },
    runs: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
})
for (const name of ['before', 'after', 'fixtures-before', 'fixtures-after']) {
  if (options[name] === undefined) fail(`--${name} is missing. Usage: ${USAGE}`)
}
const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:MEMCTL_|CLAUDE|NODE_)/.test(name)),
)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-compare-'))
try {
  const before = prepare('before')
  const after = prepare('after')
  console.log('| hook | before | after | after / before | after − before, ms |\n|---|---:|---:|---:|---:|')
  for (const name of Object.keys(CASES))
    if (name.includes(options.only)) console.log(await compare(name, before, after))
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

/** A copy of the fixture of one build, with fresh code caches. */
function prepare(side) {
  const built = path.resolve(options[side], 'dist')
  const fixtures = path.resolve(options[`fixtures-${side}`])
  const [fixture] = fs.readdirSync(fixtures).filter((name) => fs.existsSync(path.join(fixtures, name, 'home')))
  if (fixture === undefined)
    fail(`${fixtures} has no fixture. Run \`npm run -s bench -- hooks --store ${fixtures}\` first.`)
  const copy = path.join(folder, side)
  const dist = path.join(folder, `${side}-dist`)
  fs.cpSync(path.join(built, 'hooks'), path.join(dist, 'hooks'), { recursive: true })
  fs.copyFileSync(path.join(built, 'worker.cjs'), path.join(dist, 'worker.cjs'))
  fs.cpSync(path.join(fixtures, fixture), copy, { recursive: true })
  const home = path.join(copy, 'home')
  const project = path.join(copy, 'shop')
  fs.rmSync(path.join(home, 'cache'), { recursive: true, force: true })
  const env = { ...cleanEnv, MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project, CLAUDE_PID: String(process.pid) }
  // The copy is another folder, which does not have the fixture's memories until its id is confirmed.
  const confirm = [path.join(built, 'cli.js'), 'project', 'confirm', '--project', project]
  const { status, stderr } = spawnSync(process.execPath, confirm, { env, cwd: project, encoding: 'utf8' })
  if (status !== 0) fail(`${project} cannot be confirmed: ${stderr}`)
  spawnSync(process.execPath, [path.join(dist, 'worker.cjs'), project], { env, cwd: project })
  // What hooks start: the watchdog, in builds before it the worker.
  for (const name of ['watchdog.cjs', 'worker.cjs']) fs.writeFileSync(path.join(dist, name), '')
  return { dist, env, project }
}

async function compare(name, before, after) {
  const times = { before: [], bare: [], after: [] }
  const runs = {
    before: (run) => timeHook(name, before, run),
    bare: () => timeProcess(['-e', '0'], { env: cleanEnv, cwd: folder }, ''),
    after: (run) => timeHook(name, after, run),
  }
  for (let run = -WARM_UP_RUNS; run < Number(options.runs); run++) {
    const order = run % 2 === 0 ? ['before', 'bare', 'after'] : ['after', 'bare', 'before']
    for (const side of order) {
      const ms = await runs[side](run)
      await new Promise((done) => setTimeout(done, PAUSE_MS))
      if (run >= 0) times[side].push(ms)
    }
  }
  const ratio = (a, b) => median(a.map((ms, run) => ms / b[run])).toFixed(2)
  const added = median(times.after.map((ms, run) => ms - times.before[run])).toFixed(2)
  return `| ${name} | ${ratio(times.before, times.bare)} | ${ratio(times.after, times.bare)} | ${ratio(times.after, times.before)} | ${added} |`
}

async function timeHook(name, { dist, env, project }, run) {
  const start = (hook, fields = {}) => {
    const input = `${JSON.stringify({ ...payload(hook, run, project), ...fields })}\n`
    return timeProcess([path.join(dist, 'hooks', `${hook}.cjs`)], { env, cwd: project }, input)
  }
  // What must have happened before, not timed.
  if (name.includes(', a fix') || name.includes(', the same again')) {
    await start('post-tool-use-failure', { tool_use_id: `failed-${run}` })
    await new Promise((done) => setTimeout(done, PAUSE_MS))
  }
  const hook = CASES[name]
  const fields = name.includes(', a statement')
    ? { prompt: `Always run the checks before you commit. ${payload(hook, run, project).prompt}` }
    : {}
  return start(hook, fields)
}

function timeProcess(args, spawnOptions, input) {
  const began = performance.now()
  const child = spawn(process.execPath, args, { ...spawnOptions, stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.on('error', () => {}) // Bare Node may have exited before it reads anything.
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve(performance.now() - began))
  })
}

function payload(hook, run, cwd) {
  const pick = (offset) => WORDS[(run + WARM_UP_RUNS + offset * 5) % WORDS.length]
  const common = { session_id: `session-${run}`, transcript_path: '/nowhere.jsonl', cwd, permission_mode: 'default' }
  const call = { tool_name: 'Bash', tool_input: { command: `npm test -- ${pick(0)}` }, tool_use_id: `call-${run}` }
  switch (hook) {
    case 'session-start':
      return { ...common, hook_event_name: 'SessionStart', source: 'startup' }
    case 'user-prompt-submit': {
      const prompt = `Please look at ${[0, 1, 2, 3].map(pick).join(' ')} and repair it in src/prices.ts`
      return { ...common, hook_event_name: 'UserPromptSubmit', prompt }
    }
    case 'pre-tool-use':
      return { ...common, ...call, hook_event_name: 'PreToolUse' }
    case 'post-tool-use':
      return { ...common, ...call, hook_event_name: 'PostToolUse', tool_response: { stdout: 'ok', stderr: '' } }
    case 'post-tool-use-failure': {
      const error = "Error: Cannot find module 'dist/prices.json'"
      return { ...common, ...call, hook_event_name: 'PostToolUseFailure', error, is_interrupt: false }
    }
    case 'subagent-start':
      return { ...common, hook_event_name: 'SubagentStart', agent_id: `agent-${run}`, agent_type: 'Explore' }
    case 'subagent-stop': {
      const agent = { agent_id: `agent-${run}`, agent_type: 'Explore' }
      return { ...common, ...agent, hook_event_name: 'SubagentStop', last_assistant_message: 'Found it.' }
    }
    default:
      return { ...common, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' }
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
