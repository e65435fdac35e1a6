// Every command that answers with --json, run once over a store of the recorded sessions: what each answered.
import fs from 'node:fs'
import path from 'node:path'
import { commitEvents, systemEvent } from '../../src/broker/commit/commitEvents.ts'
import { runMaintenanceOrThrow } from '../../src/broker/maintenance/maintenance.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { listMemories } from '../../src/broker/queries/browse.ts'
import { newWorld, RECORDINGS, REPOSITORY, type World } from '../cli/testContext.ts'
import { copyCodeCaches } from '../codeCaches.ts'
import { askAboutHub } from './askAboutHub.ts'

const TRANSCRIPTS = path.join(REPOSITORY, 'test/fixtures/transcripts/2.1.329/projects')

/** All answers by the words of the command: `memory store`. */
export type Answers = ReadonlyMap<string, readonly unknown[]>

export interface Cycle {
  readonly world: World
  /** The folder of the project's store. */
  readonly store: string
  readonly answers: Answers
  /** What commands answer with --json when they fail. */
  readonly failures: readonly unknown[]
}

/** A hook event of a later client, which this version records as it came. */
const UNKNOWN_EVENT = {
  at: '2026-03-16T09:00:00Z',
  payload: { session_id: 'later', hook_event_name: 'Later', cwd: '/home/dev/shop', note: 'A field nobody knows yet' },
}

/** What learning finds in a later session. */
const LEARNED = {
  kind: 'policy.changed',
  version: 1,
  values: { 'recall.weights.words': 0.9 },
  reason: 'learned',
  evidence: { sessions: 9 },
  by: 'person',
} as const

interface Named {
  readonly id: string
}

interface Keyed {
  readonly key: string
}

/** Runs all commands in an order in which each has something to answer. */
export async function runCycle(): Promise<Cycle> {
  const world = newWorld({ MCP_MEMORY_MAX_ENTRIES: '2' })
  const answers = new Map<string, unknown[]>()
  const failures: unknown[] = []

  async function ask<T>(command: string, ...words: readonly string[]): Promise<T> {
    const { status, out, err } = await world.memctl(...command.split(' '), ...words, '--json')
    const answer = parsed(out)
    if (answer === undefined)
      throw new Error(`memctl ${command} ${words.join(' ')} gave no JSON: ${status} ${out}${err}`)
    if (isFailure(answer)) throw new Error(`memctl ${command} ${words.join(' ')}: ${out}`)
    answers.set(command, [...(answers.get(command) ?? []), answer])
    return answer as T
  }
  async function fail(...words: readonly string[]): Promise<void> {
    const { out } = await world.memctl(...words, '--json')
    const answer = parsed(out)
    if (!isFailure(answer)) throw new Error(`memctl ${words.join(' ')} did not fail: ${out}`)
    failures.push(answer)
  }

  const project = path.join(world.folder, 'project')
  fs.mkdirSync(path.join(project, '.memctl'))
  fs.writeFileSync(path.join(project, '.memctl/project.yaml'), 'id: shop\n')
  fs.mkdirSync(path.join(world.folder, 'home'))
  fs.writeFileSync(path.join(world.folder, 'home/config.yaml'), 'policy: quiet\nwarnings: block\n')
  await ask('project show')
  await ask('project confirm')
  const second = path.join(world.folder, 'second')
  fs.cpSync(project, second, { recursive: true })
  await ask('project confirm', '--project', second)
  await ask('project show')
  await ask('project revoke', '--project', second)
  const { store } = await ask<{ store: string }>('status')
  const unknown = path.join(world.folder, 'unknown.jsonl')
  fs.writeFileSync(unknown, `${JSON.stringify(UNKNOWN_EVENT)}\n`)
  await world.replay(RECORDINGS, unknown, '--store', store)
  await ask('import transcripts', TRANSCRIPTS, '--store', store, '--dry-run')
  await askAboutSessions(ask)
  restoreArchived(openStoreAt(store, world.folder))
  commitEvents(openStoreAt(store, world.folder), [systemEvent({ kind: 'memory.slept' }, { now: Date.now() })])
  await ask('organize')
  await importAnswer(ask, world)
  await askAboutPolicy(ask, world, store)
  await askAboutStatements(ask)
  await askTools(ask)
  await askAboutEntries(ask)
  await askAboutImports(ask, world.folder)
  await askAboutProjects(ask, world.folder)
  await askAboutHub(ask)
  // Last, because commands that forget read every file that an installation leaves in the home.
  await askAboutInstallation(ask, world.folder)
  await ask('status')
  await failEverywhere(fail)
  return { world, store, answers, failures }
}

/** What the tool memory_restore commits. */
function restoreArchived(store: Store): void {
  const memories = listMemories(store, { status: 'archived' }).map(({ id }) => id)
  commitEvents(store, [systemEvent({ kind: 'memory.restored', memories }, { now: Date.now() })])
}

