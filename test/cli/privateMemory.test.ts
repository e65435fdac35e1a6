// A private memory, asked for through every door: its own agent sees it, nobody else, and no count has it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHookContext } from '../../src/broker/handlers/hookContext.ts'
import { HOOK_HANDLERS } from '../../src/broker/handlers/hookHandlers.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { type CallingAgent, openMemory } from '../../src/index.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import { exampleSession, recordEvents, recordedAs, sessionId } from '../testData.ts'
import { newWorld, type World } from './testContext.ts'

const CONTENT = 'The zebra ledger is reconciled with the walrus key on Mondays.'
const LESSON = 'Ask the walrus keeper before the zebra ledger is touched.'
const QUERY = 'zebra ledger walrus key'
const SECRET = /zebra|walrus/i
const OWNER: CallingAgent = { agentId: 'agent-own', role: 'reviewer' }

let world: World
let store: Store
let id: string
const homeEnv = () => ({ HOME: world.folder, MEMCTL_HOME: `${world.folder}/home` })
const memoryFor = (agent?: CallingAgent, session = 'another-session') =>
  openMemory({ project: `${world.folder}/project`, env: homeEnv(), agent, session })

beforeEach(async () => {
  world = newWorld()
  store = openStore(`${world.folder}/project`, homeEnv())
  const own = memoryFor(OWNER, 'own-session')
  id = (await own.call('memory_store', { content: CONTENT, lessons: [LESSON], privacy: 'private' }))['id'] as string
  await own.close()
  runMaintenance(store, { now: Date.now(), sessions: [] })
})
afterEach(() => world.end())

describe('a private memory', () => {
  test('private: its own agent gets, finds and lists it through the library and the tools', async () => {
    const own = memoryFor(OWNER)
    expect(await own.call('memory_get', { id })).toMatchObject({ content: CONTENT, privacy: 'private' })
    for (const search_mode of ['semantic', 'keyword', 'hybrid'])
      expect(await own.call('memory_search', { query: QUERY, search_mode })).toMatchObject({ total: 1 })
    expect(await own.call('memory_list')).toMatchObject({ total: 1 })
    expect((await own.search(QUERY)).map(({ memory }) => memory.id)).toEqual([id])
    expect((await own.recall(QUERY)).shown.map(({ memory }) => memory.id)).toEqual([id])
  })

  test('private: no other caller of the library or the tools sees it, whatever it asks', async () => {
    const callers = [undefined, { agentId: 'agent-other', role: 'reviewer' }, { agentId: 'agent-main', role: 'main' }]
    for (const caller of callers) {
      for (const session of ['another-session', 'own-session']) {
        const other = memoryFor(caller, session)
        for (const search_mode of ['semantic', 'keyword', 'hybrid'])
          expect(await other.call('memory_search', { query: QUERY, search_mode })).toEqual({ results: [], total: 0 })
        expect(await other.call('memory_search', { query: QUERY, agent_id: OWNER.agentId })).toMatchObject({ total: 0 })
        expect(await other.call('memory_list')).toMatchObject({ memories: [], total: 0 })
        for (const tool of ['memory_get', 'memory_get_score'])
          await expect(other.call(tool, { id })).rejects.toThrow('Memory not found')
        await expect(other.call('memory_update', { id, content: 'x' })).rejects.toThrow('Memory not found')
        await expect(other.call('memory_set_score', { id, score: 1 })).rejects.toThrow('Memory not found')
        await expect(other.call('memory_consolidate', { memory_ids: [id, id.replace('a', 'b')] })).rejects.toThrow()
        expect(await other.call('memory_delete', { id })).toEqual({ deleted_count: 0, deleted_ids: [] })
        expect([...(await other.search(QUERY)), ...(await other.recall(QUERY)).shown]).toEqual([])
        expect((await other.recall({ text: QUERY, moment: 'prompt' })).text).toBe('')
        expect(await other.connection.projectMemories.listVisible()).toEqual([])
      }
    }
  })

  test('private: no command shows or counts it; a person may ask for it, a session may not', async () => {
    const commands = [
      ['list'],
      ['search', QUERY],
      ['recall', QUERY],
      ['recall', QUERY, '--role', 'reviewer', '--explain'],
      ['recall', QUERY, '--moment', 'prompt'],
      ['status'],
      ['doctor'],
      ['list', '--events', '--limit', '100'],
      ['list', '--sessions'],
      ['status', '--tiers'],
      ['list', '--kind', 'fact'],
      ['list', '--claude-md'],
      ['doctor', '--embedder'],
      ['show', '--contribution'],
      ['policy', 'export'],
      ['policy', 'show'],
      ['report', '--effect'],
      ['organize'],
      ['rebuild'],
      ['memory', 'list'],
      ['memory', 'search', QUERY],
    ]
    for (const words of commands) {
      for (const json of [[], ['--json']]) {
        const { out, err } = await world.memctl(...words, ...json)
        expect(`${words[0]}: ${out.replaceAll(QUERY, '')}${err.replaceAll(QUERY, '')}`).not.toMatch(SECRET)
        expect(out, words.join(' ')).not.toContain(id)
      }
    }
    expect(await world.json('list')).toMatchObject({ total: 0 })
    expect(await world.json('status')).toMatchObject({ memories: { total: 0, byKind: { entry: 0 } } })
    expect(await world.json('doctor', '--embedder')).toMatchObject({ memories: 0 })
    expect((await world.memctl('doctor')).out).toMatch(/: 0 memories/)
    for (const words of [
      ['show', id],
      ['supersede', '--reword', id, 'x'],
      ['memory', 'pin', id],
      ['supersede', id, 'x'],
      ['show', '--contribution', id],
    ])
      expect((await world.memctl(...words)).err).toContain('No memory has an id that begins with')

    expect(await world.json('list', '--private')).toMatchObject({ total: 1, memories: [{ id }] })
    expect((await world.memctl('show', id, '--private')).out).toContain(CONTENT)
    expect((await world.memctl('search', QUERY, '--private')).out).toMatch(SECRET)
    const inSession = newWorld({ CLAUDECODE: '1' })
    for (const words of [['list'], ['search', QUERY], ['show', id]]) {
      const { status, out, err } = await inSession.memctl(...words, '--private')
      expect([status, out]).toEqual([2, ''])
      expect(err).toContain('--private is for a person')
    }
    inSession.end()
  })

  test('private: no hook injects it into another conversation, at any moment', async () => {
    const session = exampleSession('hooked', Date.now()).starts().asks(`What about the ${QUERY}?`)
    session.fails(`cat "${QUERY}"`, `Exit code 1\nError: no ${QUERY} was found`)
    session.tells('PreToolUse', {
      tool_name: 'Agent',
      tool_use_id: 'call-agent',
      tool_input: { description: QUERY, prompt: `Look at the ${QUERY}.`, subagent_type: 'reviewer' },
    })
    session.tells('SubagentStart', { agent_id: 'agent-other', agent_type: 'reviewer' }).starts('compact')
    for (const { at, payload } of session.recorded) {
      const name = payload['hook_event_name'] as string
      const output = HOOK_HANDLERS[name]?.(payload, openHookContext(store, at))
      expect(`${name}: ${output?.context ?? ''}${output?.denyReason ?? ''}`.replaceAll(QUERY, '')).not.toMatch(SECRET)
    }
  })
})

