// What a shell line does, by its main simple command: `cd x && FOO=1 npm test -- foo | tail` is `npm test`.
import {
  BINDING_KEYWORDS,
  CHECK_NAME,
  CHECKERS,
  CONTAINERS,
  FORMAT_CHECKS,
  FORMATTERS,
  GROUPS,
  INTERPRETERS,
  KEYWORDS,
  PREPARING,
  READING,
  READING_SUBCOMMANDS,
  RUNNERS,
  SCRIPT_RUNNERS,
  SHELLS,
  VALUE_OPTIONS,
  WITH_SUBCOMMAND,
  WITH_TWO,
  WRAPPERS,
} from './commandWords.ts'
import { splitSimpleCommands } from './shellCommands.ts'

/**
 * The shape of the main simple command: program, subcommands and the names of its flags (sorted, without values).
 * Empty for an empty command. `git commit -m "x"` → `git commit -m`, `go test ./... -run TestX` → `go test -run`.
 */
export function commandShape(command: string): string {
  const words = findMainCommand(command)
  if (words === undefined) return ''
  const head = commandHead(words)
  const end = words.indexOf('--')
  const flags = new Set<string>()
  for (const word of end === -1 ? words : words.slice(0, end)) {
    const name = flagName(word)
    if (name !== undefined && !head.includes(name)) flags.add(name)
  }
  return [...head, ...[...flags].sort()].join(' ')
}

/** Only the program and its subcommands: `npm test`, `npm run build`, `git commit`, `python -m pytest`. */
export function commandFamily(command: string): string {
  const words = findMainCommand(command)
  return words === undefined ? '' : commandHead(words).join(' ')
}

/** The main simple command with all its words: `cd x && npm test -- foo 2>&1 | tail` is `npm test -- foo`. */
export const coreCommand = (command: string): string => (findMainCommand(command) ?? []).join(' ')

/** Whether a common tool tests, builds, lints or checks types or format. A formatter that writes does not count. */
export const isCheckCommand = (command: string): boolean => listCommands(command).some(({ words }) => isCheck(words))

/** A simple command: its program and its arguments. */
type Words = readonly [program: string, ...args: string[]]

/** The name of a flag: `--flag=value` → `--flag`, `-j4` → `-j`; undefined for a word that is not a flag. */
function flagName(word: string): string | undefined {
  const name = /^--?[A-Za-z][\w-]*/.exec(word)?.[0]
  if (name === undefined || /^-[A-Za-z]\d+$/.test(name)) return name?.slice(0, 2)
  return /\s/.test(word) && !name.startsWith('--') ? name.slice(0, 2) : name
}

/** The simple command that says most: a check before other work, work before reading, reading before preparing. */
function findMainCommand(command: string): Words | undefined {
  let best: Words | undefined
  let bestRank = 0
  for (const { words, isAuxiliary } of listCommands(command)) {
    const full = commandRank(words)
    // A filter behind a pipe says little; a command that does work there counts if its input only reads or prints.
    const rank = !isAuxiliary ? full : full >= 3 ? 2.5 : 0.5
    // Of two of the same rank the later one: `npm run build && npm test` is about the test.
    if (rank > bestRank || (rank === bestRank && rank >= 3)) {
      best = words
      bestRank = rank
    }
  }
  return best
}

/** The simple commands without wrappers; `bash -c "…"` counts as the commands that it runs. */
function listCommands(command: string, depth = 0): { words: Words; isAuxiliary: boolean }[] {
  return splitSimpleCommands(command).flatMap(({ words: wrapped, isAuxiliary }) => {
    const words = unwrap(wrapped)
    if (words === undefined || words[0].startsWith('-')) return []
    if (depth < 2 && SHELLS.has(words[0])) {
      const at = words.findIndex((word) => /^-\w*c$/.test(word))
      const script = at > 0 ? words[at + 1] : undefined
      if (script !== undefined) return listCommands(script, depth + 1)
    }
    return [{ words, isAuxiliary }]
  })
}

/** The command without assignments, keywords and programs that only run it. */
function unwrap(words: readonly string[]): Words | undefined {
  let i = 0
  for (let word = words[0]; word !== undefined; word = words[i]) {
    if (BINDING_KEYWORDS.has(word)) return undefined
    const valueLetters = Object.hasOwn(WRAPPERS, word) ? WRAPPERS[word] : undefined
    const isSet = /^[A-Za-z_]\w*\+?=/.test(word) || (word.startsWith('$') && /^\$(?:env:)?\w+=/i.test(word))
    if (valueLetters === undefined && !KEYWORDS.has(word) && !isSet) break
    i++
    if (valueLetters !== undefined) {
      for (let flag = words[i]; flag?.startsWith('-'); flag = words[i]) {
        i += flag.length === 2 && valueLetters.includes(flag.charAt(1)) ? 2 : 1
      }
    }
    if (word.endsWith('timeout')) i++
  }
  const program = words[i]
  if (program === undefined) return undefined
  const end = words.indexOf('--', i)
  // `mise exec -- go test` runs what follows; what a container runs is not run here.
  if (end > 0 && /^(?:exec|x)$/.test(words[i + 1] ?? '') && !CONTAINERS.has(program))
    return unwrap(words.slice(end + 1))
  const name = programName(program)
  return name === '' ? undefined : [name, ...words.slice(i + 1)]
}

