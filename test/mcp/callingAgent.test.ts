// Over MCP the caller is the agent that made the call, as its hook has recorded it; a call cannot name another one.
import { expect, test } from 'vitest'
import { findCallingAgent } from '../../src/mcp/serveTools.ts'
import { createToolContext } from '../../src/tools/definition/toolContext.ts'
import { BEGIN, createTestStore, runHookPayloads } from '../testData.ts'

test('mcp: the caller is the subagent of the tool call, or the main conversation of the session', () => {
  const store = createTestStore()
  const call = (tool_use_id: string, agent: object = {}) => ({
    at: BEGIN,
    payload: {
      session_id: 's1',
      cwd: '/p',
      hook_event_name: 'PreToolUse',
      tool_name: 'mcp__memctl__memory_search',
      tool_input: { query: 'call-of-other' },
      tool_use_id,
      ...agent,
    },
  })
  const agent = { agent_id: 'a1', agent_type: 'reviewer' }
  runHookPayloads(store, [call('call-of-main'), call('call-of-agent', agent)])
  const callerOf = (meta: Record<string, unknown> | undefined, session = 's1') =>
    findCallingAgent(createToolContext({ store, role: 'worker', session, env: {}, now: () => BEGIN }), meta)
  const id = (value: unknown) => ({ 'claudecode/toolUseId': value })
  expect(callerOf(id('call-of-agent'))).toEqual({ agentId: 'a1', role: 'reviewer' })
  expect([callerOf(id('call-of-main')), callerOf(undefined), callerOf({}), callerOf(id(7))]).toEqual(
    Array.from({ length: 4 }),
  )
  // A call of another session, and one that no hook has recorded.
  expect([callerOf(id('call-of-agent'), 's2'), callerOf(id('call-of-other')), callerOf(id(''))]).toEqual(
    Array.from({ length: 3 }),
  )
})
