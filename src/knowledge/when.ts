// Whether an entry is about what is happening: its triggers against a call, a failure or a prompt.
//
// Fragments are plain text, compared without case and quotation marks, and with single spaces. At an end that is a
// letter or a digit a fragment must not continue a word: `npm` is not in `pnpm install`, `--stat` is not in `--status`.
// A `*` at an end allows that: `Test*`. No patterns, so a hook takes time in proportion to the text, whatever a model
// has written.
//
// A person writes occasions as `Bash: npm install, not pnpm`.
import { type CallFields, callCommand, EDIT_TOOLS } from '../model/event.ts'
import {
  FRAGMENT_CHARS_MAX,
  FRAGMENTS_MAX,
  type Knowledge,
  TRIGGERS_MAX,
  type Trigger,
  type TriggerMoment,
} from '../model/knowledge.ts'
import { MemoryError } from '../model/memoryError.ts'
import { withoutHeredocs } from '../text/command.ts'

/** What is happening. Texts are prepared once by `prepareText`, for all entries. */
export interface Occasion {
  readonly at: Exclude<TriggerMoment, 'start'>
  readonly tool?: string | undefined
  /** The call's input, or the prompt. */
  readonly text: string
  /** Of a command with a text for others in it, such as the message of a commit: the command without it. */
  readonly command?: string | undefined
  /** Of a failure. */
  readonly error?: string | undefined
  readonly signature?: string | undefined
}

/** Characters of a text that are compared. A longer command or file is known by its beginning. */
const TEXT_CHARS_MAX = 16_384

/** Lower case, single spaces, without quotation marks: the next call may quote its arguments in another way. */
export const prepareText = (text: string): string =>
  withoutQuotes(text.slice(0, TEXT_CHARS_MAX)).toLowerCase().replace(/\s+/g, ' ').trim()

