// docs/tools.md is true: every example in it is run, and every parameter it names is one.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TOOLS } from '../../src/tools/registry.ts'
import { newWorld, REPOSITORY } from '../cli/world.ts'
import { type Json, PROCESSES } from './doors.ts'

const TEXT = fs.readFileSync(path.join(REPOSITORY, 'docs/tools.md'), 'utf8')
const BLOCKS = [...TEXT.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, kind, name, body]) => ({
  kind: kind!,
  name: name!,
  body: body!,
}))
const EXAMPLES = BLOCKS.flatMap(({ name, body }, i) =>
  TOOLS.some((tool) => tool.name === name) ? [{ tool: name, input: body, answer: BLOCKS[i + 1]!.body }] : [],
)

test.each(Object.keys(PROCESSES))('docs: every example of a tool answers through the %s what it says', async (name) => {
  const door = await PROCESSES[name]!()
  const names = new Map<string, string>()
  for (const { tool, input, answer } of EXAMPLES) {
    const given = JSON.parse(input.replaceAll(/"\$(\w+)"/g, (_, id: string) => JSON.stringify(names.get(id)))) as Json
    expect(agreed(JSON.parse(answer), await door.call(tool, given), names), `${tool} ${input}`).toBe('')
  }
  await door.end()
})

test('docs: every tool of seed 001 has a section with an example, and all of its parameters', () => {
  for (const tool of TOOLS.filter((one) => one.layer === 'memory')) {
    expect(EXAMPLES.map((one) => one.tool)).toContain(tool.name)
    const section = TEXT.split(/^## /m).find((one) => one.startsWith(`${tool.name}\n`))!
    for (const field of Object.keys(tool.input))
      expect([tool.name, field, section.includes(`${field}`)]).toEqual([tool.name, field, true])
    expect(section).toContain(`memctl ${tool.command.words}`)
  }
})

test('docs: every command line shown runs', async () => {
  const world = newWorld()
  const lines = BLOCKS.filter((block) => block.kind === 'sh').flatMap(({ body }) => body.trim().split('\n'))
  expect(lines.length).toBeGreaterThan(4)
  for (const line of lines) {
    const [, fed = '', words] = /^(?:echo (.*?) \| )?memctl (.*)$/.exec(line)!
    const { status, err } = await world.fed(`${wordsIn(fed)[0] ?? ''}\n`, ...wordsIn(words!))
    expect([line, status, err]).toEqual([line, 0, ''])
  }
  expect(await world.json('memory', 'list')).toMatchObject({ total: 4 })
  world.end()
})

/** Words as a shell would cut them: quotes of both kinds, no escapes. */
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare!)

/** Where the answer is not as wanted; `…` stands for anything, a `$name` for an id, the same one each time. */
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