/** The name of a program without its folder and version: `/usr/bin/python3.12` is `python`. */
function programName(word: string): string {
  const isQuotedProgram = word.includes(' ') && /^[A-Za-z]:\/.*\.(?:exe|cmd|bat|ps1)$/i.test(word)
  const path = isQuotedProgram ? word : (/^[^\s=]*/.exec(word.trim())?.[0] ?? '').replaceAll('\\', '/')
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
  return /^(?:python|pip)[\d.]+$/.test(name) ? name.replace(/[\d.]+$/, '') : name
}

/** How much a command says: 4 for a check, 3 for other work, 2 for reading, 1 for preparing. */
function commandRank(words: Words): number {
  if (isCheck(words)) return 4
  if (PREPARING.has(words[0])) return 1
  const isReading =
    READING.has(words[0]) || commandHead(words).some((word, i) => i > 0 && READING_SUBCOMMANDS.has(word))
  return isReading ? 2 : 3
}

/** The program and its subcommands. */
function commandHead(words: Words): readonly string[] {
  const [program] = words
  if (INTERPRETERS.has(program) && !WITH_SUBCOMMAND.has(program)) return interpreterHead(words)
  let left = WITH_TWO.has(program) ? 2 : WITH_SUBCOMMAND.has(program) ? 1 : 0
  const head = [program]
  let last = program
  for (let i = 1; i < words.length && left > 0; i++) {
    const word = words[i] ?? ''
    if (word === '--' && !GROUPS.has(last)) break
    if (VALUE_OPTIONS.has(word)) i++
    else if (/^[-+]/.test(word) || word.includes('=') || (word === 'clean' && /^[:a-z]/.test(words[i + 1] ?? '')))
      continue
    else {
      // A path, a number or a text is an argument, except of a runner: `go run ./cmd/x`.
      if (RUNNERS.has(last) ? !NAME.test(word) : !/^[A-Za-z:][\w:.@-]*$/.test(word)) break
      last = /^[/~]/.test(word) ? programName(word) : RUNNERS.has(program) ? withoutVersion(word) : word
      head.push(last)
      if (!(GROUPS.has(word) && head.length < 4 && !CONTAINERS.has(program)) && word !== 'compose') left--
    }
  }
  return head
}

/** What can name something to run; anything else is a value. */
const NAME = /^[^\s=]+$/

/** `vitest@latest` is `vitest`. */
const withoutVersion = (word: string): string => word.replace(/(?<=.)@[\w.^~-]+$/, '')

/** An interpreter and what it runs: a module, a script, or the option for inline code. */
function interpreterHead(words: Words): readonly string[] {
  const [program] = words
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '-m') return [program, '-m', ...words.slice(i + 1, i + 2).filter((name) => NAME.test(name))]
    if (/^(?:-[ecp]|--eval|--print|--test|--check)$/.test(word)) return [program, word]
    if (/^(?:-r|--require|--import|--loader|--env-file|-W|-X)$/.test(word)) i++
    else if (!word.startsWith('-'))
      return NAME.test(word) ? [program, /^[/~$]/.test(word) ? programName(word) : word] : [program]
  }
  return [program]
}

function isCheck(words: Words): boolean {
  const [program, firstArgument = ''] = words
  const head = commandHead(words)
  const [, subcommand, module] = head
  const last = head.at(-1) ?? program
  if (program === 'npm' && subcommand === 'ci') return false
  if (head.length > 1 && (RUNNERS.has(program) || RUNNERS.has(head.at(-2) ?? program))) {
    const inner = words.slice(words.findIndex((word) => withoutVersion(word) === last || word === last))
    if (inner.length < words.length && isCheck([programName(last), ...inner.slice(1)])) return true
  }
  if (subcommand === '-m') return module !== undefined && isCheck([module, ...words.slice(words.indexOf('-m') + 2)])
  if (last === '--test' || last === '--check') return INTERPRETERS.has(program)
  const writes =
    FORMATTERS.has(program) || FORMATTERS.has(subcommand ?? '') || (firstArgument === 'format' && CHECKERS.has(program))
  if (writes) return words.some((word) => FORMAT_CHECKS.has(word))
  if (CHECKERS.has(program))
    return !/^(?:install|open|codegen|init|migrate|--version|--help|-h|-v)$/.test(firstArgument)
  if (!SCRIPT_RUNNERS.has(program)) return false
  if (program === 'make' && head.length === 1) return true
  if (/^(?:mvnw?|gradlew?)$/.test(program))
    return words.some(
      (word, i) => i > 0 && /^(?:install|package)$|(?:^|:)(?:test|check|verify|build|compile)/.test(word),
    )
  return head.length > 1 && CHECK_NAME.test(last)
}

/** Whether a command of this shape only reads, prints or prepares; an empty shape too. */
export function isReading(shape: string): boolean {
  const [program = '', ...words] = shape.split(' ')
  return (
    /^(?:gh|curl)?$/.test(program) ||
    READING.has(program) ||
    PREPARING.has(program) ||
    words.some((word) => READING_SUBCOMMANDS.has(word))
  )
}
