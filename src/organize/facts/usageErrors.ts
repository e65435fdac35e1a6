// What a program says it does not have: an option, a subcommand, a script; or the program itself. Wordings of the
// common argument parsers (getopt, cobra, clap, click, argparse, yargs, Go's flag) and task runners.
import { type CallResult, callCommand } from '../../model/event.ts'
import { INTERPRETERS } from '../../text/commandWords.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import { callText, isRefusedCall } from './sessionCalls.ts'

export interface UsageError {
  readonly kind: 'option' | 'subcommand' | 'script' | 'program'
  /** As the command has it: `--stat`, `bun`, `lint`. */
  readonly name: string
  /** The words of the simple command that has it. */
  readonly words: readonly string[]
}

/** A pattern of several wordings, ignoring case; `^` and `$` match at lines. Group 1 of each is the name. */
const anyOf = (...wordings: readonly string[]): RegExp => new RegExp(wordings.join('|'), 'im')

const WORDINGS: readonly { readonly kind: UsageError['kind']; readonly pattern: RegExp }[] = [
  {
    kind: 'option',
    pattern: anyOf(
      "unknown shorthand flag: '\\w' in (-\\w+)",
      '(?:un(?:known|recogni[sz]ed|expected)|illegal|invalid|bad|no such|unsupported) (?:command-line |long )?' +
        '(?:flag|option|argument|switch)s?:? (?:-- )?[\'"`‘]?(-{0,2}\\w[\\w-]*)',
      'flag provided but not defined: (-{1,2}[\\w-]+)',
      '(?:option|argument|flag) [\'"`](-{1,2}[\\w-]+)[\'"`]? ' +
        "(?:is )?(?:not recogni[sz]ed|unknown|not supported|which wasn't expected)",
    ),
  },
  {
    kind: 'subcommand',
    pattern: anyOf(
      '(?:un(?:recogni[sz]ed|known)|no such|invalid) (?:sub-?)?command:? [\'"`]?([\\w:-]+)',
      '[\'"`]([\\w:-]+)[\'"`] is not an? \\w+ command',
      "argument \\S+: invalid choice: '([\\w:-]+)'",
    ),
  },
  {
    kind: 'script',
    pattern: anyOf(
      '(?:missing script|script not found|no script named):? [\'"`]?([\\w:./-]+)',
      '(?:command|task|recipe|target):? [\'"`]([\\w:./-]+)[\'"`] (?:not found|does not exist|is not defined)',
      'no rule to make target [`\'"]([\\w:./-]+)',
      'does not contain recipe [`\'"]?([\\w:-]+)',
      'no tasks? (?:named )?[\'"`]?([\\w:-]+)[\'"`]? found',
      "don't know how to build task '([\\w:-]+)'",
    ),
  },
  {
    kind: 'program',
    pattern: anyOf(
      'command not found: (\\S+)',
      '(?:^|[\\s:])([\\w.+-]+): (?:command )?not found$',
      '[\'"]([\\w.+-]+)[\'"] is not recognized as an internal',
      'exec: "([\\w.+-]+)": executable file not found',
    ),
  },
]

/** What the call used that does not exist. Also of a call that passed because a pipe hid the failure. */
export function findUsageError(call: CallResult): UsageError | undefined {
  const command = callCommand(call)
  if (command === '' || isRefusedCall(call)) return undefined
  const text = callText(call)
  const all = splitSimpleCommands(command)
  const simple = all.filter(({ words }) => !isOwnProgram(words))
  for (const { kind, pattern } of WORDINGS) {
    const match = pattern.exec(text)
    const said = match?.slice(1).find((group) => group !== undefined)
    if (match === null || said === undefined) continue
    const speaker = /([\w.-]+): (?:error: )?$/.exec(text.slice(0, match.index))?.[1]
    const possible = kind === 'program' ? all : simple
    const spoken = possible.filter(({ words }) => words[0] === speaker)
    for (const { words } of spoken.length > 0 ? spoken : possible) {
      const name = findWord(words, said, kind)
      if (name !== undefined && isOwnMessage(call, text, words)) return { kind, name, words }
    }
  }
  return onlyOption(call, simple[0]?.words ?? [], simple.length)
}

/** A program of the project itself, such as `./bin/x` or `go run ./x`: what it does not have is new code, no fact. */
function isOwnProgram([program = '', ...args]: readonly string[]): boolean {
  if (/^(?:go|cargo|dotnet|swift)$/.test(program)) return args[0] === 'run'
  if (INTERPRETERS.has(program)) return args.some((word) => /^[^-].*(?:\/|\.\w+$)/.test(word))
  return program.includes('/') && !/gradlew|mvnw|^\/(?:usr|bin|opt|nix)\//.test(program)
}

/** A command that printed its usage and had a single option. */
function onlyOption(call: CallResult, words: readonly string[], commands: number): UsageError | undefined {
  if (call.kind !== 'call.failed' || commands !== 1 || !/^(?:exit code \d+\s+)?usage: /i.test(call.error))
    return undefined
  const options = words.filter((word) => /^-/.test(word))
  const name = options[0]?.replace(/=.*$/s, '')
  return options.length === 1 && name !== undefined ? { kind: 'option', name, words } : undefined
}

/** A single dash before this many characters or more, with the dash, is a word such as `-name`. */
const WORD_OPTION_CHARS = 5

/** The word of the command that the message is about: `A` is in `-A`, `n` in `-rn`. */
function findWord(words: readonly string[], said: string, kind: UsageError['kind']): string | undefined {
  const bare = said.replace(/^-+/, '')
  if (kind === 'program') return words.find((word, i) => i === 0 && (word === said || word.endsWith(`/${said}`)))
  if (kind !== 'option') return words.slice(1).find((word) => word === said)
  const word = words
    .slice(1)
    .find((other) => other.replace(/=.*$/s, '') === said || other.replace(/=.*$/s, '') === `--${bare}`)
  if (word !== undefined) return word.replace(/=.*$/s, '')
  const cluster = /^\w$/.test(bare)
    ? words.slice(1).find((other) => /^-[A-Za-z]+$/.test(other) && other.includes(bare))
    : undefined
  // `-name` is one option that was read as letters, `-rn` is two.
  return cluster === undefined || cluster.length >= WORD_OPTION_CHARS ? cluster : `-${bare}`
}

/** Output that only quotes such a message (a log, a file) is no failure of this call. */
const isOwnMessage = (call: CallResult, text: string, words: readonly string[]): boolean =>
  call.kind === 'call.failed' ||
  (text.length < 1_200 &&
    !READERS.test(words[0] ?? '') &&
    /^(?:[\w./-]+: |error: |fatal: |unknown |unrecognized |zsh: |bash: )/i.test(text.trim()))

const READERS = /^(?:echo|printf|grep|rg|jq|man)$/
