// Redaction: secrets never reach the log.
//
// Each finder has a cheap check and returns spans; one function replaces them. Redacting twice gives the same text,
// and no input makes it throw.
import { createFormFinder, PROSE_FORMS, type SecretFinder } from './findForms.ts'
import { findInlinePasswords, mayHaveInlinePassword } from './inlineCredentials.ts'
import { findKeyValueSecrets, mayHaveKeyValueSecret, redactionKind } from './keyValueSecrets.ts'
import { findPrivateKeys, mayHavePrivateKey } from './privateKeys.ts'
import { findProviderTokens, mayHaveProviderToken } from './providerTokens.ts'
import {
  classifySecretName,
  isLikelySecret,
  isRandom,
  isReference,
  REDACTED_PREFIX,
  replaceSpans,
  type SecretSpan,
} from './secretHeuristics.ts'

/** The most specific kinds come first. */
export const FINDERS: readonly SecretFinder[] = [
  { mayFind: mayHaveProviderToken, find: findProviderTokens },
  { mayFind: mayHavePrivateKey, find: findPrivateKeys },
  { mayFind: mayHaveInlinePassword, find: findInlinePasswords },
  { mayFind: mayHaveKeyValueSecret, find: findKeyValueSecrets },
  createFormFinder(PROSE_FORMS),
]

/**
 * `text` with every secret replaced by `[redacted:KIND]`: tokens by their shape, private keys, passwords in addresses,
 * headers, cookies, options and assignments. Placeholders, references and code stay.
 *
 * Must run before a text is truncated: half a secret no longer looks like one, and would stay. Time is linear in the
 * text.
 */
export const redact = (text: string): string => redactWith(FINDERS, text)

/** A replacement may uncover another secret, which the next pass finds. Two passes are nearly always enough. */
const PASSES_MAX = 8

/** No secret with its context is shorter. */
const SECRET_CHARS_MIN = 9

function redactWith(finders: readonly SecretFinder[], text: string): string {
  if (text.length < SECRET_CHARS_MIN) return text
  let redacted = text
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const spans: SecretSpan[] = []
    // What a replacement uncovers may be of another finder.
    for (const finder of pass === 0 ? finders : FINDERS) finder.find(redacted, spans)
    const next = replaceSpans(redacted, spans)
    if (next === redacted) break
    redacted = next
  }
  return redacted
}

/** Deeper values are replaced by `…`: events are truncated far above. */
const DEPTH_MAX = 64

/**
 * A value as JSON for all cheap checks, also in lower case: in a cold process the first use of a pattern costs most.
 * `text` is undefined if it is too deep or not a JSON value: then every finder runs.
 */
export function buildPrefilterText(value: unknown) {
  try {
    const text = JSON.stringify(value) ?? ''
    return { text, lower: text.toLowerCase() }
  } catch {
    return { text: undefined, lower: '' }
  }
}

type DeepRedaction = Readonly<{ finders: readonly SecretFinder[]; isEnv: boolean }>

/**
 * A JSON value with every string redacted, keys included. A string under the name of a secret is replaced completely
 * if it is likely one. In an env file (`fileName` is its path, or a command with it) every `KEY=value` loses its
 * value. Returns the same reference if nothing changed; else a value below depth 64 becomes `…`. `prefilter` is that
 * of the value or of one that contains it.
 */
export function redactDeep<T>(
  value: T,
  context: { readonly fileName?: string | undefined; readonly prefilter?: ReturnType<typeof buildPrefilterText> } = {},
): T {
  const isEnv = context.fileName !== undefined && isEnvFile(context.fileName)
  const { text, lower } = context.prefilter ?? buildPrefilterText(value)
  const finders = text === undefined ? FINDERS : FINDERS.filter((finder) => finder.mayFind(text, lower))
  return finders.length === 0 && !isEnv ? value : (redactValue(value, '', { finders, isEnv }, DEPTH_MAX) as T)
}

