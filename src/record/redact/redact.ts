// Redaction: secrets never reach the log.
//
// Each finder has a cheap check and returns spans; one function replaces them. Redacting twice gives the same text,
// and no input makes it throw.
import { isEnvFile, redactEnvFile } from './envFile.ts'
import { findInlinePasswords, mayHaveInlinePassword } from './inlinePasswords.ts'
import { classifySecretName, findKeyValueSecrets, mayHaveKeyValueSecret, redactionKind } from './keyValueSecrets.ts'
import { findPrivateKeys, mayHavePrivateKey } from './privateKeys.ts'
import { findProviderTokens, mayHaveProviderToken } from './providerTokens.ts'
import { isLikelySecret, isRandom } from './secretHeuristics.ts'
import { REDACTED_PREFIX, replaceSpans, type SecretSpan } from './secretSpan.ts'

/** A search for one form of secrets, and a cheap check that is true for every text with such a secret. */
interface Finder {
  readonly mayFind: (text: string, lower: string) => boolean
  readonly find: (text: string, spans: SecretSpan[]) => void
}

/** The most specific kinds come first. */
const FINDERS: readonly Finder[] = [
  { mayFind: mayHaveProviderToken, find: findProviderTokens },
  { mayFind: mayHavePrivateKey, find: findPrivateKeys },
  { mayFind: mayHaveInlinePassword, find: findInlinePasswords },
  { mayFind: mayHaveKeyValueSecret, find: findKeyValueSecrets },
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

function redactWith(finders: readonly Finder[], text: string): string {
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

/** A value as text for all cheap checks. In a cold process the first use of a pattern costs most. */
interface PrefilterText {
  /** The value as JSON; undefined if it is too deep or not a JSON value: then every finder runs. */
  readonly text: string | undefined
  /** The same in lower case. */
  readonly lower: string
}

export function buildPrefilterText(value: unknown): PrefilterText {
  try {
    const text = JSON.stringify(value) ?? ''
    return { text, lower: text.toLowerCase() }
  } catch {
    return { text: undefined, lower: '' }
  }
}

interface DeepRedaction {
  readonly finders: readonly Finder[]
  readonly isEnv: boolean
}

/**
 * A JSON value with every string redacted, keys included. A string under the name of a secret is replaced completely
 * if it is likely one. In an env file (`fileName` is its path, or a command with it) every `KEY=value` loses its
 * value. Returns the same reference if nothing changed; else a value below depth 64 becomes `…`. `prefilter` is that
 * of the value or of one that contains it.
 */
export function redactDeep<T>(
  value: T,
  context: { readonly fileName?: string | undefined; readonly prefilter?: PrefilterText } = {},
): T {
  const isEnv = context.fileName !== undefined && isEnvFile(context.fileName)
  const { text, lower } = context.prefilter ?? buildPrefilterText(value)
  const finders = text === undefined ? FINDERS : FINDERS.filter((finder) => finder.mayFind(text, lower))
  return finders.length === 0 && !isEnv ? value : (redactValue(value, '', { finders, isEnv }, DEPTH_MAX) as T)
}

function redactValue(value: unknown, name: string, redaction: DeepRedaction, depth: number): unknown {
  if (typeof value === 'string') return redactField(value, name, redaction)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    let list: unknown[] | undefined
    for (const [i, item] of value.entries()) {
      const redacted = redactValue(item, name, redaction, depth - 1)
      if (redacted !== item) list ??= [...value]
      if (list) list[i] = redacted
    }
    return list ?? value
  }
  return redactObject(value as Readonly<Record<string, unknown>>, redaction, depth)
}

function redactObject(value: Readonly<Record<string, unknown>>, redaction: DeepRedaction, depth: number): unknown {
  let isChanged = false
  const names = new Set<string>()
  const fields = Object.entries(value).map(([name, field]) => {
    let key = redactWith(redaction.finders, name)
    // Two secrets may become the same key; neither value may replace the other.
    while (names.has(key)) key += '′'
    names.add(key)
    const redacted = redactValue(field, name, redaction, depth - 1)
    isChanged ||= redacted !== field || key !== name
    return [key, redacted]
  })
  return isChanged ? Object.fromEntries(fields) : value
}

/** Names of secrets. */
const SECRET_NAME =
  /passw|passphr|passcode|pwd|secret|token|credential|authorization|^_?auth$|cookie|(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription|functions?)[_-]?key/i

/** Fields of a tool's input and output that may contain only a value of an env file, without its name. */
const ENV_FRAGMENT = /^(?:old|new)_?string$/i

function redactField(text: string, name: string, { finders, isEnv }: DeepRedaction): string {
  if (SECRET_NAME.test(name) && !text.includes(REDACTED_PREFIX)) {
    const strength = classifySecretName(name)
    if (strength === 'authorization' || /cookie$/i.test(name)) return redactHeader(name, text)
    if (isLikelySecret(text, strength, { isQuoted: true, isValuePosition: false, isAloneOnLine: false }))
      return `${REDACTED_PREFIX}${redactionKind(name, strength)}]`
  }
  if (!isEnv) return redactWith(finders, text)
  if (ENV_FRAGMENT.test(name) && isRandom(text)) return `${REDACTED_PREFIX}env]`
  return redact(redactEnvFile(text))
}

/** The value of a header is redacted together with its name, which says how to read it. */
function redactHeader(name: string, text: string): string {
  const header = `${name}: `
  const line = redact(header + text)
  return line.startsWith(header) ? line.slice(header.length) : redact(text)
}
