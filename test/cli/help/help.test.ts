// The help: twelve everyday commands first, every command in a group, and a hint for the words that people try.
import { afterAll, describe, expect, test } from 'vitest'
import { COMMAND_GROUPS, commandPath, EVERYDAY, EXAMPLES } from '../../../src/cli/help/formatHelp.ts'
import { createProgram } from '../../../src/cli/runCli.ts'
import { newWorld } from '../testContext.ts'
import { listAllCommands } from './listAllCommands.ts'

const world = newWorld()
afterAll(() => world.end())

const silent = { write: () => {} }
const program = createProgram({ out: silent, err: silent, cwd: '/', stdin: () => '', env: {} })
const visible = program.createHelp().visibleCommands(program)
const grouped = COMMAND_GROUPS.flatMap(([, names]) => names)

describe('help: groups', () => {
  test('help: every command is in exactly one group', () => {
    const names = visible.map((command) => command.name())
    expect(names.filter((name) => !grouped.includes(name))).toEqual([])
    expect(grouped.filter((name, i) => grouped.indexOf(name) !== i)).toEqual([])
  })

  test('help: the everyday commands are twelve, and come first', () => {
    expect(COMMAND_GROUPS[0]).toEqual([EVERYDAY, expect.objectContaining({ length: 12 })])
  })

  test('help: without arguments memctl prints every command on 40 lines at most, with status 0', async () => {
    const { status, out, err } = await world.memctl()
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.split('\n').length).toBeLessThanOrEqual(40)
    const named = new Set(out.split(/[\s,]+/))
    expect(visible.map((command) => command.name()).filter((name) => !named.has(name))).toEqual([])
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  test('help: --help, -h and help print the same page', async () => {
    const pages = await Promise.all([['--help'], ['-h'], ['help']].map((words) => world.memctl(...words)))
    expect(new Set([(await world.memctl()).out, ...pages.map(({ out }) => out)]).size).toBe(1)
  })

  test('help: --all has a line about each command', async () => {
    const { out } = await world.memctl('help', '--all')
    for (const command of visible) expect(out).toMatch(new RegExp(`^ {2}${command.name()} +\\S`, 'm'))
  })
})

const known = new Set(listAllCommands(program).map(commandPath))

describe('help: of a command', () => {
  const groups = listAllCommands(program).filter((command) => command.commands.length > 0)

  test.each(groups.map(commandPath).filter((path) => path !== ''))(
    'help: the group %s without a subcommand prints its help, with status 0',
    async (path) => {
      const [alone, help] = await Promise.all([
        world.memctl(...path.split(' ')),
        world.memctl('help', ...path.split(' ')),
      ])
      expect(alone).toEqual({ status: 0, out: help.out, err: '' })
      expect(alone.out).toContain('Commands:')
    },
  )

  test('help: a group has no default command', () => {
    expect(
      groups.map(
        (group) => (group as typeof group & { _defaultCommandName?: string | null })._defaultCommandName ?? null,
      ),
    ).toEqual(groups.map(() => null))
  })

  test('help: of an unknown word is an error that names the full help', async () => {
    const { status, err } = await world.memctl('help', 'polish')
    expect(status).toBe(2)
    expect(err).toContain('memctl help --all')
  })

  test.each(Object.entries(EXAMPLES).filter(([path]) => known.has(path)))(
    'help: the examples of %s are in its help, and it has their options',
    async (path, lines) => {
      const { out } = await world.memctl('help', ...path.split(' '))
      for (const line of lines) {
        expect(out).toContain(line)
        for (const [option] of line.matchAll(/(?<= )--[a-z-]+/g)) expect(out).toContain(option)
      }
    },
  )
})

describe('help: examples', () => {
  const commands = new Map(listAllCommands(program).map((command) => [commandPath(command), command]))
  const examples = Object.entries(EXAMPLES).flatMap(([path, lines]) => lines.map((line) => [line, path] as const))

  test.each(examples.filter(([, path]) => commands.has(path)))(
    'help: `%s` has the arguments of its command',
    (line, path) => {
      const [call = ''] = line.replace(/^.*\| (?=memctl)/, '').split(/ {3,}| [<>] /)
      const command = commands.get(path)
      if (!command) throw new Error(`No command ${path}`)
      const words = (call.match(/"[^"]*"|\S+/g) ?? []).slice(1 + path.split(' ').length)
      const values = command.options
        .filter((option) => option.required || option.optional)
        .flatMap(({ long, short }) => [long, short])
      const given = words.filter((word, i) => !word.startsWith('-') && !values.includes(words[i - 1] ?? ''))
      const wanted = command.registeredArguments
      expect(given.length).toBeGreaterThanOrEqual(wanted.filter((argument) => argument.required).length)
      if (!wanted.at(-1)?.variadic) expect(given.length).toBeLessThanOrEqual(wanted.length)
    },
  )

  test('help: every command with arguments has an example; that of a new one is in src/cli/help/formatHelp.ts', () => {
    const commands = listAllCommands(program).filter((command) => command.registeredArguments.length > 0)
    expect(commands.map(commandPath).filter((path) => !EXAMPLES[path])).toEqual([])
  })
})

describe('help: what people try', () => {
  test.each([
    ['rm', 'memctl forget'],
    ['delete', 'memctl forget'],
    ['add', 'memctl remember'],
    ['find', 'memctl search'],
    ['config', 'memctl policy'],
    ['stats', 'memctl status'],
    ['history', 'memctl list'],
    ['events', 'memctl list'],
    ['edit', 'memctl supersede'],
    ['score', 'memctl memory'],
    ['archive', 'memctl entry'],
    ['contribution', 'memctl show'],
    ['lits', 'Did you mean list?'],
  ])('help: `memctl %s` is an error that names %s', async (word, named) => {
    const { status, err } = await world.memctl(word, 'x')
    expect({ status, lines: err.trim().split('\n').length }).toEqual({ status: 2, lines: 1 })
    expect(err).toContain(named)
  })

  test('help: ls lists memories, and version prints the version', async () => {
    expect(await world.memctl('ls')).toEqual(await world.memctl('list'))
    expect(await world.memctl('version')).toEqual(await world.memctl('--version'))
  })

  test('help: a wrong option names the help of its command', async () => {
    expect((await world.memctl('policy', 'show', '--nope')).err).toContain('`memctl policy show --help`')
  })
})
