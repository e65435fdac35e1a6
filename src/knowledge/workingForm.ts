// Two commands, one that failed and one that passed soon after it: the difference that made it pass.
//
// The commands are compared word by word. A difference is sure only if the error names the word that is gone, or the
// words are the same but for quotes. Another program or option is a guess: a second session must confirm it.
import { commandFamily, INTERPRETERS, isReading, splitSimpleCommands } from '../text/command.ts'
import { salientLine } from '../text/errorSignature.ts'
import { jaccard } from '../text/similarity.ts'

/** What to use instead of what, as a reader repeats it: programs, subcommands and options, without values. */
export interface WorkingForm {
  readonly bad: string
  /** The option or subcommand that is refused; `bad` is what it is given to. */
  readonly refused?: string | undefined
  /** Empty: the same without `refused`. */
  readonly good: string
  /** Fragments of a call that will fail again; empty if such a call may also pass. */
  readonly failing: readonly string[]
  /** It may be chance: it takes another session in which the same worked. */
  readonly isGuess?: true
}

type Words = readonly string[]

/** Least similarity of two simple commands, 0 to 1, for one to replace the other. */
const SIMILARITY_MIN = 0.34

/** The difference that made the command pass, or may have made it; undefined if there is none. */
export function findWorkingForm(failed: string, passed: string, error: string): WorkingForm | undefined {
  const [olds, news] = [simpleCommands(failed), simpleCommands(passed)]
  const line = salientLine(error)
  const added = news.filter((words) => !olds.some((other) => isSame(words, other)))
  let likely: Form | undefined
  for (const from of olds) {
    if (news.some((other) => isSame(from, other))) continue
    const form =
      refusedWord(from, olds, news, line) ?? scriptAsWord(from, news, passed) ?? fixingScript(from, added, line)
    if (form !== undefined) return form
    if (familyOf(from) === commandFamily(failed))
      for (const to of added.filter((words) => familyOf(words) === commandFamily(passed)))
        likely ??= otherProgram(from, to, line) ?? otherOption(from, to, error)
  }
  return quotedWord(olds, passed, line) ?? (likely && { ...likely, failing: [], isGuess: true })
}

type Form = Pick<WorkingForm, 'bad' | 'good'>

/** Words before the arguments that both commands have: `uv run`, `docker compose`, `NODE_ENV=test timeout 60`. */
const PROGRAM_WORDS_MAX = 3
/** A program or a variable for it. */
const PROGRAM = /^[\w./~-]+$|^\w+=[\w./,-]*$/
/** Words of a command that looks for a program, installs it or removes files. */
const LOOKS_FOR = /^(?:install|add|i|-v|rm)$/

/** The same script or arguments behind another program; of a program that was not found, also others. */
function otherProgram(from: Words, to: Words, line: string): Form | undefined {
  const [program = '', other = ''] = [from[0], to[0]]
  const isVersion = familyOf([program]) === familyOf([other])
  const isNotFound = line.includes(program) && /not (?:found|recognized)/.test(line)
  if (program === other || !PROGRAM.test(program) || !PROGRAM.test(other)) return undefined
  if (isNotFound && isVersion) return { bad: program, good: other }
  const at = to.indexOf(program)
  let same = isNotFound && at > 0 && at < to.length - 1 ? from.length : 0
  const own = same > 0 ? to.slice(0, at) : [...to]
  for (; same < from.length && own.at(-1) === from.at(-1 - same); same++) own.pop()
  const [old, args] = [from.slice(0, from.length - same), from.slice(from.length - same)]
  const isLookup = own.length > 0 && (own.some((word) => LOOKS_FOR.test(word)) || isReading(own.join(' ')))
  if (isLookup || Math.max(old.length, own.length) > PROGRAM_WORDS_MAX) return undefined
  // A value holds for a day and a machine. And nobody should install packages of a language as root.
  if ([...old, ...own].some((word) => word.includes('='))) return undefined
  if (own[0] === 'sudo' && /^(?:npm|pnpm|yarn|pip3?|gem)$/.test(program)) return undefined
  const isInner = old.length === 0 || own.length === 0
  const heads = isInner ? [lengthOf(args)] : [lengthOf(from) - old.length, lengthOf(to) - own.length]
  const shown = args.slice(0, Math.max(0, ...heads))
  if (shown.length === 0 && !isVersion) return undefined
  return { bad: [...old, ...shown].join(' '), good: [...own, ...shown].join(' ') }
}

