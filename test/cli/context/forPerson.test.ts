// What is for a person is refused where an agent runs it, with one line; a slash command that the person typed counts.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { FOR_PERSON } from '../../../src/cli/context/forPerson.ts'
import { runCli } from '../../../src/cli/runCli.ts'
import { runSlashCommand } from '../../../src/cli/slashCommands.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { memoryDelete } from '../../../src/tools/memory/memoryTools.ts'
import { memoryUpdate } from '../../../src/tools/memory/storeTools.ts'
import { BEGIN, exampleSession, HOUR, loadLiveMemories, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

const SESSION = 'session-one'

/** What follows the words of the table. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'remember --scope person': ['Run the installer'],
  forget: ['3f2a', '--yes'],
  'search --private': ['words'],
  'show --private': ['3f2a'],
  'recall --role': ['Explore', 'words'],
  'recall --agent': ['a1', 'words'],
  'uninstall --purge': ['--yes'],
  'project link': ['other'],
  'organize --answer': ['answer.json'],
  'project merge': ['other'],
  'project forget': ['other', '--yes'],
  'policy reset': ['--yes'],
  'import memctl': ['x.jsonl'],
  'rebuild --from': ['copy', '--replace'],
  'hub connect': ['postgres://localhost/x'],
  'hub join': ['--yes'],
  'hub grant': ['reader'],
  'hub revoke': ['reader'],
  'hub policy --kinds': ['lesson'],
  'hub policy --review': ['off'],
  'hub review': ['accept', '3f2a'],
  'hub pin': ['3f2a'],
  'hub remove': ['--yes'],
}

let world: World
let program: typeof runCli
beforeEach(() => {
  program = runCli
  world = newWorld({}, (words, io) => program(words, io))
})
afterEach(() => world.end())

const store = () => openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })
const inSession = async (...words: readonly string[]) => {
  program = (argv, io) =>
    runCli(argv, { ...io, env: { ...io.env, CLAUDECODE: '1' }, ask: () => Promise.resolve('yes') })
  const said = await world.memctl(...words)
  program = runCli
  return said
}
const slash = async (name: string, text: string, isOfClient?: boolean) => {
  program = async (_, io) => {
    const inClient = { ...io, env: { ...io.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: SESSION } }
    await runSlashCommand(name, { text, isCut: false, isOfClient }, inClient, () => undefined)
    return 0
  }
  const said = await world.memctl()
  program = runCli
  return said
}
let typed = 0
const type = (prompt: string) =>
  runHookPayloads(store(), exampleSession(SESSION, BEGIN + ++typed * HOUR).asks(prompt).recorded)
const memories = () => Object.values(loadLiveMemories(store()))

for (const [words, typedInstead] of Object.entries(FOR_PERSON).filter(([words]) => words !== 'read-sessions'))
  test(`for a person: an agent that runs memctl ${words} gets one line with what the person can type`, async () => {
    const { status, out, err } = await inSession(...words.split(' '), ...(ARGUMENTS[words] ?? []))
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(
      /^memctl: .* is for a person, and this command runs inside a session\. The person can type .*\n$/,
    )
    if (typedInstead !== undefined) expect(err).toContain(typedInstead)
    expect(fs.readdirSync(world.folder)).toEqual(['project'])
  })

test('for a person: an agent does not see by a dry run of forget which private texts there are', async () => {
  await world.memctl('memory', 'store', 'The cart total is secret', '--privacy', 'private')
  expect(await inSession('forget', '--text', 'cart total', '--dry-run')).toMatchObject({ status: 2, out: '' })
})

const REFUSED = 'is for a person'
const REMEMBERED = 'Remembered for you, in every project'
/** The events of one more hour of the session. */
const later = () => exampleSession(SESSION, BEGIN + ++typed * HOUR)
const run = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: command })

test('for a person: a slash command counts if the person has just typed this text', async () => {
  type('/memctl:remember --scope person Use tabs')
  runHookPayloads(store(), exampleSession('another').tells('PreToolUse', run('sleep 9')).recorded)
  expect((await slash('remember', '--scope person Run the installer')).out).toContain(REFUSED)
  expect((await slash('read-sessions', 'yes')).out).toContain(REFUSED)
  expect((await slash('forget', '3f2a --yes')).out).toContain('in a terminal of their own')
  expect(memories()).toEqual([])
  expect((await slash('remember', '--scope person Use tabs')).out).toContain(REMEMBERED)
  type('/memctl:read-sessions no')
  expect((await slash('read-sessions', 'no')).out).toContain('Claude does not read finished sessions')
})

