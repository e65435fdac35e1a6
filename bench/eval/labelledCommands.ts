// How many of a project's labelled standing commands (build, test, lint, …) a store knows, with the right purpose.
//
// A label is an example: `go test ./cmd -run TestName -v`. Only words that do not vary are compared: the program, its
// subcommands and tasks, and the names of its flags. Paths, names in place of a value and incidental flags are dropped.
import type { Memory } from '../../src/model/memory.ts'

export interface CommandLabel {
  /** What it is for, in words: `single unit test`. */
  readonly what: string
  readonly command: string
}

/** The labels for which an active routine of the store has the same command and a purpose that fits. */
export function findKnownCommands(labels: readonly CommandLabel[], memories: Iterable<Memory>): CommandLabel[] {
  const routines = [...memories].flatMap(({ kind, status, fact }) => {
    if (kind !== 'fact' || status !== 'active' || fact?.routine === undefined || fact.state === 'retired') return []
    const commands = [...fact.remedies.map(({ text }) => text), fact.claim].flatMap(quotedCommands)
    return [{ purpose: fact.routine.purpose, shapes: new Set(commands.map(fixedWords)) }]
  })
  return labels.filter(({ what, command }) => {
    const purposes = purposesOf(what)
    return routines.some(({ purpose, shapes }) => purposes.has(purpose) && shapes.has(fixedWords(command)))
  })
}

/** The purposes of a routine that fit a label, by words of the label. The first pattern that matches decides. */
const PURPOSES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bsingle\b.*\bintegration\b/, ['test one', 'integration test']],
  [/\bsingle\b/, ['test one']],
  [/\b(?:integration|e2e|end.to.end)\b/, ['integration test', 'test']],
  [/\bci\b/i, ['test', 'check', 'integration test']],
  [/\btests?\b/, ['test']],
  [/\blint/, ['lint', 'check']],
  [/\bformat/, ['format']],
  [/\bcompile|\btypes?\b|\btype.?check/, ['build', 'check']],
  [/\bbuild/, ['build']],
  [/\b(?:run|start|serve)/, ['run']],
  [/\breport/, ['check', 'other']],
]

const purposesOf = (what: string): ReadonlySet<string> =>
  new Set(PURPOSES.find(([pattern]) => pattern.test(what))?.[1] ?? ['other', 'run'])

/** What is between backticks; without any, the whole text. */
function quotedCommands(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, command]) => command ?? [])
  return quoted.length > 0 ? quoted : [text]
}

/** Flags that change how much is printed, not what is done. */
const INCIDENTAL = /^--?(?:v|verbose|paginate|count|timeout|q|quiet|color|no-color)$/

/** `mise run test -- -run TestName 2>&1 | tail -5` → `mise run test -run`. */
function fixedWords(command: string): string {
  const main = (command.split(/\s*(?:\||&&|;|\s\d*>)\s*/)[0] ?? '').trim()
  const [program = '', ...words] = main.split(/\s+/).filter((word) => !/^\w+=/.test(word))
  const flags = new Set<string>()
  const fixed: string[] = [programName(program)]
  words.forEach((word, i) => {
    if (word === '--') return
    if (word.startsWith('-')) {
      const flag = word.split('=')[0] ?? ''
      if (!INCIDENTAL.test(flag)) flags.add(flag.replace(/^-+/, '-'))
    } else if (!isValue(word) && !isValueOf(words[i - 1])) fixed.push(word)
  })
  return [...fixed, ...[...flags].sort()].join(' ')
}

/** A script's name without its folder, an ending and a pattern at its end. */
const programName = (program: string): string => (program.split('/').at(-1) ?? '').replace(/[*.].*$/, '')

/** A path, a placeholder (<file>, N, FILE), a name in capitals or camel case, or a quoted text. */
const isValue = (word: string): boolean => /[/<>"'*$]|\.{2,}|^\.|^[A-Z]|\.\w+$/.test(word)

const isValueOf = (flag: string | undefined): boolean => flag !== undefined && /^--?(?:run|grep|t|k)$/.test(flag)
