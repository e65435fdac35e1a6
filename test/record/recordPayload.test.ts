// Every payload becomes an event of bounded size, and the same payload always becomes the same event.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { EVENT_BYTES_MAX } from '../../src/model/limits.ts'
import { type HookPayload, hookPayloadFromValue, parseHookPayload } from '../../src/record/hookPayload.ts'
import { isCompaction, recordPayload } from '../../src/record/recordPayload.ts'
import { encodeLogLine } from '../../src/store/log/eventLog.ts'
import { readReport } from '../../src/text/agentReport.ts'
import { arbitraryHistory } from '../arbitraries.ts'
import {
  BEGIN,
  type ExampleSession,
  exampleSession,
  loadRecordings,
  MINUTE,
  recordEvents,
  recordedAs,
} from '../testData.ts'

const FIELDS = [
  'agent_id',
  'agent_type',
  'compact_summary',
  'cwd',
  'duration_ms',
  'error',
  'git_branch',
  'is_interrupt',
  'last_assistant_message',
  'prompt',
  'prompt_id',
  'reason',
  'source',
  'tool_input',
  'tool_name',
  'tool_response',
  'tool_use_id',
  'trigger',
]
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
  'SomethingNew',
]

const long = fc
  .tuple(
    fc.constantFrom('x', 'word ', '日本', '\0', '"\\', '😀', '\n', '<private>'),
    fc.constantFrom(0, 1, 40, 600, 7_000),
  )
  .map(([unit, times]) => unit.repeat(times))
const inputs = fc.dictionary(
  fc.oneof(fc.constantFrom('command', 'file_path', 'content', 'path', 'prompt', 'toString', 'join', '__proto__'), long),
  fc.oneof(fc.string(), long, fc.jsonValue()),
  { maxKeys: 60, noNullPrototype: true },
)
const responses = fc.record(
  { stdout: long, stderr: long, text: fc.jsonValue(), content: fc.jsonValue(), filenames: fc.array(fc.jsonValue()) },
  { requiredKeys: [], noNullPrototype: true },
)

/** Any possible payload: known and unknown fields, of the right type and of any other. */
const arbitraryPayload: fc.Arbitrary<HookPayload> = fc
  .tuple(
    fc.constantFrom(...EVENTS),
    fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), fc.oneof(fc.jsonValue(), long), {
      noNullPrototype: true,
    }),
    fc.record({ tool_input: inputs, tool_response: responses, error: long, prompt: long }, { requiredKeys: [] }),
  )
  .map(([name, fields, more]) => ({ ...fields, ...more, session_id: 's1', hook_event_name: name }))

const bytesOf = (event: Event | undefined): number => (event ? encodeLogLine(event).length : 0)

test('record: every recorded payload becomes an event within the length limit of a line', () => {
  for (const { name, session } of loadRecordings()) {
    for (const { at, payload } of session) {
      const event = recordedAs(payload, { now: at })
      const isCompactions = payload.hook_event_name === 'SubagentStop' && payload['agent_type'] === ''
      expect(event === undefined, `${name} ${payload.hook_event_name}`).toBe(isCompactions)
      expect(bytesOf(event)).toBeLessThanOrEqual(EVENT_BYTES_MAX)
    }
  }
})

test('record: any payload becomes an event within the length limit of a line, and none throws', () => {
  fc.assert(
    fc.property(arbitraryPayload, fc.boolean(), (payload, again) => {
      const first = recordedAs(payload)
      const event = again && first ? recordedAs(payload, { recent: [{ ...first, id: 'other' as Event['id'] }] }) : first
      expect(bytesOf(event)).toBeLessThanOrEqual(EVENT_BYTES_MAX)
    }),
    // Long texts shrink slowly, and the first counterexample is enough.
    { numRuns: 300, endOnFailure: true },
  )
})

test('record: a text too long for a line keeps its beginning, its end and its ids', () => {
  const prompt = `最初の言葉。${'領収書'.repeat(20_000)}最後の言葉。`
  const event = recordedAs({ session_id: 'a-session', hook_event_name: 'UserPromptSubmit', prompt_id: 'p1', prompt })
  expect(event).toMatchObject({ kind: 'prompt', session: 'a-session', taskId: 'p1' })
  expect(event?.kind === 'prompt' && event.text).toMatch(/^最初の言葉。[\s\S]+characters cut[\s\S]+最後の言葉。$/)
  expect(bytesOf(event)).toBeGreaterThan(EVENT_BYTES_MAX / 2)
  expect(bytesOf(event)).toBeLessThanOrEqual(EVENT_BYTES_MAX)
})