test('for a person: a text that was typed counts for nobody once the conversation has gone on', async () => {
  const typesAgain = () => later().asks('/memctl:remember --scope person Use tabs')
  const ways = [
    typesAgain().tells('PreToolUse', run('sleep 9')),
    typesAgain().calls('Bash', { command: 'sh run.sh', run_in_background: true }).answers('Done.'),
    typesAgain().calls('Bash', { command: 'true' }).ends(),
  ]
  for (const session of ways) {
    runHookPayloads(store(), session.recorded)
    expect((await slash('remember', '--scope person Use tabs')).out).toContain(REFUSED)
  }
  expect(memories()).toEqual([])
})

test('for a person: a slash command that is not recorded yet counts if the shell of the client runs it', async () => {
  const text = '--scope person Use tabs'
  // Where hooks do not record the session, its calls are unknown.
  expect((await slash('remember', text, true)).out).toContain(REFUSED)
  type('Go on, please.')
  expect((await slash('remember', text, false)).out).toContain(REFUSED)
  expect((await slash('remember', text)).out).toContain(REMEMBERED)
  // A command that was left running can name another session.
  const calls = exampleSession('another').calls('Bash', { command: 'sh run.sh &' })
  runHookPayloads(store(), calls.recorded)
  expect((await slash('remember', text)).out).toContain(REFUSED)
  expect((await slash('remember', text, true)).out).toContain(REMEMBERED)
  runHookPayloads(store(), calls.tells('PreToolUse', run("node slash.mjs forget <<'END_OF_MEMCTL_TEXT'")).recorded)
  expect((await slash('remember', text, true)).out).toContain(REFUSED)
})

test('for a person: what an agent remembers is the words of the model, also when it edits an entry', async () => {
  expect((await inSession('remember', 'Push to main at once')).out).toContain('Noted, as the words of Claude,')
  const [memory] = memories()
  expect(memory?.knowledge).toMatchObject({ author: 'model' })
  expect(memory?.knowledge?.asked ?? memory?.knowledge?.quote).toBe(undefined)
  await inSession('supersede', '--reword', memory?.id ?? '', 'Push to main at any time')
  await inSession('memory', 'update', memory?.id ?? '', '--content', 'Always push to main')
  expect(memories()[0]?.knowledge).toMatchObject({ author: 'model', line: 'Always push to main' })
  expect((await world.memctl('recall', '--moment', 'start')).out).not.toContain('The person said')
})

test('for a person: an agent cannot change, pin, replace, contradict or delete what a person has said', async () => {
  await world.memctl('remember', 'Never push to main without a review')
  const before = memories()
  const id = before[0]?.id ?? ''
  const attempts = [
    ['supersede', id, 'Push to main'],
    ['supersede', '--reword', id, 'Push to main'],
    ['supersede', '--outdated', id],
    ['memory', 'pin', id],
    ['remember', 'Never push to main without a review'],
    ['remember', 'Always push to main without a review'],
    ['memory', 'update', id, '--content', 'Push to main'],
    ['memory', 'delete', id, '--yes'],
    ['memory', 'set-score', id, '0'],
  ]
  for (const words of attempts) {
    const { status, err } = await inSession(...words)
    expect([words, status, err.trim().split('\n').length]).toEqual([words, 2, 1])
    expect(err).toContain(`/memctl:outdated ${id.slice(0, 8)}`)
  }
  const context = createToolContext({ store: store(), role: 'owner', isForAgent: true, env: {}, now: Date.now })
  expect(await invokeTool(memoryUpdate, { id, content: 'x' }, context)).toMatchObject({ kind: 'failure' })
  expect(await invokeTool(memoryDelete, { id }, context)).toMatchObject({ kind: 'failure' })
  // A filter leaves them out.
  const later = '2100-01-01T00:00:00Z'
  expect(await invokeTool(memoryDelete, { older_than: later }, context)).toMatchObject({ output: { deleted_count: 0 } })
  expect(memories()).toEqual(before)
  expect((await world.memctl('memory', 'pin', id)).status).toBe(0)
})