const lengthOf = (words: Words): number => familyOf(words).split(' ').length

/** One option is another or is added, and the error names it or the one that is gone. */
function otherOption(from: Words, to: Words, error: string): Form | undefined {
  const gone = from.filter((word) => !to.includes(word))
  const added = to.filter((word) => !from.includes(word))
  const isOne = ([option = '', ...values]: Words): boolean => isOption(option) && values.length < 2
  if (familyOf(from) !== familyOf(to) || !isOne(added) || !(gone.length === 0 || isOne(gone))) return undefined
  const isNamed = error.includes(nameOf(added[0] ?? '')) || gone.some((word) => isRefused(word, salientLine(error)))
  const [bad, good] = [gone, added].map((words) => [familyOf(from), ...words].join(' ')) as [string, string]
  return isNamed && !/^(?:-k|--insecure)$/.test(added[0] ?? '') ? { bad, good } : undefined
}

const simpleCommands = (command: string): Words[] => splitSimpleCommands(command).map(({ words }) => words)

const isSame = (a: Words, b: Words): boolean => a.length === b.length && a.every((word, i) => word === b[i])

/** The error names an option or subcommand that the passing command does not have. */
function refusedWord(
  from: Words,
  olds: readonly Words[],
  news: readonly Words[],
  line: string,
): WorkingForm | undefined {
  const firstOption = from.findIndex((word) => word.startsWith('-'))
  const isSubcommand = (word: string, at: number): boolean =>
    at > 0 && at <= 3 && (firstOption === -1 || at < firstOption) && /^[a-z][\w:-]*$/.test(word)
  const at = from.findIndex((word, i) => (isOption(word) || isSubcommand(word, i)) && isRefused(nameOf(word), line))
  const word = from[at]
  if (word === undefined || isOwnProgram(from)) return undefined
  const refused = nameOf(word)
  const wrapper = from.slice(0, at).join(' ')
  // `wrapper tool …` failed and `tool …` passed.
  const inner = from.slice(at)
  const unwrapped = news.find((words) => familyOf(words) === familyOf(inner))
  if (unwrapped && !isOption(word))
    return { bad: `${wrapper} ${familyOf(inner)}`, good: familyOf(unwrapped), failing: [`${wrapper} ${refused}`] }
  const owner = ownerOf(from, at)
  const good = goodForm(from, owner, refused, { olds, news })
  if (good === undefined || good === owner || `${good} `.startsWith(`${owner} ${refused}`)) return undefined
  return { bad: owner, refused, good, failing: wrapper === owner ? [`${owner} ${refused}`] : [owner, refused] }
}

/** The form that passed; '' for the same without the refused word; undefined if none of the commands replaced it. */
function goodForm(
  from: Words,
  owner: string,
  refused: string,
  { olds, news }: { readonly olds: readonly Words[]; readonly news: readonly Words[] },
): string | undefined {
  const added = news.filter((words) => !olds.some((other) => isSame(words, other)))
  const to = mostSimilar(from, added)
  if (to !== undefined && `${to.join(' ')} `.startsWith(`${owner} `)) {
    if (to.some((other) => nameOf(other) === refused)) return undefined
    if (!refused.startsWith('-')) return familyOf(to)
    const [option, ...others] = to.filter((other) => isOption(other) && !from.includes(other))
    return option !== undefined && others.length === 0 && to.length === from.length ? `${owner} ${nameOf(option)}` : ''
  }
  // `… | cat -A` failed and `… | od -c` passed: all the rest is the same.
  const stages = added.filter(([program = '']) => !/^(?:head|tail)$/.test(program))
  const rest = olds.filter((words) => words !== from)
  const isRestSame = rest.length > 0 && rest.every((words) => news.some((other) => isSame(words, other)))
  return isRestSame && stages.length === 1 && (stages[0]?.length ?? 9) <= 3 ? stages[0]?.join(' ') : undefined
}

