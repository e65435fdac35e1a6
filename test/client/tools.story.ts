// The memory tools through the real client: what one session stores by a tool, the next finds by one. Named by a plugin and by init --mcp.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { eachClient } from './eachClient.ts'
import { whereTold } from './find.ts'
import { step } from './shop/session.ts'
import { emptyWorld, endWorlds, memctl, session, type World } from './world.ts'

const NOTE = '緊急調達では15%のコスト増を見込む'

const CORE = ['memory_delete', 'memory_get', 'memory_search', 'memory_store', 'memory_update']

afterEach(endWorlds)

eachClient((claude) => {
  test('story: what a tool stored is found by the next session, the server named by init --mcp', async () => {
    const world = emptyWorld(claude)
    memctl(world, 'init', '--mcp')
    // In print mode nobody can be asked whether the project's server may be used; given as an argument it may.
    await storedThenFound(world, 'mcp__memctl__', ['--mcp-config', path.join(world.project, '.mcp.json')])
  })

  test('story: what a tool stored is found by the next session, the server named by the plugin', async () => {
    await storedThenFound(emptyWorld(claude), 'mcp__plugin_memctl_memctl__', ['--plugin-dir', REPOSITORY])
  })
})

async function storedThenFound(empty: World, prefix: string, args: readonly string[]): Promise<void> {
  const allowed = ['store', 'search'].map((name) => `${prefix}memory_${name}`).join(',')
  const world = { ...empty, args: [...args, '--allowedTools', allowed] }
  const asked = async (prompt: string, tool: string, input: Record<string, unknown>) => {
    const { requests } = await session(world, prompt, [step('', { name: `${prefix}${tool}`, input }), 'Done.'])
    return requests
  }
  const first = await asked('Remember what procurement costs.', 'memory_store', { content: NOTE })
  // A client tells its model of the core tools and of no others: whole, or by name where it defers their definitions.
  const names = JSON.stringify(first.map(({ body }) => body)).matchAll(new RegExp(`${prefix}(memory_\\w+)`, 'g'))
  expect([...new Set([...names].map(([, name]) => name!))].sort()).toEqual(CORE)
  const stored = whereTold(first, NOTE).filter(({ kind }) => kind === 'tool_result')
  expect(stored).toHaveLength(1)

  const second = await asked('What will it cost?', 'memory_search', { query: '緊急調達のコスト' })
  const found = whereTold(second, NOTE).filter(
    ({ kind, line }) => kind === 'tool_result' && line.includes('similarity'),
  )
  expect(found).toHaveLength(1)
}