test('record: a payload needs a session and an event name, and reading any text never throws', () => {
  const payload = { session_id: 's1', hook_event_name: 'Stop' }
  expect(parseHookPayload(`\ufeff ${JSON.stringify(payload)}\n`)).toEqual(payload)
  for (const name of ['session_id', 'hook_event_name'] as const) {
    expect(hookPayloadFromValue({ ...payload, [name]: '' })).toBeUndefined()
    expect(hookPayloadFromValue({ ...payload, [name]: 5 })).toBeUndefined()
    expect(hookPayloadFromValue({ ...payload, [name]: 'x'.repeat(100_000) })).toBeUndefined()
  }
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseHookPayload(text)))
})

test('record: the same payload has the same id milliseconds later', () => {
  for (const { session } of loadRecordings()) {
    for (const { at, payload } of session) {
      expect(recordedAs(payload, { now: at + 40 })?.id).toBe(recordedAs(payload, { now: at })?.id)
    }
  }
})

test('record: each compaction of one turn has ids of its own, and both copies of a hook have the same', () => {
  const compacts = (session: ExampleSession) =>
    session.tells('PreCompact', { trigger: 'auto' }).starts('compact').tells('PostCompact', { trigger: 'auto' })
  const turn = compacts(exampleSession().starts().asks('Go on.').runs('npm test'))
  const { recorded } = compacts(turn.sends('Explore', 'a1', (agent) => agent.runs('ls')).runs('npm test'))
  const twice = recorded.flatMap((one) => [one, { ...one, at: one.at + 2 }])
  const ids = recordEvents(twice).flatMap((event) => (isCompaction(event) ? [event.id] : []))
  expect(ids).toHaveLength(12)
  expect(new Set(ids).size).toBe(6)
})

test('record: all payloads of a session have different ids', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      for (const session of sessions) {
        const calls = recordEvents(session).filter((event) => 'call' in event)
        expect(new Set(calls.map((event) => event.id)).size).toBe(calls.length)
      }
    }),
    { numRuns: 40 },
  )
  const two = exampleSession()
    .starts()
    .asks('Go on.')
    .waits(2 * MINUTE)
    .asks('Go on.')
    .answers('Done.')
    .waits(MINUTE)
    .answers('Done.')
  const ids = recordEvents(two.recorded).map((event) => event.id)
  // The same answer twice within a task is one answer: plugin and settings can both report it.
  expect(new Set(ids).size).toBe(ids.length - 1)
})

test('record: a task notification is no prompt, and the subagent of compaction is ignored', () => {
  const prompt = { session_id: 's1', hook_event_name: 'UserPromptSubmit' }
  expect(recordedAs({ ...prompt, prompt: '\n<task-notification>\n<task-id>b1</task-id>' })).toBeUndefined()
  expect(recordedAs({ ...prompt, prompt: 'What is a <task-notification>?' })?.kind).toBe('prompt')
  const stop = { session_id: 's1', hook_event_name: 'SubagentStop', last_assistant_message: 'Found.' }
  expect(recordedAs({ ...stop, agent_type: '' })).toBeUndefined()
  expect(recordedAs({ ...stop, agent_type: 'Explore' })?.kind).toBe('agent.stopped')
})

test.each([
  ['a subagent', { agent_id: 'a1', agent_type: 'Explore' }, 'Explore', 'agent-only'],
  ['a subagent of the type main', { agent_id: 'a1', agent_type: 'main' }, 'main subagent', 'agent-only'],
  ['a subagent with an empty type', { agent_id: 'a1', agent_type: '' }, 'unnamed subagent', 'agent-only'],
  ['a subagent without a type', { agent_id: 'a1' }, 'unnamed subagent', 'agent-only'],
  ['a main thread with a type', { agent_type: 'reviewer' }, 'main', 'public'],
])('record: an event is one of a subagent by its agent id, not by its type: %s', (_, agent, role, privacy) => {
  const call = { session_id: 's1', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'make' } }
  expect(recordedAs({ ...call, ...agent })).toMatchObject({ role, privacy })
})

test('record: the event of a subagent that ends has the lessons and the outcome of its report', () => {
  const payload = {
    ...{ session_id: 's1', hook_event_name: 'SubagentStop', agent_type: 'fixer', agent_id: 'a1' },
    last_assistant_message: 'Status: not fixed\n\nLessons:\n- Run `npm ci` before the tests.\n',
  }
  const context = { now: 0, root: '/project', recent: () => [] }
  expect(recordPayload(payload as never, { ...context, readReport })).toMatchObject({
    outcome: 'failure',
    lessons: ['Run `npm ci` before the tests.'],
  })
})

