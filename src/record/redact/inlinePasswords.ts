// Passwords that ride in addresses and short options: `scheme://user:password@host`, `mysql -psecret`, `curl -u user:secret`.
import { isPlaceholder, isRandom, isReference, isWordLike } from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'

/** Short options that carry a password for some tool; in JSON the break before one is escaped. */
const OPTION = /(?:\s|\\[nt])-(?:[pPwWua]|-user|-proxy-user)/g

/** Whether `text` may hold one: a cheap look that misses none, also in JSON. */
export const mayHaveInlinePassword = (text: string): boolean => text.includes('://') || text.search(OPTION) !== -1

/** Every such password in `text`; what is around it stays. */
export function findInlinePasswords(text: string, spans: SecretSpan[]): void {
  if (text.includes('://')) findAddresses(text, spans)
  findOptions(text, spans)
}

/** Between `://` and the host, `[redacted:…]` may stand in a user's place already. */
const USER = '(?:\\[redacted:[\\w-]{1,40}\\]|[^\\s/:@"\'`<>\\\\[\\]]){0,200}'

/** A password may hold an `@`, and then the last one before the host counts; one with a slash must look like a password. */
const ADDRESS = new RegExp(
  `:\\/\\/(${USER}:)([^\\s/"'\`<>\\\\]{1,512})@|:\\/\\/(${USER}:)(?!\\d+\\/)([^\\s"'\`<>@\\\\]{1,200})@[\\w.[-]|:\\/\\/()([\\w-]{20,512})@`,
  'g',
)

function findAddresses(text: string, spans: SecretSpan[]): void {
  for (const found of text.matchAll(ADDRESS)) {
    const [, user, plain, otherUser, slashed, , alone] = found
    const password = plain ?? slashed ?? alone ?? ''
    if (password.includes(REDACTED_PREFIX) || isPlaceholder(password) || isReference(password)) continue
    if (
      plain !== undefined
        ? password.length < 3
        : !isRandom(password) && !(slashed && /\d/.test(password) && !isWordLike(password))
    )
      continue
    const start = found.index + 3 + (user ?? otherUser ?? '').length
    spans.push({ start, end: start + password.length, kind: 'url-password' })
  }
}

/** The tools whose `-p`, `-u` or `-a` carries a password, and how. */
const TOOLS: readonly (readonly [tool: RegExp, option: RegExp])[] = [
  // With a space, mysql asks, and the next word is the database.
  [/\b(?:mysql\w*|mariadb[\w-]*)\b/, /-p(?=\S)/y],
  [/\bsshpass\b/, /-p\s?/y],
  [
    /\b(?:(?:docker|podman|helm|crane|skopeo|buildah)\s+(?:registry\s+)?login|mongo(?:sh|dump|restore)?|sqlcmd|ldap\w+|redis-cli|7z|unzip|zip)\b/,
    /-[apPwW]\s/y,
  ],
  [/\b(?:curl|wget)\b/, /(?:-u\s{0,2}|--user[\s=]|--proxy-user[\s=])["']?[^\s:"']{0,80}:/y],
  [/\b(?:openssl)\b/, /-pass(?:in|out)?\s["']?pass:/y],
]

/** How far before an option its tool may stand, in characters. */
const COMMAND_CHARS_MAX = 300

function findOptions(text: string, spans: SecretSpan[]): void {
  OPTION.lastIndex = 0
  for (let found = OPTION.exec(text); found; found = OPTION.exec(text)) {
    const at = found.index + found[0].indexOf('-')
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
