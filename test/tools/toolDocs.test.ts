// docs/tools.md is true: every example in it is run, and every parameter it names is one.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findTool, TOOLS } from '../../src/tools/toolRegistry.ts'
import { newWorld, REPOSITORY } from '../cli/testContext.ts'
import { ALL_DOORS, DOORS, type Json } from './callers.ts'

const TEXT = fs.readFileSync(path.join(REPOSITORY, 'docs/tools.md'), 'utf8')
const EXAMPLES = fs.readFileSync(path.join(import.meta.dirname, 'examples.md'), 'utf8')

const blocksOf = (text: string): { kind: string; name: string; body: string }[] =>
  [...text.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, kind, name, body]) => ({
    kind: kind!,
    name: name!,
    body: body!,
  }))

const examplesOf = (text: string): { tool: string; input: string; answer: string }[] =>
  blocksOf(text).flatMap(({ name, body }, i, blocks) =>
    TOOLS.some((tool) => tool.name === name) ? [{ tool: name, input: body, answer: blocks[i + 1]!.body }] : [],
  )

/** Calls as a process of their own. */
const PROCESSES_MAX = 6

test.each([
  ...Object.entries(DOORS).map(([name, door]) => ['docs/tools.md', name, TEXT, door] as const),
  ...Object.entries(ALL_DOORS).map(([name, door]) => ['examples.md', name, EXAMPLES, door] as const),
])('docs: every example of a tool in %s gives the output beside it through the %s', async (_, name, text, openDoor) => {
  const door = await openDoor()
  door.trust()
  archive(
    door.project,
    'api-design-decision',
    'REST API はリソース指向で設計する',
    ['api', 'decision'],
    '2024-01-15T10:30:00',
  )
  archive(door.global, 'naming', 'Branches are named after their issue', ['git'], '2024-02-01T08:00:00')
  const names = new Map<string, string>()
  // A process takes most of a second and runs the same command, so it runs only the first memory tools.
  const memoryTools = examplesOf(text).filter(({ tool }) => findTool(tool)!.group === 'memory')
  const some = name === 'process' ? memoryTools.slice(0, PROCESSES_MAX) : examplesOf(text)
  for (const { tool, input, answer } of some) {
    const given = JSON.parse(input.replaceAll(/"\$(\w+)"/g, (_, id: string) => JSON.stringify(names.get(id)))) as Json
    expect(agreed(JSON.parse(answer), await door.call(tool, given), names), `${tool} ${input}`).toBe('')
  }
  await door.end()
})

/** What clean-up has archived some time ago. */
function archive(folder: string, key: string, body: string, tags: readonly string[], at: string): void {
  fs.mkdirSync(`${folder}/archive`, { recursive: true })
  const front = `key: ${key}\ntags: ${JSON.stringify(tags)}\ncreated_at: ${at}\nupdated_at: ${at}`
  fs.writeFileSync(`${folder}/archive/${key}.md`, `---\n${front}\n---\n\n${body}\n`)
}

test('docs: every tool has an example that is run', () => {
  const names = examplesOf(EXAMPLES).map(({ tool }) => tool)
  expect(TOOLS.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
})

test('docs: every tool has a section or a row of a table, with all parameters and its command', () => {
  for (const tool of TOOLS) {
    const section = TEXT.split(/^## /m).find((item) => item.startsWith(`${tool.name}\n`))
    const row = TEXT.split('\n').find((line) => line.includes(`\`${tool.name}\``) && line.includes('memctl '))
    const text = section ?? row ?? ''
    // What all entry tools have is said once, above their table.
    const shared = tool.group === 'memory' ? [] : ['caller_agent_id', 'session_id']
    const missing = Object.keys(tool.input).filter((field) => !shared.includes(field) && !text.includes(`\`${field}\``))
    expect([tool.name, missing]).toEqual([tool.name, []])
    const { words, flags = [] } = tool.command
    expect(text).toMatch(new RegExp(`memctl ${words}\\b`))
    for (const flag of flags) expect(text).toMatch(new RegExp(`memctl ${words}\\b[^\`]*--${flag}`))
  }
})

test('docs: every documented command line runs', async () => {
  const world = newWorld()
  const lines = blocksOf(TEXT)
    .filter((block) => block.kind === 'sh')
    .flatMap(({ body }) => body.trim().split('\n'))
  expect(lines.length).toBeGreaterThan(4)
  for (const line of lines) {
    const [, fed = '', words] = /^(?:echo (.*?) \| )?memctl (.*)$/.exec(line)!
    const { status, err } = await world.fed(`${wordsIn(fed)[0] ?? ''}\n`, ...wordsIn(words!))
    expect([line, status, err]).toEqual([line, 0, ''])
  }
  expect(await world.json('memory', 'list')).toMatchObject({ total: 6 })
  world.end()
})

/** Words as a shell would cut them: quotes of both kinds, no escapes. */
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare!)

/** The first difference from the expected output; `…` matches anything, a `$name` the same id each time. */
function agreed(wanted: unknown, got: unknown, names: Map<string, string>, at = 'answer'): string {
  if (wanted === '…') return got === undefined ? `${at} is missing` : ''
  if (typeof wanted === 'string' && wanted.startsWith('$')) {
    const name = wanted.slice(1)
    if (!names.has(name)) names.set(name, String(got))
    return names.get(name) === got ? '' : `${at} is ${String(got)}, not ${wanted}`
  }
  if (typeof wanted !== 'object' || wanted === null)
    return Object.is(wanted, got) ? '' : `${at} is ${JSON.stringify(got)}`
  if (typeof got !== 'object' || got === null) return `${at} is ${JSON.stringify(got)}`
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(got)])]
  const of = (value: object, key: string): unknown => (value as Record<string, unknown>)[key]
  return keys.map((key) => agreed(of(wanted, key), of(got, key), names, `${at}.${key}`)).find(Boolean) ?? ''
}
