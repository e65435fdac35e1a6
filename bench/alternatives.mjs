// Measures memctl beside other memory tools, with the same session: time of each hook, processes that stay, events that
// are kept, secrets that are stored. Needs Linux (/proc), bash and the npm registry. The other tools are downloaded
// into a temporary folder, run with an empty home, and get no model.
//
//   npm run build && node bench/alternatives.mjs [--runs 15]
//
// Prints a Markdown table. A hook's time is given as a ratio to a bare Node process that was started just before it.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const VERSIONS = {
  'claude-mem': '13.25.3',
  '@oven/bun-linux-x64': '1.4.5',
  zod: '4.4.3',
  'shell-quote': '1.9.0',
  '@modelcontextprotocol/server-memory': '2026.8.31',
}
const RUNS = Number(argument('--runs') ?? 15)
/** Tool calls of the session whose background process is killed in the middle. */
const CALLS = 20
/** How long processes may stay after the end of a session, in milliseconds. */
const SETTLE_MS = 20_000
/** Killed before this one of the calls. */
const KILLED_BEFORE = 10

const repository = path.resolve(import.meta.dirname, '..')
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-tools-'))
const project = path.join(scratch, 'shop')
fs.mkdirSync(project)

// Put together here, so that no file of this repository looks as if it had a secret.
const SECRETS = [
  ['ghp', '_', letters(36)],
  ['github_pat', '_', letters(22), '_', letters(59)],
  ['AKIA', letters(16).toUpperCase()],
  ['xoxb', '-', '123456789012', '-', '1234567890123', '-', letters(24)],
  ['sk', '_live_', letters(24)],
  ['sk', '-ant-api03-', letters(93), 'AA'],
  ['glpat', '-', letters(20)],
  ['npm', '_', letters(36)],
  ['postgres://admin:', letters(16), '@db.example.com/shop'],
  ['DB_PASSWORD=', letters(18)],
].map((parts) => parts.join(''))

try {
  const rows = [await measureMemctl(), await measureClaudeMem(), await measureServerMemory()]
  console.log(`Node ${process.version}, ${os.cpus().length} cores, ${RUNS} pairs for each hook\n`)
  const names = [
    'tool',
    'start',
    'prompt',
    'tool result',
    'processes left',
    'memory they take',
    'events kept',
    'secrets stored',
  ]
  console.log(`| ${names.join(' | ')} |\n|${'---|'.repeat(names.length)}`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
} finally {
  fs.rmSync(scratch, { recursive: true, force: true })
}

async function measureMemctl() {
  const home = newHome('memctl')
  const env = environment(home, { MEMCTL_HOME: path.join(home, '.memctl') })
  const hook = (name) => [process.execPath, [path.join(repository, 'dist/hooks', `${name}.cjs`)]]
  const hooks = {
    SessionStart: [hook('session-start')],
    UserPromptSubmit: [hook('user-prompt-submit')],
    PostToolUse: [hook('post-tool-use')],
    Stop: [hook('stop')],
    SessionEnd: [hook('session-end')],
  }
  const kept = () => countResults(path.join(home, '.memctl'))
  return measureHooks({ name: `memctl ${ownVersion()}`, home, env, hooks, kept })
}

async function measureClaudeMem() {
  const plugin = path.join(download('claude-mem'), 'plugin')
  const bun = path.join(download('@oven/bun-linux-x64'), 'bin')
  // The plugin's other packages are grammars of source code, for a skill.
  for (const name of ['zod', 'shell-quote']) {
    fs.cpSync(download(name), path.join(plugin, 'node_modules', name), { recursive: true })
  }
  const home = newHome('claude-mem')
  // A port of its own, so that it does not talk to a worker that somebody uses.
  const port = { CLAUDE_MEM_WORKER_PORT: '38917' }
  const env = environment(home, { CLAUDE_PLUGIN_ROOT: plugin, PATH: `${bun}:${process.env.PATH}`, ...port })
  const { hooks: events } = JSON.parse(fs.readFileSync(path.join(plugin, 'hooks/hooks.json'), 'utf8'))
  const commands = (event) =>
    events[event].flatMap((each) => each.hooks).map(({ command }) => ['bash', ['-c', command]])
  const hooks = Object.fromEntries(
    ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'].map((event) => [event, commands(event)]),
  )
  const query = path.join(scratch, 'count.ts')
  fs.writeFileSync(
    query,
    "import { Database } from 'bun:sqlite'\nconst db = new Database(process.argv[2])\n" +
      "console.log(db.query('select count(*) n from tool_uses').get().n)\n",
  )
  const kept = () =>
    Number(
      execFileSync(path.join(bun, 'bun'), ['run', query, path.join(home, '.claude-mem/claude-mem.db')], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
  return measureHooks({ name: `claude-mem ${VERSIONS['claude-mem']}`, home, env, hooks, kept })
}

/** An MCP server without hooks: it keeps what a model passes to it, and nothing else. */
async function measureServerMemory() {
  const name = '@modelcontextprotocol/server-memory'
  const folder = download(name)
  fs.symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  const home = newHome('server-memory')
  const file = path.join(home, 'memory.jsonl')
  const env = environment(home, { MEMORY_FILE_PATH: file })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(folder, 'dist/index.js')],
    env,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(transport)
  const entities = SECRETS.map((secret, index) => ({
    name: `e${index}`,
    entityType: 'note',
    observations: [`The token is ${secret}`],
  }))
  await client.callTool({ name: 'create_entities', arguments: { entities } })
  await client.close()
  return [
    `MCP server-memory ${VERSIONS[name]}`,
    ...['no hook', 'no hook', 'no hook'],
    String(processesOf(home).length),
    '–',
    'none by itself',
    `${countSecrets(home)} of ${SECRETS.length}`,
  ]
}

/** One session for the times, one in which every background process is killed in the middle. */
async function measureHooks({ name, home, env, hooks, kept }) {
  // The client runs all hooks of an event at once.
  const run = async (event, fields, session = 'timed') => {
    const payload = {
      session_id: session,
      transcript_path: path.join(home, 't.jsonl'),
      cwd: project,
      hook_event_name: event,
      ...fields,
    }
    const startMs = performance.now()
    await Promise.all(hooks[event].map(([command, args]) => runToEnd(command, args, payload, env)))
    return performance.now() - startMs
  }
  const ratios = async (event, fields) => {
    const measured = []
    for (let index = 0; index < RUNS; index++) {
      const bareMs = timeBareNode(env)
      measured.push((await run(event, fields(index))) / bareMs)
    }
    return `${median(measured).toFixed(1)} ×`
  }
  await run('SessionStart', { source: 'startup' }) // The first one starts the background process.
  await wait(5000)
  const start = await ratios('SessionStart', () => ({ source: 'startup' }))
  const prompt = await ratios('UserPromptSubmit', (index) => ({ prompt: `Repair test ${index} of the cart` }))
  const result = await ratios('PostToolUse', toolResult)
  await run('Stop', { stop_hook_active: false, last_assistant_message: 'Done.' })
  await run('UserPromptSubmit', { prompt: `Deploy it. My tokens: ${SECRETS.join(' and ')}` })
  await run('SessionEnd', { reason: 'other' })
  await wait(SETTLE_MS)
  const secrets = countSecrets(home)
  const left = processesOf(home)
  const megabytes = left.reduce((sum, pid) => sum + residentMegabytes(pid), 0)

  const before = kept()
  await run('SessionStart', { source: 'startup' }, 'killed')
  for (let index = 0; index < CALLS; index++) {
    if (index === KILLED_BEFORE) for (const pid of processesOf(home)) process.kill(pid, 'SIGKILL')
    await run('PostToolUse', toolResult(1000 + index), 'killed')
  }
  await wait(5000)
  const keptCalls = kept() - before

  for (const pid of processesOf(home)) process.kill(pid, 'SIGKILL')
  return [
    name,
    start,
    prompt,
    result,
    String(left.length),
    left.length > 0 ? `${Math.round(megabytes)} MB` : '–',
    `${keptCalls} of ${CALLS}`,
    `${secrets} of ${SECRETS.length}`,
  ]
}

function runToEnd(command, args, payload, env) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { env, cwd: project, stdio: ['pipe', 'ignore', 'ignore'] })
    child.once('error', failed)
    child.once('exit', done)
    child.stdin.on('error', () => {}) // It may exit before it has read everything.
    child.stdin.end(`${JSON.stringify(payload)}\n`)
  })
}