test('private: the call that stores or reads a private memory leaves nothing of it in the log', () => {
  const call = { session_id: 's', cwd: '/p', tool_use_id: 'c', hook_event_name: 'PostToolUse' }
  const item = { content: CONTENT, lessons: [LESSON], tags: ['zebra'], privacy: 'private' }
  const answer = [{ type: 'text', text: JSON.stringify({ id: 'x', content: CONTENT, privacy: 'private' }) }]
  const payloads = [
    { tool_name: 'mcp__memctl__memory_store', tool_input: item, tool_response: answer },
    { tool_name: 'mcp__plugin_memctl_memctl__memory_batch_store', tool_input: { items: [{ content: 'open' }, item] } },
    { tool_name: 'mcp__memctl__memory_get', tool_input: { id: 'x' }, tool_response: answer },
    { tool_name: 'mcp__memctl__memory_search', tool_input: { query: 'key' }, tool_response: JSON.stringify(answer) },
    { tool_name: 'Bash', tool_input: { command: `memctl memory store --privacy private "${CONTENT}"` } },
  ]
  for (const payload of payloads) {
    for (const hook_event_name of ['PreToolUse', 'PostToolUse'])
      expect(JSON.stringify(recordedAs({ ...call, hook_event_name, ...payload }))).not.toMatch(SECRET)
  }
  const open = { tool_name: 'mcp__memctl__memory_store', tool_input: { ...item, privacy: 'public' } }
  expect(JSON.stringify(recordedAs({ ...call, ...open }))).toMatch(SECRET)
})

test('private: no summary, fact, lesson or statement is made of private events', () => {
  const error = `Exit code 1\nError: Cannot find module '../zebra/walrus.js'`
  const session = exampleSession('one').starts().asks('Check the tests of the cart, please.').runs('npm test')
  session.sends('reviewer', 'a1', (agent) => agent.fails('node zebra.js', error).runs('npm run walrus'), LESSON)
  session.asks('From now on, always lock the zebra ledger with the walrus key.').edits('src/zebra.js').ends()
  const events = recordEvents(session.recorded).map((event) =>
    SECRET.test(JSON.stringify(event)) || event.agentId ? { ...event, privacy: 'private' as const } : event,
  )
  const made = organizeSession({ session: sessionId('one'), events }, new Map(), DEFAULT_POLICY)
  for (const memory of made) {
    if (SECRET.test(JSON.stringify(memory))) expect([memory.kind, memory.privacy]).toEqual(['experience', 'private'])
  }
  expect(made.some(({ kind }) => kind === 'summary')).toBe(true)
})
