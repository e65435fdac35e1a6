// Makes text harmless before it is injected: invisible characters, terminal codes, marks that the client or the model
// could take for their own, and lines that look like ours. Clean text costs two searches and is returned as it is.
import type { Memory } from '../model/memory.ts'

/** The text for a note: without hidden characters, forged marks and forged beginnings of lines. Idempotent. */
export const sanitizeText = (text: string): string => neutralizeLines(sanitizeInline(text))

/** As `sanitizeText`, but lines may begin as they like: for texts that are no part of our own layout. */
export function sanitizeInline(text: string): string {
  const visible = removeHidden(text)
  return MARK_START.test(visible) ? neutralizeMarks(visible) : visible
}

/**
 * The text without what nobody sees: terminal codes, control, bidi, zero-width and tag characters, selectors that
 * select nothing. Characters that end a line for some readers become spaces, half surrogate pairs U+FFFD.
 */
export function removeHidden(text: string): string {
  if (!UNUSUAL.test(text) || !HIDDEN.test(text)) return text
  return text
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .replace(TERMINAL_CODE, '')
    .replace(/\r\n/g, '\n')
    .replace(/[\r\v\f\u0085\u2028\u2029]+/g, ' ')
    .replace(invisible(), '')
}

/** Rare texts need these expressions: a hook builds none of them for clean text. */
function buildOnce(source: () => string, flags = ''): () => RegExp {
  let built: RegExp | undefined
  return () => (built ??= new RegExp(source(), flags))
}

/** Compiles in a fraction of the time of the next one. */
const UNUSUAL = /[^\t\n -~]/

/** Everything that `removeHidden` may change. Not `\t` and `\n`. */
const HIDDEN_CLASS =
  String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f` +
  String.raw`\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff` +
  String.raw`\ud800-\udfff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`
const HIDDEN = new RegExp(HIDDEN_CLASS, 'u')

/** CSI, OSC and other strings (a link of OSC 8 keeps its text), and short escapes. */
const TERMINAL_CODE = new RegExp(
  String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|` +
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|` +
    String.raw`\x1b[ -/]*[0-Z\\^-~]?`,
  'g',
)

// A joiner stays between parts of an emoji and between letters of scripts that are written with it; a selector of
// emoji or text style stays after one symbol.
const JOINED_SCRIPTS =
  'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer'
const invisible = buildOnce(() => {
  const joined = JOINED_SCRIPTS.split(' ').map((script) => `\\p{Script=${script}}`)
  return INVISIBLE.replaceAll('JOINED', joined.join(''))
}, 'gu')
const INVISIBLE =
  String.raw`(?<![JOINED])\u200c|\u200c(?![JOINED])|` +
  String.raw`(?<![JOINED\p{Emoji_Modifier}]|\p{Extended_Pictographic}\ufe0f?)\u200d|` +
  String.raw`\u200d(?![JOINED\p{Extended_Pictographic}])|` +
  String.raw`(?<![\p{Extended_Pictographic}\u2190-\u2bff])[\ufe0e\ufe0f](?!\u20e3)|` +
  String.raw`(?![\u200c\u200d\ufe0e\ufe0f])` +
  HIDDEN_CLASS

const LESS_THAN = String.raw`[<＜﹤]|&(?:amp;)*(?:lt|#0*60|#x0*3c)\b;?|\\u003c|\\x3c|%3c`
const BRACKET = String.raw`[\[［]|&(?:amp;)*(?:lsqb|lbrack|#0*91|#x0*5b)\b;?`

/** One of these is in every text that has a mark. */
const MARK_START = new RegExp(`${LESS_THAN}|${BRACKET}`, 'i')

/** The first sign of a mark, perhaps repeated, and enough of what follows to recognize its name. */
const opening = buildOnce(() => `((?:(?:${LESS_THAN})\\s*)+)|((?:(?:${BRACKET})\\s*)+)`, 'gi')
const NAME_CHARS = 96

// Names as `fold` gives them: small plain letters without spaces, slashes, dashes and underscores.
const markName = buildOnce(
  () =>
    '^(?:system(?:reminder|prompt|message|warning)|function(?:call|result)s?|functions>|' +
    'invoke(?:name|>|$)|parametername|' +
    '\\|(?:im(?:start|end|sep)|[a-z0-9]{2,20}\\|)|(?:start|end)of(?:text|turn|prompt)|antml|anthropic|' +
    'tasknotification|' +
    'localcommand|persistedoutput|userpromptsubmithook|sessionstarthook|memctl|sys>|sys$|sys&)',
)
/** Names that are also components and types, such as `<ToolCall />`: with a capital first letter they stay. */
const weakName = buildOnce(
  () =>
    '^(?:private(?:>|reason|$|&)|tool(?:use|call|result|output)|command(?:name|message|args|contents|stdout)|' +
    'claudemd|bash(?:input|stdout|stderr)|(?:ant)?thinking>|newdiagnostics|ide(?:opened|selection)|' +
    'user(?:input|query|message)|' +
    '(?:user|human|assistant|system)(?:>|$|&))',
)
const CAPITALIZED = /^\s*[A-Z][a-z]/

/** Letters of other scripts that look like Latin ones, each before the letter. */
const LOOKALIKES = 'аaеeоoрpсcуyхxіiѕsјjмmтtкkԁdɡgοoαaιiνvνnɪiһhԛqԝwոnнhгr'
let latin: ReadonlyMap<string, string> | undefined
const latinLetters = (): ReadonlyMap<string, string> =>
  (latin ??= new Map([...LOOKALIKES].flatMap((letter, i, all) => (i % 2 === 0 ? [[letter, all[i + 1] ?? '']] : []))))

/** Small plain letters: bold and wide ones, accents and letters that look like Latin ones are the same. */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/g, (letter) => latinLetters().get(letter) ?? letter)

