// bench tools: the time of a tool call over MCP, from the client's request to the server's response, and of a ping.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { HOOK_TOOL } from '../../src/model/hookEvents.ts'
import { type FixtureStore, readLogSizes, truncateLog } from '../fixture/fixtureStore.ts'
import { measureMs, median, quantile } from '../hooks/pairedTiming.ts'

export interface ToolResult {
  readonly name: string
  /** Median of the runs, in milliseconds. */
  readonly ms: number
  /** The 90th percentile. */
  readonly slowMs: number
  readonly runs: number
  /** The limit; absent for calls without a limit. */
  readonly msMax?: number
  readonly within?: boolean
}

interface ToolBench {
  readonly runs: number
  /** The built command. */
  readonly command: string
  readonly env: Readonly<Record<string, string | undefined>>
}

type Input = Readonly<Record<string, unknown>>

const QUERIES = [
  'the build fails on the cart',
  'prices rounded to cents',
  'release of the shop',
  'tax of an invoice',
  'a flaky test',
]

/** Measures each tool in one server on the fixture store, and restores the store. */
export async function benchTools(
  { store, home, root }: FixtureStore,
  { runs, command, env }: ToolBench,
): Promise<ToolResult[]> {
  const mark = readLogSizes(store)
  const args = [command, 'mcp', '--tools', 'memory', '--role', 'owner']
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, MEMCTL_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const began = performance.now()
    const client = createRpcClient(child)
    await client.request('initialize', INITIALIZE)
    const startMs = performance.now() - began
    const first = await measureMs(() => client.call('memory_search', { query: QUERIES[0], search_mode: 'hybrid' }))
    const ids = (await client.call('memory_list', { limit: 1000 }))['memories'] as { id: string }[]
    const measure = async (name: string, count: number, run: (i: number) => Promise<unknown>, msMax?: number) =>
      toResult(name, await measureTimes(count, run), msMax)
    const search = (search_mode: string) => (i: number) =>
      client.call('memory_search', { query: QUERIES[i % QUERIES.length], search_mode })
    return [
      toResult('start of the server', [startMs]),
      toResult('first search', [first]),
      await measure('ping', runs, () => client.request('ping')),
      await measure('hook before a call', runs, (i) => client.request('tools/call', hookCall('PreToolUse', root, i))),
      await measure('hook after a call', runs, (i) => client.request('tools/call', hookCall('PostToolUse', root, i))),
      await measure('memory_get', runs, (i) => client.call('memory_get', { id: ids[(i * 37) % ids.length]!.id }), 5),
      await measure('memory_store', runs, (i) => client.call('memory_store', note(i)), 5),
      await measure('memory_search hybrid', runs, search('hybrid'), 20),
      await measure('memory_search keyword', runs, search('keyword')),
      await measure('memory_search semantic', runs, search('semantic')),
      await measure('store, then search', runs, async (i) => {
        await client.call('memory_store', note(runs + i))
        await search('hybrid')(i)
      }),
      await measure('memory_list, a page of 50', runs, (i) => client.call('memory_list', { offset: 50 * (i % 20) })),
      await measure(
        'memory_batch_store of 100',
        Math.min(runs, 11),
        (i) => client.call('memory_batch_store', { items: Array.from({ length: 100 }, (_, n) => note(1_000 * i + n)) }),
        100,
      ),
    ]
  } finally {
    // Before stdin closes: otherwise the server would write a snapshot where the log has grown much, and change the
    // fixture.
    child.kill()
    await ended
    truncateLog(store, mark)
  }
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'memctl bench', version: '1' },
}

const note = (i: number): Input => ({
  content:
    `Note ${i}: the ${['cart', 'invoice', 'shipping', 'tax'][i % 4]} service answers late on day ${i % 31} ` +
    `when batch ${i} runs.`,
  tags: ['bench', `batch-${i % 7}`],
})

/** A hook as the client runs it with `memctl init --hooks server`. */
const hookCall = (hook_event_name: string, cwd: string, i: number): Input => ({
  name: HOOK_TOOL,
  arguments: {
    hook_event_name,
    session_id: 'bench',
    cwd,
    tool_name: 'Bash',
    tool_use_id: `call-${i}`,
    tool_input: JSON.stringify({ command: `npm test ${i}` }),
    ...(hook_event_name === 'PostToolUse' && {
      tool_response: '{"stdout":"12 passing","stderr":""}',
      duration_ms: '9',
    }),
  },
})

async function measureTimes(count: number, run: (i: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) times.push(await measureMs(() => run(i)))
  return times
}

function toResult(name: string, times: readonly number[], msMax?: number): ToolResult {
  const ms = median(times)
  const slowMs = quantile(times, 0.9)
  return { name, ms, slowMs, runs: times.length, ...(msMax === undefined ? {} : { msMax, within: ms <= msMax }) }
}

/** A JSON-RPC client over lines, one request at a time. */
function createRpcClient(child: ChildProcessByStdio<Writable, Readable, null>) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  const request = async (method: string, params: Input = {}): Promise<Input> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`)
    const { value } = await lines.next()
    const { result, error } = JSON.parse(value as string) as { result?: Input; error?: unknown }
    if (!result) throw new Error(`${method} failed: ${JSON.stringify(error)}`)
    return result
  }
  return {
    request,
    async call(name: string, input: Input): Promise<Input> {
      const { structuredContent, isError } = await request('tools/call', { name, arguments: input })
      if (isError) throw new Error(`${name} failed: ${JSON.stringify(structuredContent)}`)
      return structuredContent as Input
    },
  }
}
