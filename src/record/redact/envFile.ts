// Env files: every value in them counts as a secret, whatever its name.
import { isReference } from './secretHeuristics.ts'
import { REDACTED_PREFIX } from './secretSpan.ts'

/** `.env`, `.env.local`, `.envrc`, `prod.env`, as a path or as a word of a shell command. */
const ENV_FILE =
  /(?:^|[\s/\\'"=<>:(])(?:(?!process\.|meta\.|Deno\.)[\w-]{1,40}\.env|\.env(?:rc|\.[\w.-]{1,60})?)(?=$|[\s'"`;|&)<>*])/

/** Templates, which have no real values. */
const TEMPLATE = /\.(?:example|sample|template|dist|tpl|schema)\b/

/** Whether a path or a command names an env file with real values. */
export function isEnvFile(name: string): boolean {
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