function mostSimilar(from: Words, candidates: readonly Words[]): Words | undefined {
  const similarity = (to: Words): number => jaccard(from, to) + (familyOf(from) === familyOf(to) ? 0.5 : 0)
  return candidates.toSorted((a, b) => similarity(b) - similarity(a)).find((to) => similarity(to) >= SIMILARITY_MIN)
}

/** `--flag=value` → `--flag`. */
const nameOf = (word: string): string => (word.startsWith('-') ? word.replace(/=.*$/s, '') : word)

const isOption = (word: string): boolean => /^--?[A-Za-z]/.test(word)

/** The program with the subcommands before the word: options before a subcommand belong to the program. */
function ownerOf(from: Words, at: number): string {
  const before = from.slice(0, at)
  return familyOf(from)
    .split(' ')
    .filter((word, i) => i === 0 || before.includes(word))
    .join(' ')
}

/** A message about a word ends with it or quotes it: `unknown flag: --stat`, `'bun' is no command`, `option -- A`. */
function isRefused(word: string, line: string): boolean {
  const name = `-{0,2}${word.replace(/^-+/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`
  return new RegExp(`(?:^|\\s)['"\`‘]${name}['"\`’]|[:\\s]-{0,2} ?${name}$|: ${name}[\\s,.;]`).test(line)
}

/** A program of the project, or one behind variables: what it refuses changes. */
const isOwnProgram = ([program = '', ...args]: Words): boolean =>
  /^[./~]|^[A-Z]:|=/.test(program) ||
  (INTERPRETERS.has(withoutVersion(program)) && args.some((word) => /^[^-].*[/.]\w+$/.test(word)))

const withoutVersion = (program: string): string => program.replace(/[\d.]+$/, '')

/** An interpreter that failed at a script of several lines given as a word, and ran one from a file or its input. */
function scriptAsWord(from: Words, news: readonly Words[], passed: string): WorkingForm | undefined {
  const [program = '', option = '', script = ''] = from
  const interpreter = withoutVersion(program)
  if (!/^-[ce]$/.test(option) || !script.includes('\n') || !INTERPRETERS.has(interpreter)) return undefined
  const to = news.find(([other = '', ...words]) => withoutVersion(other) === interpreter && !words.includes(option))
  if (to === undefined || !(passed.includes('<<') || /\.\w+$/.test(to[1] ?? ''))) return undefined
  return { bad: `${program} ${option}`, good: `${to[0]} - <<'EOF'`, failing: [] }
}

/** `lint` failed and `lint:fix` passed: a script of the same name that goes further. Not if there is no `lint`. */
function fixingScript(from: Words, added: readonly Words[], line: string): WorkingForm | undefined {
  for (const to of added) {
    const at = from.findIndex((word, i) => word !== to[i])
    const [word = '', other = ''] = [from[at], to[at]]
    if (at < 1 || from.length !== to.length || !/^[a-z]\w+$/.test(word) || !other.startsWith(word)) continue
    if (/^[:-][a-z]/.test(other.slice(word.length)) && !isRefused(word, line))
      return { bad: from.slice(0, at + 1).join(' '), good: to.slice(0, at + 1).join(' '), failing: [] }
  }
  return undefined
}

/** The same words, of which one has quotation marks in the command that passed. */
function quotedWord(olds: readonly Words[], passed: string, line: string): WorkingForm | undefined {
  const word = olds.flat().find((other) => /[*?[\]]/.test(other) && !/\s/.test(other) && line.includes(other))
  const bare = word?.replaceAll('\\', '')
  return word !== undefined && (passed.includes(`'${bare}'`) || passed.includes(`"${bare}"`))
    ? { bad: word, good: `'${bare}'`, failing: [] }
    : undefined
}

/** The family of a simple command: `git show`, `npm run lint`, `cat`. */
const familyOf = (words: Words): string =>
  commandFamily(words.map((word) => `'${word.replaceAll("'", '')}'`).join(' ')) || (words[0] ?? '')