function redactValue(value: unknown, name: string, redaction: DeepRedaction, depth: number): unknown {
  if (typeof value === 'string') return redactField(value, name, redaction)
  if (typeof value === 'number' && value >= 1_000 && Number.isInteger(value)) return redactNumber(value, name)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    let list: unknown[] | undefined
    const block = joinKeyLines(value)
    for (const [i, item] of (block ?? value).entries()) {
      const redacted = redactValue(item, optionName(value[i - 1]) ?? name, redaction, depth - 1)
      if (redacted !== value[i]) list ??= [...value]
      if (list) list[i] = redacted
    }
    return list ?? value
  }
  return redactObject(value as Readonly<Record<string, unknown>>, name, redaction, depth)
}

/** A number of at least four digits, as a password or PIN is one in JSON. */
function redactNumber(value: number, name: string): unknown {
  const strength = classifyField(name)
  return strength === 'password' || strength === 'code' ? `${REDACTED_PREFIX}${strength}]` : value
}

/** The lines of a private key that is a list of lines, with the key replaced; undefined for other lists. */
function joinKeyLines(list: readonly unknown[]): readonly unknown[] | undefined {
  if (!list.every((line): line is string => typeof line === 'string')) return undefined
  if (!list.some((line) => line.includes('PRIVATE KEY'))) return undefined
  const spans: SecretSpan[] = []
  findPrivateKeys(list.join('\n'), spans)
  let end = -1
  return list.map((line) => {
    const start = end + 1
    end = start + line.length
    return spans.some((span) => span.start <= start && span.end >= end) ? `${REDACTED_PREFIX}private-key]` : line
  })
}

function redactObject(
  value: Readonly<Record<string, unknown>>,
  group: string,
  redaction: DeepRedaction,
  depth: number,
): unknown {
  let isChanged = false
  const names = new Set<string>()
  const pairName = findPairName(value)
  const columns = findColumns(value)
  const isGroup = group !== '' && namesSecrets(group)
  const fields = Object.entries(value).map(([name, field]) => {
    let key = redactWith(redaction.finders, name)
    // Two secrets may become the same key; neither value may replace the other.
    while (names.has(key)) key += '′'
    names.add(key)
    const named = pairName?.(name) ?? (isGroup && classifyField(name) === undefined ? group : name)
    const redactNamed = (part: unknown, by = named): unknown => redactValue(part, by, redaction, depth - 1)
    const redacted = columns && Array.isArray(field) ? redactRows(field, columns, redactNamed) : redactNamed(field)
    isChanged ||= redacted !== field || key !== name
    return [key, redacted]
  })
  return isChanged ? Object.fromEntries(fields) : value
}

/** What the name of a field has if it is the name of a secret. */
const NAME_PARTS =
  'pass pwd pw pin otp secret token credential auth cookie key salt seed mnemonic phrase code sid パス トークン キー 暗証'.split(
    ' ',
  )

/** What a name has if it is one of a secret, however it goes on. */
const LONG_NAME = /passw|passphr|passcode|pwd|secret|token|credential|cookie|(?:api|access|account|private)[_-]?key/i

/** How strongly the name of a field suggests a secret; undefined if it does not. */
function classifyField(name: string): ReturnType<typeof classifySecretName> | undefined {
  const lower = name.toLowerCase()
  if (lower === 'session_id' || !NAME_PARTS.some((part) => lower.includes(part))) return undefined
  const strength = classifySecretName(name)
  return strength === 'weak' && !LONG_NAME.test(name) ? undefined : strength
}

/** Fields of a tool's input and output that may contain only a value of an env file, without its name. */
const ENV_FRAGMENT = /^(?:old|new)_?string$/i

