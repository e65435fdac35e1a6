// The memory tools through the real client: what one session stores with a tool, the next one finds with a tool. The
// server is configured by the plugin or by `init --mcp`.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findSightings } from './findInRequests.ts'
import { step } from './shop/session.ts'
import {
  buildPlugin,
  createEmptyProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
} from './storyProject.ts'

const NOTE = '緊急調達では15%のコスト増を見込む'

const CORE = ['memory_delete', 'memory_get', 'memory_restore', 'memory_save', 'memory_search']

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: what a tool stored is found by the next session, the server configured by init --mcp', async () => {
    const story = createEmptyProject(claude)
    runMemctl(story, 'init', '--mcp')
    // In print mode nobody can be asked whether the project's server may be used; given as an argument it may.
    await storeThenFind(story, 'mcp__memctl__', ['--mcp-config', path.join(story.project, '.mcp.json')])
  })

  test('story: what a tool stored is found by the next session, the server configured by the plugin', async () => {
    await storeThenFind(createEmptyProject(claude), 'mcp__plugin_memctl_memctl__', ['--plugin-dir', buildPlugin()])
  })
})

async function storeThenFind(empty: StoryProject, prefix: string, args: readonly string[]): Promise<void> {
  const allowed = ['save', 'search'].map((name) => `${prefix}memory_${name}`).join(',')
  const story = { ...empty, args: [...args, '--allowedTools', allowed] }
  const callTool = async (prompt: string, tool: string, input: Record<string, unknown>) => {
    const { requests } = await runSession(story, prompt, [step('', { name: `${prefix}${tool}`, input }), 'Done.'])
    return requests
  }
  const first = await callTool('Remember what procurement costs.', 'memory_save', { content: NOTE })
  // The client offers the model the core tools and no others: in full, or by name where it defers their definitions.
  const names = JSON.stringify(first.map(({ body }) => body)).matchAll(new RegExp(`${prefix}(memory_\\w+)`, 'g'))
  expect([...new Set([...names].map(([, name]) => name!))].sort()).toEqual(CORE)
  const stored = findSightings(first, '"saved":true').filter(({ kind }) => kind === 'tool_result')
  expect(stored).toHaveLength(1)

  const second = await callTool('What will it cost?', 'memory_search', { query: '緊急調達のコスト' })
  const found = findSightings(second, NOTE).filter(({ kind }) => kind === 'tool_result')
  expect(found).toHaveLength(1)
}
