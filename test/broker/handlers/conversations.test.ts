// Conversations: the main thread, each subagent and each window are shown what they do not know yet, whatever the
// others were shown; and none is shown what it has lived through itself.
import { describe, expect, test } from 'vitest'
import { replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import {
  BEGIN,
  createTestStore,
  DAY,
  type ExampleSession,
  exampleSession,
  HOUR,
  runHookPayloads,
} from '../../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const FIX = 'npm run build:prices'
const LATER = BEGIN + 2 * DAY

/** A store without a holdout. */
function newStore(): Store {
  const store = createTestStore()
  const body = { kind: 'policy.chosen', name: 'all', values: { 'recall.withholdShare': 0 } } as const
  appendEvents(store.files, store.layout.events, [systemEvent(body, { now: BEGIN - HOUR })])
  runMaintenance(store, { now: BEGIN - HOUR })
  return store
}

/** A store whose first session has fixed a failure. */
function storeWithLesson(): Store {
  const store = newStore()
  const first = fixes(exampleSession('first', BEGIN).starts().asks('Get the tests to run, please.'))
  replaySessions(store, [first.answers('They run.').ends().recorded])
  return store
}

const fixes = (session: ExampleSession): ExampleSession => session.fails('npm test', ERROR).runs(FIX).runs('npm test')

/** The events whose hooks showed the fix, in order. */
const showingFix = (store: Store, session: ExampleSession): string[] =>
  runHookPayloads(store, session.recorded).flatMap(({ event, context }) => (context?.includes(FIX) ? [event] : []))

/** Runs the session's payloads so far, and makes available what it has learned. The session goes on. */
function learn(store: Store, session: ExampleSession): void {
  runHookPayloads(store, session.recorded.splice(0))
  refreshRecent(store, session.now())
}

describe('what another conversation was shown', () => {
  // A compaction removes what the start has shown.
  const session = () => exampleSession('later', LATER).starts().starts('compact')

  test('conversations: what the main thread was shown does not silence its subagent', () => {
    const store = storeWithLesson()
    const main = session().fails('npm test', ERROR)
    expect(showingFix(store, main)).toEqual(['SessionStart', 'PostToolUseFailure'])
    // The start of a subagent has nothing to do with the tests here: it is shown the facts only.
    const sub = exampleSession('later', main.now()).sends('tester', 'a1', (agent) => agent.fails('npm test', ERROR))
    expect(showingFix(store, sub)).toEqual(['SubagentStart'])
    const other = exampleSession('later', sub.now()).sends('tester', 'a2', (agent) => agent.fails('npm test', ERROR))
    expect(showingFix(store, other)).toEqual(['SubagentStart'])
  })

  test('conversations: what a subagent was shown does not silence the main thread, before and after a snapshot', () => {
    for (const hasSnapshot of [false, true]) {
      const store = storeWithLesson()
      const sub = session().sends('tester', 'a1', (agent) => agent.fails('npm test', ERROR))
      showingFix(store, sub)
      if (hasSnapshot) runMaintenance(store, { now: sub.now(), sessions: [] })
      const main = exampleSession('later', sub.now()).fails('npm test', ERROR)
      expect(showingFix(store, main), String(hasSnapshot)).toEqual(['PostToolUseFailure'])
    }
  })

  test('conversations: nothing is shown twice to a subagent, before and after a snapshot', () => {
    for (const hasSnapshot of [false, true]) {
      const store = storeWithLesson()
      const sub = session()
        .tells('SubagentStart', { agent_id: 'a1', agent_type: 'tester' })
        .tells('PostToolUse', { tool_name: 'Read', tool_input: {}, tool_use_id: 'x' })
      runHookPayloads(store, sub.recorded)
      if (hasSnapshot) runMaintenance(store, { now: sub.now(), sessions: [] })
      const again = exampleSession('later', sub.now()).sends('tester', 'a1', (agent) =>
        agent.fails('npm test', ERROR).fails('npm test', ERROR),
      )
      again.recorded.shift() // It has started already.
      expect(showingFix(store, again), String(hasSnapshot)).toEqual([])
    }
  })

  test('conversations: a list of an earlier version, one for a session, counts for the main thread', () => {
    const store = storeWithLesson()
    runHookPayloads(store, exampleSession('later', LATER).starts().recorded)
    runMaintenance(store, { now: LATER + HOUR, sessions: [] })
    const main = exampleSession('later', LATER + HOUR).fails('npm test', ERROR)
    expect(showingFix(store, main)).toEqual([])
  })
})

describe('what a conversation has lived through', () => {
  const working = () => exampleSession('later', LATER).starts().asks('Get the tests to run, please.')
  const failsAgain = (session: ExampleSession) =>
    exampleSession(session.session, session.now()).fails('npm test', ERROR)

  test('conversations: an error that the main thread has fixed is not explained to it again', () => {
    const store = newStore()
    const main = fixes(working())
    learn(store, main)
    expect(showingFix(store, failsAgain(main))).toEqual([])
    const prompt = exampleSession('later', main.now()).asks(`What does this mean?\n${ERROR}`)
    expect(showingFix(store, prompt)).toEqual([])
  })

  test('conversations: its subagent and another window are shown the fix while the session goes on', () => {
    const store = newStore()
    const main = fixes(working())
    learn(store, main)
    const sub = exampleSession('later', main.now()).sends('tester', 'a1', (agent) => agent.fails('npm test', ERROR))
    expect(showingFix(store, sub)).toHaveLength(1)
    const window = exampleSession('window', main.now()).starts().fails('npm test', ERROR)
    expect(showingFix(store, window)).toHaveLength(1)
  })

  test('conversations: only another agent of its role is shown what a subagent has learned', () => {
    const store = newStore()
    const sub = working().sends('tester', 'a1', (agent) => fixes(agent))
    learn(store, sub)
    const again = exampleSession('later', sub.now()).sends('tester', 'a1', (agent) => agent.fails('npm test', ERROR))
    again.recorded.shift() // It is the same conversation that goes on.
    expect(showingFix(store, again)).toEqual([])
    const other = exampleSession('later', sub.now()).sends('tester', 'a2', (agent) => agent.fails('npm test', ERROR))
    expect(showingFix(store, other)).toHaveLength(1)
    expect(showingFix(store, failsAgain(sub))).toEqual([])
  })

  test('conversations: who met an error that another window has fixed since is shown the fix', () => {
    const store = newStore()
    const first = working().fails('npm test', ERROR)
    learn(store, first)
    const window = fixes(exampleSession('window', first.now()).starts().asks('Get the tests to run, please.'))
    learn(store, window)
    expect(showingFix(store, exampleSession('later', window.now()).fails('npm test', ERROR))).toHaveLength(1)
    expect(showingFix(store, exampleSession('window', window.now()).fails('npm test', ERROR))).toEqual([])
  })

  test('conversations: a fix that was known in part is not explained to who has just found it', () => {
    const store = newStore()
    const early = exampleSession('early', BEGIN).starts().fails('npm test', ERROR).ends()
    replaySessions(store, [early.recorded])
    const main = fixes(working())
    learn(store, main)
    expect(showingFix(store, failsAgain(main))).toEqual([])
    expect(showingFix(store, exampleSession('window', main.now()).fails('npm test', ERROR))).toHaveLength(1)
  })

  test('conversations: after a compaction the main thread is shown what it learned before it', () => {
    const store = newStore()
    const main = fixes(working())
    learn(store, main)
    const compacted = exampleSession('later', main.now() + 1_000).starts('compact')
    runHookPayloads(store, compacted.recorded)
    runMaintenance(store, { now: compacted.now(), sessions: [] })
    expect(showingFix(store, failsAgain(compacted))).toHaveLength(1)
  })

  test('conversations: after each compaction of one turn the main thread is shown it again', () => {
    const store = storeWithLesson()
    const turn = working()
    const showingAfterCompaction = (): string[] => {
      runHookPayloads(store, turn.runs('ls').starts('compact').recorded.splice(0))
      runMaintenance(store, { now: turn.now(), sessions: [] })
      const showing = showingFix(store, turn.fails('npm test', ERROR))
      turn.recorded.splice(0)
      return showing
    }
    expect(showingAfterCompaction()).toHaveLength(1)
    expect(showingAfterCompaction()).toHaveLength(1)
  })

  test('conversations: after a compaction wishes are shown again, once, without what the state says', () => {
    const store = storeWithLesson()
    const said = exampleSession('said', LATER).starts().asks('Never use var.').answers('OK.')
    learn(store, said)
    const main = exampleSession('later', said.now()).starts().asks('Always use pnpm instead of npm in this project.')
    learn(store, main)
    const turn = exampleSession('later', main.now()).starts('compact').runs('npm install').starts('compact')
    const texts = runHookPayloads(store, turn.recorded).map(({ context = '' }) => context)
    const [first = '', , , again = ''] = texts
    expect(first).toMatch(/The person said:\n- Never use var .*\n.*before the compaction/)
    expect(first.split('before the compaction')[0]).not.toContain('pnpm instead')
    expect(first).not.toContain('Known here')
    expect(again).toContain('Never use var')
    const resumed = exampleSession('later', turn.now()).starts('resume')
    expect(runHookPayloads(store, resumed.recorded)[0]?.context ?? '').not.toContain('Never use var')
  })

  test('conversations: what is learned after a compaction is in the context again', () => {
    const store = newStore()
    const main = fixes(working().starts('compact').waits(1_000))
    learn(store, main)
    expect(showingFix(store, failsAgain(main))).toEqual([])
  })

  test('conversations: a resumed conversation is shown no facts: it may have changed them', () => {
    const store = newStore()
    const main = exampleSession('earlier', LATER).starts().asks('Money is integer cents everywhere.').answers('OK.')
    learn(store, main)
    const starts = (source: string) =>
      runHookPayloads(store, exampleSession(source, main.now()).starts(source).recorded)[0]?.context ?? ''
    expect(starts('startup')).toContain('integer cents')
    expect(starts('resume')).not.toContain('integer cents')
  })

  test('conversations: a statement is shown at the start of another window, in English and Japanese', () => {
    for (const [said, word] of [
      ['Always use pnpm instead of npm in this project.', 'pnpm'],
      ['今後は必ずpnpmを使ってください。', 'pnpm'],
    ] as const) {
      const store = newStore()
      const main = exampleSession('later', LATER).starts().asks(said).answers('OK.')
      learn(store, main)
      const starts = (session: string, source: string) =>
        runHookPayloads(store, exampleSession(session, main.now()).starts(source).recorded)[0]?.context ?? ''
      expect(starts('window', 'startup')).toContain(word)
      expect(starts('later', 'resume')).not.toContain(word)
    }
  })
})
