// Which hooks ask for a refresh, so that other conversations know at once what this one has learned: only where there is
// one. The others are tested where another session is open.
import { describe, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { BEGIN, createTestStore, type ExampleSession, exampleSession, runHookPayloads } from '../../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"

/** A store in which another session is open. */
function storeWithReader(): Store {
  const store = createTestStore()
  runHookPayloads(store, session('other').starts().asks('What is in the cart?').recorded)
  runMaintenance(store, { now: BEGIN, sessions: [] })
  return store
}

/** The events whose hooks ask for a refresh, in order. */
const refreshing = (session: ExampleSession, store: Store = storeWithReader()): string[] =>
  runHookPayloads(store, session.recorded).flatMap(({ event, refresh }) => (refresh ? [event] : []))

const session = (name = 'now') => exampleSession(name, BEGIN)

describe('a call', () => {
  test('refresh: calls that pass ask for none', () => {
    expect(refreshing(session().runs('npm test').edits('src/cart.ts').runs('npm test'))).toEqual([])
  })

  test('refresh: a call that passes after it failed asks for one, the first time', () => {
    const fixed = session().fails('npm test', ERROR)
    for (let i = 0; i < 8; i++) fixed.edits(`src/part${i}.ts`)
    expect(refreshing(fixed.runs('npm test').runs('npm test'))).toEqual(['PostToolUse'])
  })

  test('refresh: a command that may replace one that has just failed asks for one', () => {
    expect(refreshing(session().fails('python run.py', ERROR).runs('python3 run.py'))).toEqual(['PostToolUse'])
  })

  test('refresh: what fails in one conversation is not fixed by a call of another', () => {
    const failed = session().sends('tester', 'a1', (agent) => agent.fails('npm test', ERROR))
    expect(refreshing(failed.runs('npm test'), createTestStore())).toEqual([])
  })

  test('refresh: the report of a subagent asks for one, whether it ran in the foreground or not', () => {
    expect(refreshing(session().calls('Agent', { prompt: 'Find the tests' }, 'Found.'))).toEqual([
      'PreToolUse',
      'PostToolUse',
    ])
    const prompt = '<task-notification> <task-id>a1</task-id> completed </task-notification>'
    expect(refreshing(session().tells('UserPromptSubmit', { prompt }))).toEqual(['UserPromptSubmit'])
  })

  test('refresh: the same failure again asks for one, a first failure does not', () => {
    expect(refreshing(session().fails('npm test', ERROR))).toEqual([])
    expect(refreshing(session().fails('npm test', ERROR).fails('npm test', ERROR))).toEqual(['PostToolUseFailure'])
  })
})

describe('a prompt', () => {
  test.each([
    'Always use pnpm in this project, please.',
    'Use tabs instead of spaces in the templates.',
    'Remember that the receipt printer needs cp437.',
    '今後は必ずpnpmを使ってください。',
    'npmではなくpnpmを使ってください。',
  ])('refresh: a prompt with an instruction that may last asks for one: %s', (prompt) => {
    expect(refreshing(session().asks(prompt))).toEqual(['UserPromptSubmit'])
  })

  test.each(['Why does the total of the cart differ from the receipt?', 'レシートの合計を直してください。', 'yes'])(
    'refresh: a prompt about the work at hand asks for none: %s',
    (prompt) => {
      expect(refreshing(session().asks(prompt))).toEqual([])
    },
  )
})

describe('the end of a turn', () => {
  const turn = () =>
    session()
      .asks('Look at the cart of the shop')
      .sends('tester', 'a1', () => {}, 'It works.')
      .answers('It works.')

  test('refresh: it asks for one only while another session is open', () => {
    const store = storeWithReader()
    expect(refreshing(turn(), store)).toEqual(['SubagentStop', 'Stop'])

    runHookPayloads(store, session('other').ends().recorded)
    runMaintenance(store, { now: BEGIN })
    expect(refreshing(turn(), store)).toEqual([])
  })

  test('refresh: it asks for none in a store without a snapshot, or with a damaged one', () => {
    const store = createTestStore()
    expect(refreshing(turn(), store)).toEqual([])
    store.files.append(store.layout.manifest, Buffer.from('{'), false)
    expect(refreshing(session().answers('Done.'), store)).toEqual([])
  })
})

describe('who could read it', () => {
  const fixes = (session: ExampleSession): ExampleSession => session.fails('npm test', ERROR).runs('npm test')

  test('refresh: without another conversation only what may last asks for one: a window may open next', () => {
    const alone = fixes(session().asks('Always use pnpm in this project, please.'))
      .fails('npm test', ERROR)
      .fails('npm test', ERROR)
      .calls('Read', { file_path: 'src/cart.ts' }, 'text')
      .tells('UserPromptSubmit', { prompt: '<task-notification> completed </task-notification>' })
      .tells('PreCompact', { trigger: 'auto' })
      .answers('Done.')
    expect(refreshing(alone, createTestStore())).toEqual(['UserPromptSubmit'])
  })

  test('refresh: an agent that starts asks for one before its call, and its report does not', () => {
    const sending = fixes(session()).calls('Agent', { prompt: 'Find the tests' }, 'Found.')
    expect(refreshing(sending, createTestStore())).toEqual(['PreToolUse'])
  })

  test('refresh: a fix asks for one while another agent runs, and not after its report', () => {
    const store = createTestStore()
    const running = session().sends('tester', 'a1', (agent) => agent.runs('ls'))
    running.recorded.pop() // The end of the agent.
    runHookPayloads(store, running.recorded)
    const goesOn = (): ExampleSession => exampleSession('now', running.now())
    expect(refreshing(fixes(goesOn()), store)).toEqual(['PostToolUse'])
    const reported = goesOn().calls('Agent', { prompt: 'Find the tests' }, 'Found.')
    reported.recorded.splice(0, reported.recorded.length - 1) // The call has begun before.
    expect(refreshing(reported, store)).toEqual([])
    expect(refreshing(fixes(goesOn()), store)).toEqual([])
  })
})