/** A second project, which is linked, merged and erased. */
async function askAboutProjects(ask: Ask, folder: string): Promise<void> {
  const third = path.join(folder, 'third')
  fs.mkdirSync(third)
  await ask('remember', 'Receipts are green', '--project', third)
  await ask('project link', 'shop', '--project', third)
  await ask('project unlink', '--project', third)
  await ask('project rename', third, '三番')
  await ask('project merge', '三番', 'shop')
  await ask('project list')
  await ask('project forget', '三番', '--yes')
}

/** Files of other programs, and an export. */
async function askAboutImports(ask: Ask, folder: string): Promise<void> {
  const write = (file: string, text: string | Buffer): string => {
    const full = path.join(folder, file)
    fs.mkdirSync(path.dirname(full), { recursive: true })
    fs.writeFileSync(full, text)
    return full
  }
  await ask('remember', 'Use pnpm for scripts, not npm')
  write('notes/pipe.md/inside.txt', 'a folder with the name of a note')
  await ask('import markdown', path.dirname(write('notes/a.md', 'The backup runs at night.')))
  await ask('export', '--out', path.join(folder, 'export.jsonl'))
  await ask('import memctl', path.join(folder, 'export.jsonl'))
}

type Ask = <T>(command: string, ...words: readonly string[]) => Promise<T>

/** What hooks recorded and what came of it. */
async function askAboutSessions(ask: Ask): Promise<void> {
  const { memories } = await ask<{ memories: readonly (Named & { kind: string })[] }>('list', '--limit', '1000')
  const lesson = memories.find(({ kind }) => kind === 'lesson')!.id
  await ask('status')
  await ask('recall', 'npm test fails')
  await ask(
    'recall',
    '--command',
    'npm test',
    '--error',
    "Error: Cannot find module '../dist/prices.json'",
    '--explain',
  )
  await ask('search', 'tax')
  const kinds = new Map(memories.map((memory) => [memory.kind, memory.id]))
  for (const id of kinds.values()) await ask('show', id)
  await ask('list --events', '--limit', '100000')
  const { sessions } = await ask<{ sessions: readonly Named[] }>('list --sessions')
  await ask('list', '--claude-md')
  await ask('report', '--out', 'report.html')
  await ask('show --contribution', lesson)
  for (const { id } of sessions.slice(0, 4)) await ask('shown --contribution', '--session', id)
  const shown = sessions.find(({ id }) => id.startsWith('2bd90368'))!.id
  await ask('shown', '--session', shown)
  await ask('shown', '--useful', '--session', shown)
  await ask('shown', '--session', shown)
  await ask('report --effect')
  await ask('organize')
  await ask('memory impact', lesson, 'prevented_error', '--perspective', 'cost')
  await ask('doctor --log')
  await ask('doctor --log --fix')
  await ask('rebuild')
  await ask('doctor --embedder', '--probe')
  await ask('rebuild --vectors')
  await ask('forget', lesson, '--dry-run')
  await ask('forget', lesson, '--yes')
}

/** What the optional model could have answered about a session. */
async function importAnswer(ask: Ask, world: World): Promise<void> {
  const { sessions } = await ask<{ sessions: readonly Named[] }>('list --sessions')
  const session = sessions.at(-1)!.id
  const digests = await ask<{ sessions: [{ request: { user: string } }] }>(
    'organize --distill',
    ...['--session', session, '--print-digest'],
  )
  const [{ request }] = digests.sessions
  const [, number, quote] = /^\[(\d+)\] PERSON: (.{3,100})/m.exec(request.user)!
  const cites = [Number(number)]
  const rule = { type: 'rule', scope: 'project', line: 'It is so.', quote, again: 2, cites }
  const when = [{ at: 'call', tool: 'Bash', has: ['npm test'], unless: ['build'] }, { at: 'start' }]
  const answer = {
    summary: 'It works.',
    entries: [
      { ...rule, when },
      { ...rule, line: 'Nobody said it.', quote: 'these words were never there' },
      { type: 'lesson', line: 'Build it before the tests.', again: 2, cites },
      { type: 'fact', line: 'It is slow.', scope: 'branch', again: 2, cites },
    ],
    open: ['Publish it.'],
  }
  const file = path.join(world.folder, 'answer.json')
  fs.writeFileSync(file, JSON.stringify(answer))
  await ask('organize --distill', '--session', session, '--answer', file)
}

/** What a person does with memories on purpose. */
async function askAboutStatements(ask: Ask): Promise<void> {
  const remember = async (...words: string[]) => (await ask<{ memory: Named }>('remember', ...words)).memory.id
  const first = await remember('Never use npm here')
  await remember('We decided to round down', '--file', 'src/tax.js')
  await remember('Answer in short sentences', '--scope', 'person')
  await ask('supersede', '--reword', first, 'Never use npm in this folder')
  await ask('supersede', first, 'Use pnpm')
  await ask('show', first)
  const third = await remember('Deploys need two approvals')
  await ask('supersede', '--outdated', third)
  await ask('supersede', '--outdated', third, '--undo')
  await ask('memory pin', first, '--reason', 'a reason')
  await ask('memory pin --undo', first)
  await ask('why', 'src/discount.js')
  await ask('why', 'src/cart.js')
}

