// Redact: secrets never reach the log.
//
// Finders say where a secret stands, each with a cheap look first, and one place replaces. The law: doing it twice changes
// nothing, and nothing makes it throw.

import { isEnvFile, redactEnvFile } from './envFile.ts'
import { findInlinePasswords, mayHaveInlinePassword } from './inlinePasswords.ts'
import { classifySecretName, findKeyValueSecrets, mayHaveKeyValueSecret, redactionKind } from './keyValueSecrets.ts'
import { buildPrefilterText, type PrefilterText } from './prefilterText.ts'
import { findPrivateKeys, mayHavePrivateKey } from './privateKeys.ts'
import { findProviderTokens, mayHaveProviderToken } from './providerTokens.ts'
import { isLikelySecret, isRandom } from './secretHeuristics.ts'
import { REDACTED_PREFIX, replaceSpans, type SecretSpan } from './secretSpan.ts'

export { redactEnvFile } from './envFile.ts'
export { removePrivateParts } from './privateTags.ts'

/** A cheap look that misses nothing, and the search itself. In the order of how much their kinds tell. */
interface Finder {
  readonly may: (text: string, lower: string) => boolean
  readonly find: (text: string, spans: SecretSpan[]) => void
}

const FINDERS: readonly Finder[] = [
  { may: mayHaveProviderToken, find: findProviderTokens },
  { may: mayHavePrivateKey, find: findPrivateKeys },
  { may: mayHaveInlinePassword, find: findInlinePasswords },
  { may: mayHaveKeyValueSecret, find: findKeyValueSecrets },
]

/**
 * `text` with every secret replaced by `[redacted:KIND]`: tokens by their shape, private keys, passwords in addresses,
 * headers, cookies, options and assignments. Placeholders, references and code stay as they are.
 *
 * Must run before a text is cut: half a secret no longer looks like one, and would stay. Time grows with the text.
 */
export const redact = (text: string): string => redactedBy(FINDERS, text)

/** What one replacement uncovers, the next pass takes; two nearly always do, and only where there was a secret. */
const PASSES_MAX = 8

/** No secret is shorter with what tells of it. */
const SECRET_CHARS_MIN = 9

function redactedBy(finders: readonly Finder[], text: string): string {
  if (text.length < SECRET_CHARS_MIN) return text
  let clean = text
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const spans: SecretSpan[] = []
    // What replacing uncovers may be another finder's.
    for (const finder of pass === 0 ? finders : FINDERS) finder.find(clean, spans)
    const next = replaceSpans(clean, spans)
    if (next === clean) break
    clean = next
  }
  return clean
}

/** Deeper values are left out whole: an event is cut far above. */
const DEPTH_MAX = 64

/** What `deep` needs to know all the way down. */
interface Search {
  readonly finders: readonly Finder[]
  readonly env: boolean
}

/**
 * Any JSON value with every string redacted, keys included. A string under a key that names a secret goes whole when it is
 * plausible as one. In an env file (`fileName`, or a command that names one) every `KEY=value` loses its value. The very
 * same reference where nothing changed; where something did, a value below depth 64 becomes `…`. `look` is a look at the value
 * or at one that holds all of it.
 */
export function redactDeep<T>(
  value: T,
  context: { readonly fileName?: string; readonly look?: PrefilterText } = {},
): T {
  const env = context.fileName !== undefined && isEnvFile(context.fileName)
  const finders = findersFor(context.look ?? buildPrefilterText(value))
  return finders.length === 0 && !env ? value : (deep(value, '', { finders, env }, DEPTH_MAX) as T)
}

function findersFor({ text, lower }: PrefilterText): readonly Finder[] {
  return text === undefined ? FINDERS : FINDERS.filter((finder) => finder.may(text, lower))
}

function deep(value: unknown, name: string, search: Search, depth: number): unknown {
  if (typeof value === 'string') return named(value, name, search)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    let list: unknown[] | undefined
    for (const [place, one] of value.entries()) {
      const clean = deep(one, name, search, depth - 1)
      if (clean !== one) list ??= [...value]
      if (list) list[place] = clean
    }
    return list ?? value
  }
  return deepObject(value as Readonly<Record<string, unknown>>, search, depth)
}

function deepObject(value: Readonly<Record<string, unknown>>, search: Search, depth: number): unknown {
  let changed = false
  const names = new Set<string>()
  const fields = Object.entries(value).map(([name, one]) => {
    let key = redactedBy(search.finders, name)
    // Two secrets may become the same key; neither value may push the other out.
    while (names.has(key)) key += '′'
    names.add(key)
    const clean = deep(one, name, search, depth - 1)
    changed ||= clean !== one || key !== name
    return [key, clean]
  })
  return changed ? Object.fromEntries(fields) : value
}

/** Names that tell of a secret. */
const TELLING_NAME =
  /passw|passphr|passcode|pwd|secret|token|credential|authorization|^_?auth$|cookie|(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription|functions?)[_-]?key/i

/** Fields of a tool's input and answer that may hold a bare value of an env file, without its name. */
const ENV_FRAGMENT = /^(?:old|new)_?string$/i

function named(text: string, name: string, { finders, env }: Search): string {
  if (TELLING_NAME.test(name) && !text.includes(REDACTED_PREFIX)) {
    const grade = classifySecretName(name)
    if (grade === 'authorization' || /cookie$/i.test(name)) return headerValue(name, text)
    if (isLikelySecret(text, grade, { isQuoted: true, isValuePosition: false, isAloneOnLine: false }))
      return `${REDACTED_PREFIX}${redactionKind(name, grade)}]`
  }
  if (!env) return redactedBy(finders, text)
  if (ENV_FRAGMENT.test(name) && isRandom(text)) return `${REDACTED_PREFIX}env]`
  return redact(redactEnvFile(text))
}

/** A header's value is judged together with its name, which tells how to read it. */
function headerValue(name: string, text: string): string {
  const header = `${name}: `
  const line = redact(header + text)
  return line.startsWith(header) ? line.slice(header.length) : redact(text)
}