test('record: secrets and private parts never appear in an event', () => {
  const secret = `ghp_${'FAKE'.repeat(9)}`
  const everywhere = {
    prompt: `use ${secret} and <private>my diary</private> please`,
    tool_name: 'Bash',
    tool_input: { command: `curl -H "Authorization: Bearer ${secret}" x`, deep: [{ note: '<PRIVATE>my diary' }] },
    tool_response: { stdout: `token ${secret}`, stderr: '<private>my diary</private>' },
    error: `Exit code 1\n${secret} <private>my diary`,
    last_assistant_message: `${secret} <private>my diary</private>`,
    compact_summary: `${secret} <private>my diary</private>`,
    something_new: { inside: [secret, '<private>my diary</private>'] },
    [`about ${secret}`]: true,
  }
  for (const hook_event_name of EVENTS) {
    const event = recordedAs({ session_id: 's1', hook_event_name, agent_type: 'Explore', ...everywhere })
    const line = encodeLogLine(event!).toString()
    expect(line, hook_event_name).not.toContain('FAKEFAKE')
    expect(line, hook_event_name).not.toContain('diary')
  }
})

test('record: a secret across the truncation point of a long text is removed completely', () => {
  const secret = `ghp_${'FAKE'.repeat(9)}`
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6_100 }), (before) => {
      const prompt = `${'x '.repeat(before / 2)}${secret}${' y'.repeat(3_000)}`
      const event = recordedAs({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt })
      expect(encodeLogLine(event!).toString()).not.toContain('FAKE')
    }),
    { numRuns: 50 },
  )
})

test('record: a subagent’s call is for agents of its role, the main conversation’s is for all', () => {
  const told = exampleSession().starts().asks('Where are the prices read?')
  told.sends('Explore', 'a1', (agent) => agent.runs('rg prices src'), 'In src/prices.js.').runs('npm test')
  const calls = recordEvents(told.recorded).filter((event) => event.kind === 'call.succeeded')
  expect(calls[0]).toMatchObject({ role: 'Explore', agentId: 'a1', privacy: 'agent-only' })
  expect(calls[1]).toMatchObject({ role: 'main', agentId: undefined, privacy: 'public' })
})

test('record: files are named relative to the repository, commands by shape, failures by signature', () => {
  const told = exampleSession()
    .edits('src/cart.js')
    .fails('cd /home/dev/shop && npm test -- cart | tail', 'Error: Cannot find x.json')
  const [edit, failure] = recordEvents(told.recorded).filter((event) => event.kind !== 'call.started')
  expect(edit).toMatchObject({ files: ['src/cart.js'], outcome: 'success' })
  expect(failure).toMatchObject({ commandShape: 'npm test', outcome: 'failure', errorSignature: expect.any(String) })
})

test('record: a call that repeats an earlier one with the same outcome names it', () => {
  const calls = recordEvents(
    exampleSession().runs('npm test').edits('a.js').runs('npm test').fails('npm test', 'Error: no').recorded,
  )
  const ends = calls.filter((event) => event.kind === 'call.succeeded' || event.kind === 'call.failed')
  expect(ends.map((event) => 'repeatOf' in event && event.repeatOf)).toEqual([false, false, ends[0]!.id, false])
})

test('record: a payload of a later client is kept under its name, with its unknown fields', () => {
  const event = recordedAs(
    { session_id: 's1', hook_event_name: 'WorktreeCreate', worktree: { path: '/w' } },
    { now: BEGIN },
  )
  expect(event).toMatchObject({ kind: 'other', name: 'WorktreeCreate', extra: { worktree: { path: '/w' } } })
})

test('record: printed env files are kept without their values, other command output is kept unchanged', () => {
  const output = 'SHOP_NAME=three-coffees\nGREETING=welcome'
  const told = (command: string): string => {
    const event = recordEvents(exampleSession().runs(command, output).recorded).find(
      (one) => one.kind === 'call.succeeded',
    )
    return event?.kind === 'call.succeeded' ? event.output : ''
  }
  expect(told('cat .env')).not.toMatch(/three-coffees|welcome/)
  expect(told('cat .env')).toContain('SHOP_NAME=')
  expect(told('source .env && npm run greet')).toBe(output)
  expect(told('cat .env.example')).toBe(output)
})