function redactField(text: string, name: string, { finders, isEnv }: DeepRedaction): string {
  const strength = classifyField(name)
  if (strength !== undefined && !text.includes(REDACTED_PREFIX)) {
    if (strength === 'authorization' || /cookie$/i.test(name)) return redactHeader(name, text)
    if (isLikelySecret(text, strength, { isQuoted: true, isValuePosition: false, isAloneOnLine: false }))
      return `${REDACTED_PREFIX}${redactionKind(name, strength)}]`
  }
  const first = text.charAt(0)
  if (first === '{' || first === '[') return redactJson(text, { finders, isEnv })
  if (!isEnv) return redactWith(finders, text)
  if (ENV_FRAGMENT.test(name) && isRandom(text)) return `${REDACTED_PREFIX}env]`
  return redact(redactEnvFile(text))
}

/** A text that is JSON: also what its structure says is a secret is redacted, in the place where the text has it. */
function redactJson(text: string, redaction: DeepRedaction): string {
  let result = redactWith(redaction.finders, text)
  if (result.length > JSON_CHARS_MAX) return result
  try {
    const value: unknown = JSON.parse(result)
    const redacted = redactValue(value, '', redaction, DEPTH_MAX)
    if (redacted === value) return result
    for (const [secret, mark] of listChanges(value, redacted)) result = result.replaceAll(secret, mark)
  } catch {
    // No JSON, or truncated.
  }
  return result
}

/** Longer texts are not parsed, in characters. */
const JSON_CHARS_MAX = 200_000

/** The JSON of each value that differs, before and after. */
function listChanges(before: unknown, after: unknown): (readonly [string, string])[] {
  if (before === after) return []
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return [[JSON.stringify(before), JSON.stringify(after)]]
  const others = Object.values(after)
  return Object.values(before).flatMap((field, i) => listChanges(field, others[i]))
}

/** The value of a header is redacted together with its name, which says how to read it. */
function redactHeader(name: string, text: string): string {
  const header = `${name}: `
  const line = redact(header + text)
  return line.startsWith(header) ? line.slice(header.length) : redact(text)
}

type Fields = Readonly<Record<string, unknown>>

/** Fields that contain a name, and fields that contain the value of it. */
const NAME_FIELD = /^@?(?:name|key|id|label|element|selector|field|variable|header|parameterkey|attribute)$/i
const VALUE_FIELD = /^[#@]?(?:value|text|content|val|parametervalue|stringvalue|secret)$/i

/** What the name of an input field says beside its subject. */
const FIELD_WORDS = new RegExp(
  '(?:^|_)(?:the|a|my|new|your|old|current|field|input|box|textbox|entry|name|type|id|value)(?=_|$)|' +
    'の?(?:入力)?(?:欄|フィールド|ボックス)$',
  'g',
)

/** The name for each field of an object whose value another field names: `{ name: 'DB_PASSWORD', value: '…' }`. */
function findPairName(fields: Fields): ((field: string) => string | undefined) | undefined {
  const names = Object.keys(fields)
  const valueField = names.find((name) => VALUE_FIELD.test(name))
  const nameField = valueField === undefined ? undefined : names.find((name) => NAME_FIELD.test(name))
  const name = nameField === undefined ? undefined : fields[nameField]
  if (typeof name !== 'string' || name.length > 80) return undefined
  const subject = toSubject(name)
  return classifySecretName(subject) === 'weak' ? undefined : (field) => (field === valueField ? subject : undefined)
}

/** The names of the columns of a result, if one is that of a secret. Its rows are lists. */
function findColumns(fields: Fields): readonly string[] | undefined {
  const schema = fields['schema'] ?? fields
  const columns = Object.entries(schema).find(([name]) => /^(?:columns?|fields|headers?|cols)$/i.test(name))?.[1]
  if (!Array.isArray(columns)) return undefined
  const names = columns.map((column: unknown) =>
    String(typeof column === 'object' && column !== null ? (column as Fields)['name'] : column),
  )
  return names.some((name) => classifyField(name) !== undefined) ? names : undefined
}

/** The rows of such a result with each cell under the name of its column. */
function redactRows(
  rows: readonly unknown[],
  columns: readonly string[],
  redactCell: (cell: unknown, column: string | undefined) => unknown,
): readonly unknown[] {
  const redacted = rows.map((row: unknown) => {
    if (!Array.isArray(row) || row.length !== columns.length) return redactCell(row, undefined)
    const cells = row.map((cell, i) => redactCell(cell, columns[i]))
    return cells.some((cell, i) => cell !== row[i]) ? cells : row
  })
  return redacted.some((row, i) => row !== rows[i]) ? redacted : rows
}

/** A name as it may be written in a page: `#password`, `input[name="password"]`, `the password field`. */
function toSubject(name: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '_').toLowerCase()
  const subject = words.replace(FIELD_WORDS, '').replace(/^_+|_+$/g, '')
  return subject === '' ? name : /[A-Z]/.test(name) && !/[^\w.-]/.test(name) ? name : subject
}