function toolResult(index) {
  return {
    tool_name: 'Bash',
    tool_use_id: `toolu_${index}`,
    tool_input: { command: `node --test test/cart-${index}.test.js`, description: 'Run one test' },
    tool_response: { stdout: `ok ${index} - adds an item to the cart`, stderr: '', interrupted: false, isImage: false },
  }
}

/** Tool results of the second session in the event log, each counted once. */
function countResults(folder) {
  const logs = fs.readdirSync(folder, { recursive: true }).filter((file) => /(?:^|\/)events\/.*\.jsonl$/.test(file))
  const text = logs.map((file) => fs.readFileSync(path.join(folder, file), 'utf8')).join('')
  return new Set(text.match(/toolu_10\d\d/g)).size
}

function countSecrets(folder) {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const bytes = files.map((each) => fs.readFileSync(path.join(each.parentPath, each.name), 'latin1'))
  // Of an assignment or a URL only the value is secret.
  const values = SECRETS.map((secret) => /(?:=|admin:)(\w+)/.exec(secret)?.[1] ?? secret)
  return values.filter((value) => bytes.some((text) => text.includes(value))).length
}

/** Processes whose HOME is this folder, without this one. */
function processesOf(home) {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readFile(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`))
    .filter((pid) => !readFile(`/proc/${pid}/stat`).includes(') Z '))
    .map(Number)
}

function residentMegabytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFile(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function readFile(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return '' // It has ended, or belongs to somebody else.
  }
}

/** Downloads one package of the npm registry, without its dependencies and scripts, and returns its folder. */
function download(name) {
  const folder = path.join(scratch, 'packages', name.replace('/', '-'))
  fs.mkdirSync(folder, { recursive: true })
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', `${name}@${VERSIONS[name]}`, '--json', '--ignore-scripts'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  execFileSync('tar', ['xzf', filename], { cwd: folder })
  return path.join(folder, 'package')
}

function environment(home, more) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const own = Object.entries(env).filter(([name]) => !/^(?:MEMCTL|CLAUDE|ANTHROPIC)/.test(name))
  return { ...Object.fromEntries(own), HOME: home, CLAUDE_PROJECT_DIR: project, ...more }
}

function newHome(name) {
  const home = path.join(scratch, `home-${name}`)
  fs.mkdirSync(home)
  return home
}

function timeBareNode(env) {
  const startMs = performance.now()
  spawnSync(process.execPath, ['-e', '0'], { env, stdio: 'ignore' })
  return performance.now() - startMs
}

function ownVersion() {
  return JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8')).version
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function letters(count) {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  return Array.from({ length: count }, (_, index) => alphabet[(index * 31 + count * 7) % alphabet.length]).join('')
}

function argument(name) {
  const index = process.argv.indexOf(name)
  return index < 0 ? undefined : process.argv[index + 1]
}