async function askAboutPolicy(ask: Ask, world: World, store: string): Promise<void> {
  const file = path.join(world.folder, 'policy.yaml')
  const wrong = path.join(world.folder, 'wrong.yaml')
  fs.writeFileSync(wrong, 'name: wrong\nrecall:\n  topK: -3\n')
  await ask('policy show', '--all')
  await ask('policy history')
  fs.writeFileSync(file, 'name: mine\nrecall:\n  moments:\n    start:\n      topK: 1\n')
  await ask('policy validate', file)
  await ask('policy validate', wrong)
  const shop = openStoreAt(store, world.folder)
  const now = Date.now()
  commitEvents(shop, [systemEvent(LEARNED, { now })])
  runMaintenanceOrThrow(shop, now)
  await ask('policy show')
  await ask('policy history')
  await ask('policy freeze')
  await ask('policy unfreeze')
  await ask('policy reset', '--yes')
  await ask('policy history')
}

async function askTools(ask: Ask): Promise<void> {
  const all = ['--tags', 'pier', '--agent-id', 'agent-1', '--session', 'session-1']
  const { id } = await ask<Named>('memory store', 'The harbour is lit at dusk', ...all)
  const other = await ask<Named>('memory store', 'The harbour is lit at dusk', '--agent-id', 'agent-1')
  await ask('memory search', 'harbour')
  await ask('memory search', 'harbour', '--search-mode', 'keyword')
  await ask('memory get', id)
  await ask('memory update', id, '--content', 'The harbour is lit at dawn')
  await ask('memory list')
  await ask('memory get-score', id)
  await ask('memory set-score', id, '0.9', '--reason', 'asked for daily')
  await ask('memory batch-store', '--input', '{"items":[{"content":"A pier"},{"content":""}]}')
  await ask('memory batch-update', '--input', `{"updates":[{"id":"${id}","tags":["new"]},{"id":"none","tags":[]}]}`)
  // More than a block of the log, so that the hash of one is on disk.
  const long = Array.from({ length: 40 }, (_, i) => ({ content: `Pier ${i} `.repeat(1000) }))
  await ask('memory batch-store', '--input', JSON.stringify({ items: long }))
  await ask('memory consolidate', id, other.id)
  await ask('memory delete', other.id, '--yes')
  await ask('organize --sleep', 'agent-1')
}

async function askAboutEntries(ask: Ask): Promise<void> {
  for (const [layer, scope] of Object.entries({ project: [], global: ['--global'] })) {
    // The limit is two entries: each of the others goes into the archive when the next one is saved.
    for (const key of ['first', 'second', 'third', 'fourth']) {
      await ask('entry save', `${layer}-${key}`, '--content', `The ${key} lamp`, '--tags', 'pier', ...scope)
    }
    await ask('entry find', 'lamp', ...scope)
    const { entries } = await ask<{ entries: readonly Keyed[] }>('entry list', ...scope)
    await ask('entry summary', ...scope)
    const archived = await ask<{ entries: readonly Keyed[] }>('entry list --archived', ...scope)
    await ask('entry find --archived', 'lamp', ...scope)
    await ask('entry summary --archived', ...scope)
    await ask('entry delete', keyOf(entries[0]), '--yes', ...scope)
    await ask('entry restore', keyOf(archived.entries[0]), ...scope)
    await ask('entry get', keyOf(archived.entries[0]))
  }
  await ask('project untrust')
  await ask('project trust')
}

async function askAboutInstallation(ask: Ask, folder: string): Promise<void> {
  copyCodeCaches(path.join(folder, 'home'))
  await ask('doctor')
  await ask('init', '--mcp', '--dry-run')
  await ask('init', '--mcp')
  await ask('doctor')
  // As an earlier version has left it, and a file that is gone.
  const settings = path.join(folder, 'project/.claude/settings.local.json')
  fs.writeFileSync(settings, fs.readFileSync(settings, 'utf8').replaceAll(/(?<=runtime\/)[^/]+/g, '0.0.1'))
  fs.rmSync(path.join(folder, 'project/.mcp.json'))
  await ask('init --upgrade', '--dry-run')
  await ask('init --upgrade')
  await ask('init --upgrade')
  await ask('init', '--mcp')
  await ask('uninstall', '--dry-run')
  await ask('uninstall')
}

async function failEverywhere(fail: (...words: readonly string[]) => Promise<void>): Promise<void> {
  await fail('show', 'no-such-memory')
  await fail('list', '--limit', 'nonsense')
  await fail('no-such-command')
  await fail('memory', 'get', 'no-such-memory')
  await fail('entry', 'get', 'no-such-entry')
  await fail('policy', 'explain', 'no.such.number')
}

function keyOf(entry: Keyed | undefined): string {
  if (!entry) throw new Error('There is no entry')
  return entry.key
}

/** Both the commands' own errors and the tools' have this field. */
const isFailure = (answer: unknown): boolean => typeof answer === 'object' && answer !== null && 'error' in answer

function parsed(out: string): unknown {
  try {
    return JSON.parse(out)
  } catch {
    return undefined
  }
}
