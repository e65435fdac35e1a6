// One question, asked through every entry point, gives the same memories in the same order.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refreshRecent } from '../../src/broker/maintenance/refreshRecent.ts'
import { eventsNewestFirst } from '../../src/broker/queries/browse.ts'
import { runCli } from '../../src/cli/runCli.ts'
import { openMemory, type ProjectMemory } from '../../src/index.ts'
import { newFolder } from '../tempFolders.ts'
import { type Json, mcpClient } from './callers.ts'

/** The later ones hold fewer of the words, or hold them in a longer text. */
const ENTRIES: Readonly<Record<string, string>> = {
  invoices: 'Round the invoice total to integer cents before the tax is added',
  rounding: 'Round every invoice total to integer cents',
  taxes: 'The tax of an order is looked up by its country code',
  totals:
    'An invoice total is printed twice: on the cover page of the letter and again on the last page of the attachment',
  lamps: 'The lamps of the pier are lit at dusk',
  pier: 'The lamps of the pier are lit on 3 March 2026 at 18:30',
  設計方針: '請求書の合計は整数のセントに丸める',
  契約: '契約書の合計は別紙に書く。請求の窓口は別にある',
  'release-notes': 'Release notes are written on Friday, rounded off by a well-known joke about cents',
}
/** What a process that stays has stored since the last snapshot. */
const LATE: Readonly<Record<string, string>> = {
  carts: 'The cart rounds its invoice total, in cents, the same way',
}
const QUESTIONS = [
  'round the invoice total to cents',
  'how is the tax of an order looked up?',
  '請求書の合計はどう丸めますか？',
  'well-known joke',
]

/** The answer does not share the most terms with the question; no hook computes that. */
const WHEN = 'When are the lamps of the pier lit?'

const folder = newFolder('order')
const env = { HOME: folder, MEMCTL_HOME: path.join(folder, 'home'), CLAUDE_CONFIG_DIR: path.join(folder, '.claude') }
const keys = new Map<unknown, string>()
let library: ProjectMemory
let mcp: Awaited<ReturnType<typeof mcpClient>>