/** A text without `"`, `'` and backquotes. */
export const withoutQuotes = (text: string): string => text.replace(/["'`]/g, '')

/** A call as an occasion: its command; of an edit its path and new text; else the texts of its input. */
export function callOccasion({ tool, input }: Pick<CallFields, 'tool' | 'input'>): Occasion {
  const command = callCommand({ input })
  if (command === '') return { at: 'call', tool, text: prepareText(inputTexts(input).join('\n')) }
  const bare = withoutMessages(command)
  return { at: 'call', tool, text: prepareText(command), ...(bare !== command && { command: prepareText(bare) }) }
}

/** The command without the texts that it writes: heredocs, and messages of commits and pull requests. */
const withoutMessages = (command: string): string =>
  withoutHeredocs(command).replace(
    /(\s(?:-[a-zA-Z]*m|--(?:message|body|title|notes))[ =])(?:"(?:[^"\\]|\\.)*"|'[^']*')/gs,
    '$1',
  )

export const failureOccasion = (
  call: Pick<CallFields, 'tool' | 'input'>,
  error: string,
  signature: string | undefined,
): Occasion => ({ ...callOccasion(call), at: 'failure', error: prepareText(error), signature })

export const promptOccasion = (text: string): Occasion => ({ at: 'prompt', text: prepareText(text) })

/** The texts of an input, without what an edit replaces. */
const inputTexts = (input: CallFields['input']): string[] =>
  Object.entries(input).flatMap(([name, value]) =>
    name === 'old_string' || name === 'description'
      ? []
      : typeof value === 'string'
        ? [value]
        : Array.isArray(value)
          ? value.flatMap((item) => (typeof item === 'object' && item !== null ? inputTexts(item) : []))
          : [],
  )

/** How a call stands to a trigger: it fires; it keeps what the trigger is about (`unless`); or neither. */
export type Match = 'fires' | 'keeps' | undefined

export const fires = (when: readonly Trigger[], occasion: Occasion): boolean =>
  when.some((trigger) => matchTrigger(trigger, occasion) === 'fires')

/**
 * `fires` if every fragment is there and none of `unless`. `keeps` if one of `unless` is there: for `npm` unless
 * `pnpm`, the call that runs pnpm. A trigger without fragments and signature never fires, nor does one at a command
 * that only has its words in the message of a commit.
 */
export function matchTrigger(trigger: Trigger, occasion: Occasion): Match {
  if (trigger.at !== occasion.at || !isOfTool(trigger.tool, occasion.tool)) return undefined
  const { has = [], unless = [], signature } = trigger
  if (occasion.at === 'failure') {
    if (signature !== undefined) return signature === occasion.signature ? 'fires' : undefined
    const { error = '' } = occasion
    return has.length > 0 &&
      has.every((part) => contains(error, part) || contains(occasion.text, part)) &&
      has.some((part) => contains(error, part))
      ? 'fires'
      : undefined
  }
  if (unless.some((part) => contains(occasion.text, part))) return onlyReads(occasion.text) ? undefined : 'keeps'
  if (has.length === 0 || !has.every((part) => contains(occasion.text, part))) return undefined
  const { command } = occasion
  return command === undefined || has.some((part) => contains(command, part)) ? 'fires' : undefined
}

/** A command that only looks at something does not do what a rule asks for, or forbids. In `grep a\|b` is no pipe. */
export const onlyReads = (text: string): boolean =>
  text.split(/&&|;| \|+ | & /).every((part) => READS.test(part.trim()))

const READS = /^(?:cd|cat|grep|rg|ls|head|tail|wc|sed -n|git (?:diff|show|log|status|grep))\b/

/** A rule about an order: `Run the linter before you commit`. */
const ORDER = /\b(?:before|first|prior to)\b|前に|先に|してから/i

/** What a commit or a pull request must have is done before it: `Update CHANGELOG.md in the commit of a feature`. */
const FINISHING = /^(?:git (?:commit|push)|gh pr create)\b/
/** An option belongs to the call itself. */
const isNoOption = (fragment: string): boolean => !fragment.startsWith('-')

/** Calls before this one that count as having come first. */
export const EARLIER_CALLS_MAX = 30

/** What a rule wants first, as its trigger names it: it may be in an earlier call. */
export const wantedFirst = ({ at, has = [], unless = [] }: Trigger, line: string): readonly string[] =>
  at === 'call' && (ORDER.test(line) || has.some((part) => FINISHING.test(part))) ? unless.filter(isNoOption) : []

/** Whether what a rule wants first is in one of the texts of earlier calls. */
export const isDoneBefore = (
  { line, when }: Pick<Knowledge, 'line' | 'when'>,
  listEarlier: () => readonly string[],
): boolean => {
  const first = when.flatMap((trigger) => wantedFirst(trigger, line))
  return first.length > 0 && listEarlier().some((text) => first.some((part) => contains(text, part)))
}

/** `Bash` stands for any shell, `Edit` for any tool that writes a file, `Read` or `Grep` for any that looks for one. */
const isOfTool = (tools: string | undefined, tool: string | undefined): boolean =>
  tools === undefined ||
  (tool !== undefined &&
    tools.split('|').some((name) => name === tool || ALIKE.some((group) => group.has(name) && group.has(tool))))

const ALIKE: readonly ReadonlySet<string>[] = [
  EDIT_TOOLS,
  new Set(['Bash', 'PowerShell']),
  new Set(['Read', 'Grep', 'Glob', 'LS']),
]

export function contains(text: string, fragment: string): boolean {
  const bare = withoutQuotes(fragment)
    .replace(/^\*|\*$|(?<=\/.*)\/$/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
  if (bare === '') return false
  const isWordStart = fragment[0] !== '*' && isLetterOrDigit(bare, 0)
  const isWordEnd = !fragment.endsWith('*') && isLetterOrDigit(bare, bare.length - 1)
  const isFolder = /\/.*\/$/.test(fragment)
  for (let at = text.indexOf(bare); at !== -1; at = text.indexOf(bare, at + 1)) {
    if (isWordStart && at > 0 && isWordChar(text, at - 1)) continue
    if (isWordEnd && continuesWord(text, at + bare.length)) continue
    if (isFolder && text[at + bare.length] === '.') continue
    return true
  }
  return false
}

/** A word goes on with a letter, a digit, or a hyphen before one: `--stat` is not in `--stat-all`. */
const continuesWord = (text: string, at: number): boolean =>
  isWordChar(text, at) || (text[at] === '-' && isWordChar(text, at + 1))

const isWordChar = (text: string, at: number): boolean => isLetterOrDigit(text, at) || text[at] === '_'

/** Of ASCII: scripts without spaces have no word ends. */
function isLetterOrDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

const HINT = 'Write it as `Bash: npm install, not pnpm`, `failure: TEXT`, `prompt: WORD` or `start`.'

/** Throws INPUT_INVALID, which names what is wrong. */
export function parseWhen(texts: readonly string[]): Trigger[] {
  if (texts.length > TRIGGERS_MAX) fail(`${texts.length} triggers, ${TRIGGERS_MAX} at most`)
  return texts.map(parseTrigger)
}

function parseTrigger(text: string): Trigger {
  if (/^\s*start\s*$/i.test(text)) return { at: 'start' }
  const [, place, list = ''] = /^\s*([\w|]+)\s*:([\s\S]*)$/.exec(text) ?? []
  if (place === undefined) return fail(`“${text}” does not say when`)
  const parts = list
    .split(/,\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const unless = parts.flatMap((part) => /^not\s+(.+)$/i.exec(part)?.[1] ?? [])
  const has = parts.filter((part) => !/^not\s+/i.test(part))
  if (has.length === 0) return fail(`“${text}” names no text to look for`)
  if (parts.length > FRAGMENTS_MAX) return fail(`“${text}” names ${parts.length} texts, ${FRAGMENTS_MAX} at most`)
  const long = parts.find((part) => part.length > FRAGMENT_CHARS_MAX)
  if (long !== undefined) return fail(`“${long}” has ${long.length} characters, ${FRAGMENT_CHARS_MAX} at most`)
  const moment = place.toLowerCase()
  const fragments = { has, ...(unless.length > 0 && { unless }) }
  if (moment === 'failure' || moment === 'prompt') return { at: moment, ...fragments }
  return { at: 'call', ...(moment !== 'call' && { tool: place }), ...fragments }
}

function fail(what: string): never {
  throw new MemoryError('INPUT_INVALID', what, { hint: HINT })
}