/** The name of the argument after an option: `--client-secret`. */
const optionName = (argument: unknown): string | undefined =>
  typeof argument === 'string' ? /^--?([A-Za-z][\w-]{1,60})$/.exec(argument)?.[1] : undefined

/** Whether the fields and items under a name are secrets themselves: `secrets`, `apiKeys`, `credentials`. */
const namesSecrets = (name: string): boolean =>
  /(?:secrets|passwords|tokens|keys|credentials)$/i.test(name) && classifySecretName(name) !== 'weak'

/** `.env`, `.env.local`, `.envrc`, `prod.env`, as a path or as a word of a shell command. */
const ENV_FILE =
  /(?:^|[\s/\\'"=<>:(])(?:(?!process\.|meta\.|Deno\.)[\w-]{1,40}\.env|\.env(?:rc|\.[\w.-]{1,60})?)(?=$|[\s'"`;|&)<>*])/

/** Templates, which have no real values. */
const TEMPLATE = /\.(?:example|sample|template|dist|tpl|schema)\b/

/** Whether a path or a command names an env file with real values. */
function isEnvFile(name: string): boolean {
  const match = name.includes('.env') ? ENV_FILE.exec(name) : null
  return match !== null && !TEMPLATE.test(match[0])
}

/**
 * A line with an assignment. A line number, the sign of a diff or `export` may precede the name. A quoted value may
 * span several lines; any other ends with its line.
 */
const LINE =
  /^([+\-<> \t]{0,16}(?:[\w./\\-]{0,200}\.env[\w.-]{0,60}[:-])?(?:\d{1,6}[:\t→|-]\s{0,4})?(?:export[ \t]{1,4}|set[ \t]{1,4})?[A-Za-z_][\w.-]{0,100}[ \t]{0,8}=[ \t]{0,8})(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|([^\r\n]*))/gm

/** A line that a command appends to an env file: `echo "KEY=value" >> .env`. */
const PRINTED =
  /((?:echo|printf)\s+(?:-\w{1,3}\s+)?)(?:((?<=\s)[A-Z_]\w*=)[^\s"'\\$]{1,999}|(["'][A-Z_]\w*=)[^"'\n\\$]{1,999})/gi

/** A value that still has to be filled in. */
const UNFILLED = /^\s*(?:<.*>|x{3,}|\*{3,}|change[_-]?me|your[_-].*)\s*$/i

/**
 * The text of an env file with every value replaced by `[redacted:env]`. Names, comments, empty values, placeholders
 * and references (`$OTHER`) stay.
 */
export function redactEnvFile(text: string): string {
  return text
    .replace(PRINTED, `$1$2$3${REDACTED_PREFIX}env]`)
    .replace(LINE, (line: string, ...groups: (string | undefined)[]) => {
      const [name, double, single, bare] = groups
      const value = double ?? single ?? bare ?? ''
      const isPublic =
        value.trim() === '' || value.includes(REDACTED_PREFIX) || UNFILLED.test(value) || isReference(value)
      if (isPublic) return line
      const quote = double !== undefined ? '"' : single !== undefined ? "'" : ''
      return `${name}${quote}${REDACTED_PREFIX}env]${quote}`
    })
}