const fold = (text: string): string =>
  foldLetters(
    text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    }),
  ).replace(/[\s/\\_-]|&sol;|%2f/g, '')

const neutralizeMarks = (text: string): string =>
  text.replace(opening(), (whole: string, less: string | undefined, _bracket, at: number) => {
    const rest = text.slice(at + whole.length, at + whole.length + NAME_CHARS)
    const name = fold(rest)
    if (less === undefined) return /^inst(?:\]|&|$)/.test(name) ? '⟦' : whole
    if (!markName().test(name) && (CAPITALIZED.test(rest) || !weakName().test(name))) return whole
    return '‹'
  })

/** What may stand before a forged beginning of a line. */
const INDENT = String.raw`^([\t>*#•・→⇒|_~"'\x60\p{Zs}\p{Pd}\p{So}\p{No}]*(?:\(?(?:\d+|[a-z]{1,3})[.)][\t *_]*)?)`
const PROSE = String.raw`["'“]?\p{L}[\p{L}'’]*[,.!?]?[^\S\n]+\p{L}`

/** Turns of a conversation. `System` and `User` also begin lines of code: they count before prose. */
const forgedTurn = buildOnce(
  () =>
    `${INDENT}([Hh]uman|[Aa]ssistant|HUMAN|ASSISTANT|` +
    '(?:[Ss]ystem|[Uu]ser|[Dd]eveloper|SYSTEM|USER|DEVELOPER)' +
    String.raw`(?=[*_ \t]*[:：][*_ \t]*\n?${PROSE}))(?=[*_ \t]*[:：])`,
  'gmu',
)

/** Headings and labels of memctl, and what else says that a person speaks. */
const forgedHeading = buildOnce(() => `${INDENT}(${HEADINGS.replaceAll(' ', '[\\s_-]+')})`, 'gimu')
const HEADINGS =
  String.raw`memctl(?: notes)?(?=\s*(?:[.:：,(]|$))|(?:what )?the person (?:has )?(?:said|says|prefers|decided|wants)|` +
  'teammates said|notes, not|what has cost calls here|known here|last work here|' +
  String.raw`learned by an earlier|written down (?=for|\()|earlier (?:task|session)(?= \()|` +
  String.raw`decided(?= \(\d)|(?:(?:the )?(?:user|human) (?:has )?(?:said|typed|wrote)|` +
  String.raw`(?:.{0,4}の)?(?:ユーザー?|利用者|人間|本人|用户)(?:の..|曰く|说)?|人が言ったこと)(?=[*_\s]*[:：])`
/** A line that may begin so, without the care that takes long to compile. */
const MAY_BE_FORGED = new RegExp(
  String.raw`^(?:\(?[a-z]{1,3}[.)])?[^a-z\n぀-ヺー-鿿]*` +
    String.raw`(?:hum|assis|sys|user|dev|the[\s_-]|memc|not|wha|kno|las|lea|wri|ear|deci|team|.{0,4}の|[ユ人本利用])`,
  'im',
)

/** Letters that `foldLetters` makes Latin ones: a line with them is looked at as it reads. */
const MAY_READ_OTHERWISE = /[\xc0-\u24ff\uff21-\uff5a\ud835]/

function neutralizeLines(text: string): string {
  const plain = MAY_READ_OTHERWISE.test(text) ? text.replace(/.+/g, quoteDisguised) : text
  if (!MAY_BE_FORGED.test(plain)) return plain
  return plain.replace(forgedTurn(), '$1“$2”').replace(forgedHeading(), '$1“$2”')
}

/** The line in quotation marks if it reads like a heading only with other letters. */
function quoteDisguised(line: string): string {
  const read = foldLetters(line)
  if (!MAY_BE_FORGED.test(read)) return line
  // 0 where it begins so, else -1.
  return read.search(forgedTurn()) && read.search(forgedHeading()) ? line : `“${line}”`
}

/**
 * The line without what could control a terminal, at most `columns` wide, never half a character. A line that is cut
 * ends with an ellipsis. A Japanese or Chinese character and an emoji take two columns.
 */
export function clipColumns(line: string, columns: number): string {
  const text = removeHidden(line).replace(/[\t\n]/g, '')
  let width = 0
  let end = 0
  for (const character of text) {
    width += character >= '\u2e80' ? 2 : 1
    if (width > columns) return `${text.slice(0, end).trimEnd()}…`
    if (width < columns) end += character.length
  }
  return text
}

/**
 * `learned by Aki; 3 people met it`, between `before` and `after`. Empty, without these, for a memory that no team
 * shares, or that only this machine has.
 */
export function teamText(
  memory: Pick<Memory, 'team' | 'knowledge'> & { readonly isSaid?: boolean },
  before = '',
  after = '',
): string {
  const { team, knowledge, isSaid = knowledge && knowledge.type !== 'fact' && knowledge.type !== 'lesson' } = memory
  if (!team || (team.own && team.people < 2 && !team.isTheirs)) return ''
  const said = isSaid ? 'said' : undefined
  const met = team.people > 1 ? `; ${team.people} people ${said ?? 'met'} it` : ''
  return `${before}${said ?? 'learned'} by ${team.by}${met}${after}`
}

export const isFromTeam = ({ team }: Pick<Memory, 'team'>): boolean => team?.own === false || team?.isTheirs === true
