// Passwords in addresses and short options: `scheme://user:password@host`, `mysql -psecret`, `curl -u user:secret`.
import { isPlaceholder, isRandom, isReference, isWordLike } from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'

/** Options that take a password in some tool. In JSON a line break before one is escaped. */
const OPTION = /(?:\s|\\[nt])-(?:[pPwWua]|-user|-proxy-user)/g

/** A cheap check that is true for every text with such a password, also in JSON. */
export const mayHaveInlinePassword = (text: string): boolean =>
  text.includes('://') || OPTION_STARTS.some((start) => text.includes(start))

/** How these options begin, in a text and in JSON. */
const OPTION_STARTS = ' -p| -P| -w| -W| -u| -a| --user| --proxy-user|\\n-|\\t-'.split('|')

/** Adds the span of every such password in `text`. */
export function findInlinePasswords(text: string, spans: SecretSpan[]): void {
  if (text.includes('://')) findInAddresses(text, spans)
  findInOptions(text, spans)
}

/** The user of an address, or a `[redacted:…]` that has replaced one. */
const USER = '(?:\\[redacted:[\\w-]{1,40}\\]|[^\\s/:@"\'`<>\\\\[\\]]){0,200}'

/** A password may contain `@`: the last one before the host counts. A password with a slash must look like one. */
const ADDRESS = new RegExp(
  `:\\/\\/(${USER}:)([^\\s/"'\`<>\\\\]{1,512})@|:\\/\\/(${USER}:)(?!\\d+\\/)([^\\s"'\`<>@\\\\]{1,200})@[\\w.[-]|:\\/\\/()([\\w-]{20,512})@`,
  'g',
)

function findInAddresses(text: string, spans: SecretSpan[]): void {
  for (const match of text.matchAll(ADDRESS)) {
    const [, user, plain, otherUser, slashed, , alone] = match
    const password = plain ?? slashed ?? alone ?? ''
    if (password.includes(REDACTED_PREFIX) || isPlaceholder(password) || isReference(password)) continue
    if (
      plain !== undefined
        ? password.length < 3
        : !isRandom(password) && !(slashed && /\d/.test(password) && !isWordLike(password))
    )
      continue
    const start = match.index + 3 + (user ?? otherUser ?? '').length
    spans.push({ start, end: start + password.length, kind: 'url-password' })
  }
}

/** Tools that take a password by `-p`, `-u` or `-a`, and the form of the option. */
const TOOLS: readonly (readonly [tool: RegExp, option: RegExp])[] = [
  // With a space after -p mysql asks for the password, and the next word is the database.
  [/\b(?:mysql\w*|mariadb[\w-]*)\b/, /-p(?=\S)/y],
  [/\bsshpass\b/, /-p\s?/y],
  [
    /\b(?:(?:docker|podman|helm|crane|skopeo|buildah)\s+(?:registry\s+)?login|mongo(?:sh|dump|restore)?|sqlcmd|bcp|cqlsh|az\s+login|snowsql|clickhouse-client|ldap\w+|redis-cli|7z|unzip|zip)\b/,
    /-[apPwW]\s/y,
  ],
  [/\b(?:curl|wget)\b/, /(?:-u\s{0,2}|--user[\s=]|--proxy-user[\s=])["']?[^\s:"']{0,80}:/y],
  [/\b(?:openssl)\b/, /-pass(?:in|out)?\s["']?pass:/y],
]

/** How far before an option its tool may be, in characters. */
const COMMAND_CHARS_MAX = 300

function findInOptions(text: string, spans: SecretSpan[]): void {
  OPTION.lastIndex = 0
  for (let match = OPTION.exec(text); match; match = OPTION.exec(text)) {
    const at = match.index + match[0].indexOf('-')
    const before = text.slice(Math.max(0, at - COMMAND_CHARS_MAX), at)
    const command = before.slice(Math.max(...['\n', '|', ';', '&', '`'].map((end) => before.lastIndexOf(end))) + 1)
    for (const [tool, option] of TOOLS) {
      option.lastIndex = at
      if (!tool.test(command) || !option.test(text)) continue
      const value = /(["']?)([^\s"';|&<>\\]{3,512})/y
      value.lastIndex = option.lastIndex
      const [all, quote, password] = value.exec(text) ?? []
      if (all === undefined || password === undefined || quote === undefined) continue
      if (password.startsWith('-') || password.includes(REDACTED_PREFIX) || /[:/]\d|^\d+(?::\d+)?$/.test(password))
        continue
      if (isPlaceholder(password) || isReference(password)) continue
      const start = option.lastIndex + quote.length
      spans.push({ start, end: start + password.length, kind: 'password' })
    }
  }
}
