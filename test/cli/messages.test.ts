// What a person reads names commands and options, never the tools and parameters of the MCP server; what an agent
// reads names no command.
import { afterAll, describe, expect, test } from 'vitest'
import { openStore } from '../../src/broker/open/openStore.ts'
import { commandPath } from '../../src/cli/help/formatHelp.ts'
import { createProgram } from '../../src/cli/runCli.ts'
import { invokeTool } from '../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../src/tools/definition/toolContext.ts'
import { TOOLS } from '../../src/tools/toolRegistry.ts'
import { listAllCommands } from './help/listAllCommands.ts'
import { newWorld } from './testContext.ts'

const world = newWorld()
afterAll(() => world.end())

const silent = { write: () => {} }
const program = createProgram({ out: silent, err: silent, cwd: '/', stdin: () => '', env: {} })
const COMMANDS = listAllCommands(program).map(commandPath)

/** Names of tools, and of parameters with an underscore, that are no words of a sentence. */
const NAMES = new Set(
  TOOLS.flatMap((tool) => [tool.name, ...Object.keys(tool.input)]).filter((name) => name.includes('_')),
)

/** Values that are words of the memory-tools spec, and so of the options, too. */
const VALUES = ['created_at', 'short_term', 'long_term']

const findNames = (text: string): string[] =>
  (text.match(/\b[A-Za-z]+(?:_[a-z]+)+\b/g) ?? []).filter(
    (word) => NAMES.has(word.toLowerCase()) && !VALUES.includes(word),
  )

describe('messages: for a person', () => {
  test.each(COMMANDS)('messages: the help of memctl %s names no tool and no parameter of one', async (path) => {
    const { out } = await world.memctl('help', ...path.split(' ').filter(Boolean))
    expect(findNames(out)).toEqual([])
  })

  const calls = TOOLS.filter(({ command }) => (command.flags ?? []).length === 0).flatMap(({ command, input }) => {
    const words = command.words.split(' ')
    const flags = Object.keys(input).map((name) => `--${(name === 'role' ? 'agent_role' : name).replaceAll('_', '-')}`)
    const wrong = flags.map((flag) => [...words, ...(command.args ?? []).map(() => '-1'), flag, '\u0000x'])
    return [words, [...words, 'zzzz', 'zzzz'], ...wrong]
  })

  test('messages: no error of a tool command names a tool or a parameter', async () => {
    const named: string[] = []
    for (const words of calls) {
      const { err } = await world.memctl(...words)
      if (findNames(err).length > 0) named.push(`${words.join(' ')}: ${err}`)
    }
    expect(named).toEqual([])
  }, 60_000)
})

describe('messages: for an agent', () => {
  test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    'messages: no description or failure of %s names a command',
    async (_name, tool) => {
      expect(JSON.stringify([tool.description, Object.values(tool.input).map(({ schema }) => schema)])).not.toContain(
        '`memctl',
      )
      const env = { MEMCTL_HOME: `${world.folder}/home` }
      const store = openStore(`${world.folder}/project`, env)
      const context = createToolContext({ store, role: 'owner', env, now: Date.now })
      const texts = { id: 'zzzz', ids: ['zzzz'], key: 'none', memory_ids: ['a', 'b'], query: '', content: '' }
      const known = Object.fromEntries(Object.entries(texts).filter(([name]) => name in tool.input))
      for (const input of [{}, { nope: 1 }, known, { ...known, score: 7, top_k: -1 }]) {
        const result = await invokeTool(tool, input, context)
        if (result.kind === 'failure') expect(JSON.stringify(result.failure)).not.toContain('memctl ')
      }
    },
  )
})
