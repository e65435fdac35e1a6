// Every command with --json prints one line with one JSON object, in an empty and in a filled store; and an error is
// one object of the same shape, with exit status 2. The commands are found in the tree: none is forgotten.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandPath } from '../../src/cli/help/formatHelp.ts'
import { createProgram } from '../../src/cli/runCli.ts'
import { listAllCommands } from './help/listAllCommands.ts'
import { newWorld, RECORDINGS, type World } from './testContext.ts'

const silent = { write: () => {} }
const program = createProgram({ out: silent, err: silent, cwd: '/', stdin: () => '', env: {} })
const COMMANDS = listAllCommands(program)
  .filter((command) => command.options.some(({ long }) => long === '--json'))
  .map(commandPath)

/** Options that make a command answer something else. */
const MODES = [
  ...['entry list --archived', 'entry summary --archived', 'list --sessions', 'list --events', 'show --contribution'],
  ...['shown --contribution', 'report --effect'],
  ...['organize --sleep main', 'organize --distill', 'doctor --log', 'doctor --log --fix', 'doctor --embedder'],
  ...['rebuild --vectors', 'init --upgrade'],
]

/** Arguments of commands that need some. ID is a memory, SESSION a session, FILE a file, of the filled store. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  init: ['--dry-run'],
  uninstall: ['--dry-run'],
  recall: ['npm test fails'],
  search: ['npm test'],
  show: ['ID'],
  'show --contribution': ['ID'],
  'organize --distill': ['--dry-run'],
  'init --upgrade': ['--dry-run'],
  why: ['src/tax.js'],
  remember: ['Prices are integers'],
  'memory pin': ['ID'],
  'memory impact': ['ID', 'user_positive'],
  supersede: ['ID', 'Another rule'],
  forget: ['--text', 'nobody wrote this', '--dry-run'],
  'hub grant': ['team', '--project', 'shop'],
  'hub revoke': ['team', '--project', 'shop'],
  'policy reset': ['--yes'],
  'import claude-mem': ['FILE'],
  'import markdown': ['FOLDER'],
  'import memctl': ['FILE'],
  'import transcripts': ['FOLDER'],
  'memory store': ['The API has version 2'],
  'memory search': ['API'],
  'memory get': ['ID'],
  'memory update': ['ID', '--tags', 'api'],
  'memory delete': ['ID', '--dry-run'],
  'memory batch-store': ['--input', '{"items":[{"content":"A"}]}'],
  'memory batch-update': ['--input', '{"updates":[{"id":"ID","tags":["a"]}]}'],
  'memory get-score': ['ID'],
  'memory set-score': ['ID', '0.9'],
  'memory consolidate': ['ID', 'OTHER'],
  'entry save': ['deploy', '--content', 'On Tuesdays'],
  'entry find': ['deploy'],
  'entry get': ['deploy'],
  'entry delete': ['deploy', '--dry-run'],
  'entry restore': ['deploy'],
}

/** Lists of one kind of thing: beside the list they have the number of all. */
const LISTS = [
  'list',
  'search',
  'list --sessions',
  'policy history',
  'memory list',
  'entry list',
  'entry list --archived',
]

let empty: World
let filled: World
let words: Readonly<Record<string, string>>

beforeAll(async () => {
  empty = newWorld()
  filled = newWorld()
  const { store } = await filled.json<{ store: string }>('status')
  await filled.dev('replay', RECORDINGS, '--store', store, '--quiet')
  const { memories } = await filled.json<{ memories: readonly { id: string; kind: string }[] }>('list')
  const [first, second] = memories.filter(({ kind }) => kind === 'preference' || kind === 'decision')
  const folder = path.join(filled.folder, 'notes')
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'note.md'), '# A note\n\nThe harbour is lit at dusk.\n')
  words = { ID: first?.id ?? '', OTHER: second?.id ?? '', FILE: path.join(folder, 'note.md'), FOLDER: folder }
}, 60_000)

afterAll(() => {
  empty.end()
  filled.end()
})

const argumentsOf = (command: string): string[] =>
  (ARGUMENTS[command] ?? []).map((word) =>
    word.replace(/^(?:ID|OTHER|FILE|FOLDER)$|(?<=")ID(?=")/, (name) => words[name] ?? name),
  )

function parseLine(out: string): Record<string, unknown> {
  expect(out.indexOf('\n')).toBe(out.length - 1)
  const value: unknown = JSON.parse(out)
  expect(value).toBeTypeOf('object')
  expect(Array.isArray(value)).toBe(false)
  return value as Record<string, unknown>
}

/** A tool's failure has the fields of its source document. */
function expectError(answer: Record<string, unknown>): void {
  const text = expect.any(String)
  const failure = { error: true, error_type: text, message: text, hint: text }
  expect(answer).toEqual(answer['error'] === true ? failure : { error: { code: text, message: text, hint: text } })
}

describe.each([...COMMANDS, ...MODES])('json: memctl %s', (command) => {
  test.each(['empty', 'filled'])('json: prints one object in an %s store', { timeout: 60_000 }, async (name) => {
    const world = name === 'empty' ? empty : filled
    const { status, out, err } = await world.memctl(...command.split(' '), ...argumentsOf(command), '--json')
    expect(err).toBe('')
    const answer = parseLine(out)
    if (status === 2 && 'error' in answer) return expectError(answer)
    expect([0, 1, 2]).toContain(status)
    expect(answer).not.toHaveProperty('error')
    if (LISTS.includes(command)) expect(answer).toHaveProperty('total')
  })

  test('json: a wrong option is an error with status 2', async () => {
    const { status, out, err } = await empty.memctl(...command.split(' '), '--no-such-option', '--json')
    expect({ status, err }).toEqual({ status: 2, err: '' })
    expect(parseLine(out)).toEqual({
      error: { code: 'USAGE', message: expect.stringContaining('--no-such-option'), hint: expect.any(String) },
    })
  })
})
