// Random command lines for every command of a program, made from its own list of commands, arguments and options.
import type { Command } from 'commander'
import type { Random } from '../fixture/seededRandom.ts'

/** A command with what may follow it. */
export interface FuzzedCommand {
  readonly words: readonly string[]
  readonly argumentCount: number
  readonly options: readonly {
    readonly flag: string
    readonly takesValue: boolean
    readonly choices: readonly string[]
  }[]
}

/** Every command that does something, below `program`. */
export function listFuzzedCommands(program: Command, words: readonly string[] = []): FuzzedCommand[] {
  const own = {
    words,
    argumentCount: program.registeredArguments.length,
    options: program.options.flatMap(({ long, required, optional, argChoices = [] }) =>
      long ? [{ flag: long, takesValue: required || optional, choices: argChoices }] : [],
    ),
  }
  const below = program.commands.flatMap((command) => listFuzzedCommands(command, [...words, command.name()]))
  return words.length > 0 ? [own, ...below] : below
}

/** Files and folders that exist, for arguments that name one. */
export interface FuzzedPlaces {
  readonly file: string
  readonly emptyFile: string
  readonly folder: string
  /** Nobody writes to it. */
  readonly fifo: string
  readonly project: string
}

const deep = (open: string, close: string): string => open.repeat(3_000) + close.repeat(3_000)

/** Values that a careless person, a script or an attacker may pass. */
const VALUES: readonly string[] = [
  ...['', ' ', '-', '0', '1', '-1', '-5', '1.5', '1e308', '1e999', 'NaN', 'Infinity', '-Infinity', '0x10', '٣'],
  ...[
    '9'.repeat(400),
    'x'.repeat(70_000),
    'あ'.repeat(30_000),
    '\n',
    '\t\r\n',
    '\u001b[31m',
    '\u202e',
    '\u200b',
    '\ud800',
  ],
  ...['constructor', '__proto__', 'toString', 'prototype', 'null', 'undefined', 'true', 'false', '[]', '{}', '"', "'"],
  ...[
    '{"__proto__":{"a":1}}',
    '{"content":1}',
    '[[[',
    '[null]',
    '{"a":',
    deep('[', ']'),
    deep('{"a":', '}').slice(0, 9_000),
  ],
  ...['2026-02-31', '2026-13-01', '+275760-09-13', '-000001-01-01', '0000-00-00', '2026-02-28T25:00:00Z', 'yesterday'],
  ...['../../../etc/passwd', '/dev/null', '/dev/full', '/proc/self/mem', '~', '.', '/', 'C:\\x', 'file:///etc/passwd'],
  ...[
    '%s%n%x',
    '$(id)',
    '`id`',
    ';',
    '|',
    '&&',
    '--',
    '--json',
    '--help',
    '--version',
    '-h',
    '-x',
    '--no-such',
    '--=',
    '*',
  ],
  ...['#42', '00000000-0000-4000-8000-000000000000', 'memctl://memory/x', 'session-one', 'main', 'hello world'],
]

/** A command line: the words, some options, some arguments. */
export function drawCommandLine(command: FuzzedCommand, places: FuzzedPlaces, random: Random): string[] {
  const value = (): string => (random.below(5) === 0 ? random.pick(Object.values(places)) : random.pick(VALUES))
  const line = [...command.words]
  for (let i = random.below(4); i > 0 && command.options.length > 0; i -= 1) {
    const { flag, takesValue, choices } = random.pick(command.options)
    line.push(flag)
    if (takesValue && random.below(20) > 0)
      line.push(choices.length > 0 && random.below(2) === 0 ? random.pick(choices) : value())
  }
  const count = random.below(4) === 0 ? random.below(4) : command.argumentCount
  for (let i = 0; i < count; i += 1) line.push(value())
  return line
}

/** Text for stdin. */
export const drawStdin = (random: Random): string => random.pick(VALUES)
