// A standing command in one form over all sessions: `go test ./pkg/a -run TestFoo -v` and `go test -v -run TestBar
// ./pkg/b` are both `go test ./<package> -run <name>`.
import { commandFamily } from '../../text/command.ts'
import { generalizeWord } from './commandForm.ts'

/** Options that change only what is printed or repeated. */
const SILENT_OPTIONS = new RegExp(
  `^(?:${[
    '-v{1,3}|-q|-s|-x|--verbose|--quiet|--silent|--info|--stacktrace|--no-color|--color(?:=\\w+)?|--no-cache',
    '-count=\\d+|-n\\d*|-j\\d*|-timeout(?:=.*)?|--bail|--?failfast|--reporter(?:=.*)?|-race',
  ].join('|')})$`,
)
/** Options that name one test. */
const NAME_OPTIONS =
  /^(?:-run|-test\.run|-t|-k|--testNamePattern|--grep|-g|--tests|--filter|--test-name-pattern|-Dtest|--only|-bench)$/

/** How often the words of a command stay the same is shown by its concrete form: without silent options only. */
export const concreteForm = (words: readonly string[]): string =>
  words
    .filter((word) => !SILENT_OPTIONS.test(word))
    .map(generalizeWord)
    .join(' ')
    .replace(/ --$/, '')

/** The command with its arguments in general form, options after arguments, without what only changes the output. */
export function routineForm(words: readonly string[]): string {
  const head = headLength(words)
  const args: string[] = []
  const options: string[] = []
  for (let i = head; i < words.length; i++) {
    const word = words[i] ?? ''
    const [name = '', value] = splitOption(word)
    if (word === '--') args.push('--')
    else if (SILENT_OPTIONS.test(word)) i += /^-timeout$|^--reporter$/.test(word) ? 1 : 0
    else if (NAME_OPTIONS.test(name)) {
      options.push(value === undefined ? `${name} <name>` : `${name}=<name>`)
      if (value === undefined) i++
    } else if (/^-[a-z]$/i.test(word) && /[/.]/.test(words[i + 1] ?? '') && word !== '-c' && word !== '-w') {
      options.push(`${word} <path>`)
      i++
    } else if (/^-/.test(word)) options.push(generalizeWord(word))
    else args.push(argumentForm(word))
  }
  const unique = [...new Set(args)]
  return [...words.slice(0, head), ...unique, ...[...new Set(options)].sort()].join(' ').replace(/ --$/, '')
}

const splitOption = (word: string): readonly [string, string | undefined] => {
  const at = word.indexOf('=')
  return word.startsWith('-') && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined]
}

/** How many words name what is run. */
function headLength(words: readonly string[]): number {
  const family = commandFamily(words.join(' ')).split(' ')
  let length = 0
  for (const part of family) {
    const at = words.findIndex((word, i) => i >= length && (word === part || word.endsWith(`/${part}`)))
    if (at === -1 || at > length) break
    length = at + 1
  }
  return Math.max(1, length)
}

/** What means everything stays, and so does a plain word; a folder is `<path>`, a file `<file>`, a name `<name>`. */
function argumentForm(word: string): string {
  if (/^(?:\.|\.\/|\.\/\.\.\.|\/\/\.\.\.|all)$/.test(word)) return word
  if (/[^/]\.[A-Za-z]\w{0,5}(?:::\S+|:\d+)?$/.test(word) && !/\.\.\.$/.test(word)) return '<file>'
  if (/\//.test(word)) return '<path>'
  if (/^(?:\d+|[0-9a-f]{7,})$/.test(word)) return '<n>'
  if (/^[a-z][\w:.-]*$/.test(word)) return word
  return '<name>'
}
