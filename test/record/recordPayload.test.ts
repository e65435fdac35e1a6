// Record: every payload becomes an event of bounded size, whatever is in it, and the same payload always the same one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { EVENT_BYTES_MAX } from '../../src/model/limits.ts'
import { type HookPayload, hookPayloadFromValue, parseHookPayload } from '../../src/record/hookPayload.ts'
import { encodeLogLine } from '../../src/store/log/logLine.ts'
import { arbitraryHistory } from '../arbitraries.ts'
import { BEGIN, exampleSession, loadRecordings, MINUTE, recordEvents, recordedAs } from '../testData.ts'

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

/** Any payload there could be: known and unknown fields, of the right type and of any other. */
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

test('record: every payload of the recordings becomes an event no longer than a line may be', () => {
  for (const { name, session } of loadRecordings()) {
    for (const { at, payload } of session) {
      const event = recordedAs(payload, { now: at })
      const isCompactions = payload.hook_event_name === 'SubagentStop' && payload['agent_type'] === ''
      expect(event === undefined, `${name} ${payload.hook_event_name}`).toBe(isCompactions)
      expect(bytesOf(event)).toBeLessThanOrEqual(EVENT_BYTES_MAX)
    }
  }
})

test('record: any payload becomes an event no longer than a line may be, and nothing in it makes recording throw', () => {
  fc.assert(
    fc.property(arbitraryPayload, fc.boolean(), (payload, again) => {
      const first = recordedAs(payload)
      const event = again && first ? recordedAs(payload, { recent: [{ ...first, id: 'other' as Event['id'] }] }) : first
      expect(bytesOf(event)).toBeLessThanOrEqual(EVENT_BYTES_MAX)
    }),
    // Long texts shrink slowly, and what fails says enough by itself.
    { numRuns: 300, endOnFailure: true },
  )
})

test('record: what is too long for a line keeps its beginning, its end and its ids', () => {
  const prompt = `最初の言葉。${'領収書'.repeat(20_000)}最後の言葉。`
  const event = recordedAs({ session_id: 'a-session', hook_event_name: 'UserPromptSubmit', prompt_id: 'p1', prompt })
  expect(event).toMatchObject({ kind: 'prompt', session: 'a-session', taskId: 'p1' })
  expect(event?.kind === 'prompt' && event.text).toMatch(/^最初の言葉。[\s\S]+characters cut[\s\S]+最後の言葉。$/)
  expect(bytesOf(event)).toBeGreaterThan(EVENT_BYTES_MAX / 2)
  expect(bytesOf(event)).toBeLessThanOrEqual(EVENT_BYTES_MAX)
})

test('record: a text is a payload only with a session and an event name, and nothing makes reading it throw', () => {
  const payload = { session_id: 's1', hook_event_name: 'Stop' }
  expect(parseHookPayload(`\ufeff ${JSON.stringify(payload)}\n`)).toEqual(payload)
  for (const name of ['session_id', 'hook_event_name'] as const) {
    expect(hookPayloadFromValue({ ...payload, [name]: '' })).toBeUndefined()
    expect(hookPayloadFromValue({ ...payload, [name]: 5 })).toBeUndefined()
    expect(hookPayloadFromValue({ ...payload, [name]: 'x'.repeat(100_000) })).toBeUndefined()
  }
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseHookPayload(text)))
})

test('record: the same payload twice has the same id, though milliseconds apart', () => {
  for (const { session } of loadRecordings()) {
    for (const { at, payload } of session) {
      expect(recordedAs(payload, { now: at + 40 })?.id).toBe(recordedAs(payload, { now: at })?.id)
    }
  }
})

test('record: no two payloads of a session have the same id', () => {
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
  // One answer told twice within one task is the same answer: plugin and settings both do that.
  expect(new Set(ids).size).toBe(ids.length - 1)
})

test('record: a task notification is nobody’s prompt, and compaction’s own subagent is nobody', () => {
  const prompt = { session_id: 's1', hook_event_name: 'UserPromptSubmit' }
  expect(recordedAs({ ...prompt, prompt: '\n<task-notification>\n<task-id>b1</task-id>' })).toBeUndefined()
  expect(recordedAs({ ...prompt, prompt: 'What is a <task-notification>?' })?.kind).toBe('prompt')
  const stop = { session_id: 's1', hook_event_name: 'SubagentStop', last_assistant_message: 'Found.' }
  expect(recordedAs({ ...stop, agent_type: '' })).toBeUndefined()
  expect(recordedAs({ ...stop, agent_type: 'Explore' })).toMatchObject({ kind: 'agent.stopped', role: 'Explore' })
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

test('record: a secret that straddles the cut of a long text is gone whole', () => {
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

test('record: a call of a subagent is its own, for agents of its role; the main conversation’s is for all', () => {
  const told = exampleSession().starts().asks('Where are the prices read?')
  told.sends('Explore', 'a1', (agent) => agent.runs('rg prices src'), 'In src/prices.js.').runs('npm test')
  const calls = recordEvents(told.recorded).filter((event) => event.kind === 'call.succeeded')
  expect(calls[0]).toMatchObject({ role: 'Explore', agentId: 'a1', privacy: 'agent-only' })
  expect(calls[1]).toMatchObject({ role: 'main', agentId: undefined, privacy: 'public' })
})

test('record: files are named inside the repository, a command by its shape, a failure by its signature', () => {
  const told = exampleSession()
    .edits('src/cart.js')
    .fails('cd /home/dev/shop && npm test -- cart | tail', 'Error: Cannot find x.json')
  const [edit, failure] = recordEvents(told.recorded).filter((event) => event.kind !== 'call.started')
  expect(edit).toMatchObject({ files: ['src/cart.js'], outcome: 'success' })
  expect(failure).toMatchObject({ commandShape: 'npm test', outcome: 'failure', errorSignature: expect.any(String) })
})

test('record: a call like an earlier one, with the same outcome, says which it repeats', () => {
  const calls = recordEvents(
    exampleSession().runs('npm test').edits('a.js').runs('npm test').fails('npm test', 'Error: no').recorded,
  )
  const ends = calls.filter((event) => event.kind === 'call.succeeded' || event.kind === 'call.failed')
  expect(ends.map((event) => 'repeatOf' in event && event.repeatOf)).toEqual([false, false, ends[0]!.id, false])
})

test('record: a payload of a later client is kept under its name, with the fields nobody here knows', () => {
  const event = recordedAs(
    { session_id: 's1', hook_event_name: 'WorktreeCreate', worktree: { path: '/w' } },
    { now: BEGIN },
  )
  expect(event).toMatchObject({ kind: 'other', name: 'WorktreeCreate', extra: { worktree: { path: '/w' } } })
})

test('record: what a command prints of an env file is kept without its values, what another prints is kept whole', () => {
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
