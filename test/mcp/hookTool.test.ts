// Hooks that the client runs by a tool of the server, in place of their scripts.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hookCommandFactory } from '../../src/cli/install/ourSettings.ts'
import type { HookServer } from '../../src/mcp/hookTool.ts'
import { runHookTool } from '../../src/mcp/hookTool.ts'
import { HOOK_REGISTRATIONS, HOOK_TOOL } from '../../src/model/hookEvents.ts'
import { builtHook, runHooks } from '../hook/hookRuns.ts'
import { newFolder } from '../tempFolders.ts'
import { mcpClient } from '../tools/callers.ts'

type Payload = Readonly<Record<string, unknown>>

let folder: string
let project: string

beforeEach(() => {
  folder = newFolder()
  project = path.join(folder, 'shop')
  fs.mkdirSync(path.join(project, '.git'), { recursive: true })
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const homeOf = (name: string): string => path.join(folder, name)
const serverOf = (name: string, more: Readonly<Record<string, string>> = {}): HookServer => ({
  env: { HOME: folder, MEMCTL_HOME: homeOf(name), CLAUDE_PROJECT_DIR: project, ...more },
  now: Date.now,
  // No worker starts: this script ends at once.
  watchdog: path.join(folder, 'none.cjs'),
})

/** The texts that the client makes of the fields of a payload, as the settings of init ask for them. */
function argumentsFor(payload: Payload): Record<string, string> {
  const registration = HOOK_REGISTRATIONS.find(({ event }) => event === payload['hook_event_name'])!
  const { type, input } = hookCommandFactory('/hooks', true)(registration)
  if (type !== 'mcp_tool') throw new Error(`A script runs ${registration.event}`)
  return Object.fromEntries(
    Object.entries(input as Record<string, string>).map(([name, text]) => {
      const field = /^\$\{(\w+)\}$/.exec(text)?.[1]
      const value = field === undefined ? text : (payload[field] ?? '')
      return [name, typeof value === 'string' ? value : JSON.stringify(value)]
    }),
  )
}

function eventsIn(name: string): readonly Readonly<Record<string, unknown>>[] {
  const projects = path.join(homeOf(name), 'projects')
  const [store] = fs.existsSync(projects) ? fs.readdirSync(projects) : []
  const log = path.join(projects, store ?? '', 'events/000001.jsonl')
  const lines = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trimEnd().split('\n') : []
  return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind !== undefined)
}

function faultsIn(name: string): string {
  const projects = path.join(homeOf(name), 'projects')
  const [store = ''] = fs.existsSync(projects) ? fs.readdirSync(projects) : []
  const file = path.join(projects, store, 'faults.jsonl')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}

const payloadOf = (hook_event_name: string, fields: Payload = {}): Payload => ({
  ...{ session_id: 's1', transcript_path: '/t.jsonl', cwd: project, permission_mode: 'default', hook_event_name },
  prompt_id: 'p1',
  ...fields,
})

const bash = (n: number, command: string) => ({
  ...{ tool_name: 'Bash', tool_input: { command, description: 'd' }, tool_use_id: `call-${n}` },
})
const agent = { agent_id: 'a1', agent_type: 'Explore' }
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const session = (): readonly Payload[] => [
  payloadOf('UserPromptSubmit', { prompt: '{"not":"parsed"} 日本語\n"quoted" {cwd} Fix src/a.ts, please.' }),
  payloadOf('PreToolUse', bash(1, 'npm test')),
  payloadOf('PostToolUseFailure', {
    ...bash(1, 'npm test'),
    ...{ error: 'Exit code 1\nError: Cannot find module ./a', is_interrupt: false, duration_ms: 12 },
  }),
  payloadOf('PreToolUse', { ...bash(2, `curl -H "Authorization: Bearer ${SECRET}" x`), ...agent }),
  payloadOf('PostToolUse', {
    ...bash(2, `curl -H "Authorization: Bearer ${SECRET}" x`),
    ...{ tool_response: { stdout: `token=${SECRET}\n日本語`, stderr: '' }, duration_ms: 3, ...agent },
  }),
  payloadOf('PostToolUse', { ...bash(3, 'ls'), tool_response: 'a text, no object', duration_ms: 0 }),
  payloadOf('PostToolUseFailure', { ...bash(5, 'sleep 9'), error: 'Interrupted', is_interrupt: true }),
  payloadOf('Stop', { last_assistant_message: '[1] All done.' }),
]

test('mcp: a hook by the server records the same events, answers the same and removes the same as its script', () => {
  const env = { HOME: folder, MEMCTL_HOME: homeOf('scripts'), CLAUDE_PROJECT_DIR: project }
  const scriptOf = (payload: Payload): string =>
    HOOK_REGISTRATIONS.find(({ event }) => event === payload['hook_event_name'])!.script
  const runs = session().map((payload) => ({ script: scriptOf(payload), payload, cwd: project, env }))
  const { results, stderr } = runHooks(folder, runs, 60_000)
  expect(stderr).toBe('')
  const server = serverOf('server')
  const answers = session().map((payload) => runHookTool(argumentsFor(payload), server))
  expect(answers).toEqual(results.map(({ stdout }) => stdout || '{}'))
  const comparable = (name: string) => eventsIn(name).map(({ at: _, hookMs: __, crc: ___, ...event }) => event)
  expect(comparable('server')).toEqual(comparable('scripts'))
  // Also the ids: with both, scripts and server, each event is there once.
  expect(comparable('server').filter(({ id }) => typeof id === 'string')).toHaveLength(session().length)
  expect(JSON.stringify(eventsIn('server'))).not.toContain(SECRET)
  // A payload that is too long for both is shortened by both. Its script reads it from a pipe.
  const log = payloadOf('PostToolUse', {
    ...bash(4, 'cat log'),
    tool_response: { stdout: `first\n${'長い log\n'.repeat(100_000)}last` },
  })
  spawnSync(process.execPath, [builtHook('post-tool-use')], { input: `${JSON.stringify(log)}\n`, env })
  expect(runHookTool(argumentsFor(log), server)).toBe('{}')
  expect(comparable('server').at(-1)).toMatchObject({ call: 'call-4', output: expect.stringContaining('last') })
  expect(comparable('server').at(-1)).toEqual(comparable('scripts').at(-1))
  expect([faultsIn('scripts'), faultsIn('server')]).toEqual(['', ''])
})

test('mcp: a payload is in the log before the answer, and one that is none is a fault and not a disturbance', () => {
  const server = serverOf('server')
  runHookTool(argumentsFor(payloadOf('Stop', { last_assistant_message: 'Done.' })), server)
  expect(eventsIn('server')).toMatchObject([{ kind: 'answer', text: 'Done.' }])
  expect(runHookTool({ hook_event_name: 'PreToolUse' }, server)).toBe('{}')
  expect(faultsIn('server')).toContain('PAYLOAD_INCOMPLETE')
  // A store that cannot be written.
  fs.writeFileSync(homeOf('file'), '')
  expect(runHookTool(argumentsFor(payloadOf('Stop', { last_assistant_message: 'Done.' })), serverOf('file'))).toBe('{}')
})

test('mcp: with MEMCTL_OFF=1 the server records nothing', () => {
  const server = serverOf('off', { MEMCTL_OFF: '1' })
  for (const payload of session()) expect(runHookTool(argumentsFor(payload), server)).toBe('{}')
  expect(fs.existsSync(homeOf('off'))).toBe(false)
})

test('mcp: whatever the arguments are, the answer is one JSON object', () => {
  const server = serverOf('hostile')
  const names = ['tool_input', 'tool_response', 'duration_ms', 'is_interrupt', 'prompt', 'cwd', '__proto__', 'x']
  const value = fc.oneof(fc.string(), fc.json(), fc.jsonValue(), fc.constant('['.repeat(20_000)))
  const events = [...HOOK_REGISTRATIONS.map(({ event }) => event), 'constructor', '']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), fc.constantFrom(...events), (given, event) => {
      const answer = JSON.parse(runHookTool({ session_id: 's1', ...given, hook_event_name: event }, server))
      expect(typeof answer).toBe('object')
    }),
    { numRuns: 60 },
  )
})

test('mcp: the tool is not in the list, the client can call it, and a model that names it cannot', async () => {
  const { client } = await mcpClient(folder, '--tools', 'all')
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain(HOOK_TOOL)
    const args = argumentsFor(payloadOf('PreToolUse', bash(1, 'ls')))
    const call = { name: HOOK_TOOL, arguments: args }
    expect((await client.callTool(call)).content).toEqual([{ type: 'text', text: '{}' }])
    // The client names the call of a model.
    const byModel = client.callTool({ ...call, _meta: { 'claudecode/toolUseId': 'toolu_1' } })
    await expect(byModel).rejects.toThrow(/no tool/)
    expect(eventsIn('home')).toMatchObject([{ kind: 'call.started', call: 'call-1' }])
  } finally {
    await client.close()
  }
})
