// The memory tools through the real client: what one session stores by a tool, the next finds by one. Named by a plugin and by init --mcp.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { clientBinaries, HOW_TO_GET, REPOSITORY } from './binary.ts'
import { whereTold } from './find.ts'
import { runClient } from './run.ts'
import { step } from './shop/session.ts'

const CLI = path.join(REPOSITORY, 'dist/cli.js')
const NOTE = '緊急調達では15%のコスト増を見込む'

const CORE = ['memory_delete', 'memory_get', 'memory_search', 'memory_store', 'memory_update']

const scratches: string[] = []
afterEach(async () => {
  for (const folder of scratches) await settled(path.join(folder, 'memory'))
  for (const folder of scratches.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
})

const clients = clientBinaries()
if (clients.length === 0) {
  describe('story: skipped, there is no Claude Code client', () => {
    test.skip(`get it, then run this again: ${HOW_TO_GET}`, () => {})
  })
}

describe.each(clients.map((claude) => [path.relative(REPOSITORY, claude), claude] as const))('%s', (_name, claude) => {
  test('story: what a tool stored is found by the next session, the server named by init --mcp', async () => {
    const world = newWorld()
    const env = { PATH: process.env['PATH'], HOME: world.home, MEMCTL_HOME: world.memory }
    execFileSync(process.execPath, [CLI, 'init', '--mcp', '--project', world.project], { cwd: world.project, env })
    // In print mode nobody can be asked whether the project's server may be used; given as an argument it may.
    await storedThenFound(world, claude, 'mcp__memctl__', ['--mcp-config', path.join(world.project, '.mcp.json')])
  })

  test('story: what a tool stored is found by the next session, the server named by the plugin', async () => {
    await storedThenFound(newWorld(), claude, 'mcp__plugin_memctl_memctl__', ['--plugin-dir', REPOSITORY])
  })
})

type World = ReturnType<typeof newWorld>

function newWorld() {
  const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'memctl-story-')))
  scratches.push(scratch)
  const project = path.join(scratch, 'project')
  mkdirSync(path.join(project, '.git'), { recursive: true })
  return { project, home: path.join(scratch, 'home'), memory: path.join(scratch, 'memory') }
}

async function storedThenFound(world: World, claude: string, prefix: string, args: readonly string[]): Promise<void> {
  const { project, home, memory } = world
  const allowed = ['store', 'search'].map((name) => `${prefix}memory_${name}`).join(',')
  const session = async (prompt: string, tool: string, input: Record<string, unknown>) => {
    const turns = [step('', { name: `${prefix}${tool}`, input }), 'Done.']
    const env = { MEMCTL_HOME: memory }
    const result = await runClient({
      ...{ claude, project, home, prompt, turns, env },
      args: [...args, '--allowedTools', allowed],
    })
    expect(result.code, result.stderr).toBe(0)
    return result.requests
  }
  const first = await session('Remember what procurement costs.', 'memory_store', { content: NOTE })
  // A client tells its model of the core tools and of no others: whole, or by name where it defers their definitions.
  const names = JSON.stringify(first.map(({ body }) => body)).matchAll(new RegExp(`${prefix}(memory_\\w+)`, 'g'))
  expect([...new Set([...names].map(([, name]) => name!))].sort()).toEqual(CORE)
  const stored = whereTold(first, NOTE).filter(({ kind }) => kind === 'tool_result')
  expect(stored).toHaveLength(1)

  const second = await session('What will it cost?', 'memory_search', { query: '緊急調達のコスト' })
  const found = whereTold(second, NOTE).filter(
    ({ kind, line }) => kind === 'tool_result' && line.includes('similarity'),
  )
  expect(found).toHaveLength(1)
}

/** Waits until no worker holds a store there any more: it starts a moment after its session, and ends after 50 s at the latest. */
async function settled(memory: string): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < 4 && looks < 240; looks++) {
    await new Promise((done) => setTimeout(done, 250))
    const files = existsSync(memory) ? readdirSync(memory, { recursive: true, encoding: 'utf8' }) : []
    quiet = files.some((file) => path.basename(file) === 'lock') ? 0 : quiet + 1
  }
}