beforeAll(async () => {
  library = openMemory({ project: folder, env: { MEMCTL_HOME: env.MEMCTL_HOME } })
  for (const [key, content] of Object.entries(ENTRIES)) await library.call('save_to_memory', { key, content })
  await library.organize()
  mcp = await mcpClient(folder, '--tools', 'all')
})
afterAll(async () => {
  await mcp.client.close()
  await library.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function command(...words: readonly string[]): Promise<Json> {
  let out = ''
  const screen = {
    write(text: string) {
      out += text
    },
  }
  const status = await runCli([...words, '--json'], { out: screen, err: screen, cwd: folder, stdin: () => '', env })
  if (status !== 0) throw new Error(out)
  return JSON.parse(out) as Json
}

const throughMcp = async (name: string, input: Json): Promise<Json> =>
  (await mcp.client.callTool({ name, arguments: input })).structuredContent as Json

/** The keys of these memories, in their order. */
async function keysOf(ids: readonly unknown[]): Promise<string[]> {
  if (ids.some((id) => !keys.has(id))) {
    const { memories } = await library.call('memory_list', { limit: 1000 })
    for (const { id, content } of memories as Json[]) keys.set(id, String(content).split(': ')[0]!)
  }
  return ids.map((id) => keys.get(id)!)
}

const idsOf = (list: unknown): unknown[] =>
  (list as { id?: unknown; memory?: { id: unknown } }[]).map(({ id, memory }) => id ?? memory!.id)

/** What a hook has ranked for a prompt: shown, then left out. */
async function hookOrder(text: string, session: string): Promise<string[]> {
  const payload = { session_id: session, cwd: folder, hook_event_name: 'UserPromptSubmit', prompt: text }
  await library.record(payload)
  for (const event of eventsNewestFirst(library.store)) {
    if (event.kind === 'recalled' && event.session === session)
      return keysOf([...event.shown.map(({ memory }) => memory), ...event.others])
  }
  return []
}

const ranking = async ({ shown, others }: { shown: unknown; others: unknown }): Promise<string[]> =>
  keysOf([...idsOf(shown), ...idsOf(others)])

/** What `memctl recall` shows, and the others that it ranks. */
async function commandOrder(...args: string[]): Promise<string[]> {
  const { shown, others } = await command('recall', ...args)
  return ranking({ shown, others })
}

/** By each entry point that ranks a question by words. */
const ENTRY_POINTS: Readonly<Record<string, (text: string) => Promise<string[]>>> = {
  'memctl recall': (text) => commandOrder(text),
  'recall of the library': async (text) => ranking(await library.recall(text)),
  'memctl search': async (text) => keysOf(idsOf((await command('search', text))['memories'])),
  'search of the library': async (text) => keysOf(idsOf(await library.search(text))),
  ...overTools('memory_search', ['memory', 'search'], (query) => ({ query, search_mode: 'keyword' })),
}

/** By each entry point that ranks it by meaning, or by both. */
const byMeaning = (search_mode: string): typeof ENTRY_POINTS =>
  overTools('memory_search', ['memory', 'search'], (query) => ({ query, search_mode }))

function overTools(tool: string, words: readonly string[], inputOf: (text: string) => Json): typeof ENTRY_POINTS {
  const results = (answer: Json): unknown[] => (answer['results'] ?? answer['entries']) as unknown[]
  const order = async (answer: Json): Promise<string[]> =>
    tool === 'memory_search'
      ? keysOf(idsOf(results(answer)))
      : results(answer).map((entry) => (entry as Json)['key'] as string)
  return {
    [`${tool} of the library`]: async (text) => order((await library.call(tool, inputOf(text))) as Json),
    [`${tool} by its command`]: async (text) =>
      order(await command(...words, '--input', JSON.stringify(inputOf(text)))),
    [`${tool} over MCP`]: async (text) => order(await throughMcp(tool, inputOf(text))),
  }
}

const FIND = overTools('retrieve_from_memory', ['entry', 'find'], (query) => ({ query }))

/** Of a ranking only what another has too: a filter may leave out, but not change the order. */
const within = (order: readonly string[], some: readonly string[]): string[] =>
  order.filter((key) => some.includes(key))

async function expectOneOrder(points: typeof ENTRY_POINTS, text: string): Promise<string[]> {
  const [first, ...others] = Object.entries(points)
  const order = await first![1](text)
  expect(order.length, `${first![0]}: ${text}`).toBeGreaterThan(0)
  for (const [name, ask] of others) {
    const own = await ask(text)
    expect(own, `${name}: ${text}`).toEqual(within(order, own))
    expect(own[0], `${name}: ${text}`).toBe(order[0])
  }
  return order
}

for (const phase of ['from the snapshot', 'with what the log has since']) {
  describe(`search: ${phase}`, () => {
    beforeAll(async () => {
      if (phase === 'from the snapshot') return
      for (const [key, content] of Object.entries(LATE)) await library.call('save_to_memory', { key, content })
      refreshRecent(library.store, Date.now())
    })

    for (const text of [...QUESTIONS, WHEN]) {
      test(`search: “${text}” has the same keyword order at every entry point`, async () => {
        await expectOneOrder({ ...ENTRY_POINTS, ...FIND }, text)
      })

      test(`search: “${text}” has the same semantic and the same hybrid order everywhere`, async () => {
        for (const mode of ['semantic', 'hybrid']) await expectOneOrder(byMeaning(mode), text)
      })
    }

    test('search: the prompt hook and memctl recall rank the same at that moment', async () => {
      // The hook is silent at a prompt as short as the last one.
      for (const [i, text] of QUESTIONS.slice(0, -1).entries()) {
        const hook = await hookOrder(text, `${phase.length}-${i}`)
        const recalled = await commandOrder('--moment', 'prompt', text)
        expect(hook.length, text).toBeGreaterThan(0)
        expect(within(recalled, hook), text).toEqual(hook)
        const order = await ENTRY_POINTS['memctl recall']!(text)
        expect(hook[0], text).toBe(within(order, hook)[0])
      }
    })
  })
}

test('search: the answer to a question comes first at every entry point', async () => {
  expect((await expectOneOrder({ ...ENTRY_POINTS, ...FIND }, WHEN))[0]).toBe('pier')
})

test('search: memories stored after the snapshot are found by all, the hooks included', async () => {
  const text = 'the cart rounds its invoice total'
  const order = await expectOneOrder({ ...ENTRY_POINTS, ...FIND }, text)
  expect(order[0]).toBe('carts')
  expect(await hookOrder(text, 'late')).toContain('carts')
})
