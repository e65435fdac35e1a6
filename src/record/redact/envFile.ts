// Env files: every value in them is somebody's secret, whatever its name says.
import { isReference } from './secretHeuristics.ts'
import { REDACTED_PREFIX } from './secretSpan.ts'

/** `.env`, `.env.local`, `.envrc`, `prod.env`: as a path, or as a word of a shell command. */
const ENV_FILE = /(?:^|[\s/\\'"=<>])(?:[\w-]{1,40}\.env|\.env(?:rc|\.[\w.-]{1,60})?)(?=$|[\s'"`;|&)<>])/

/** What is meant to be read by everyone. */
const TEMPLATE = /\.(?:example|sample|template|dist|tpl|schema)\b/

/** Whether a path, or a command, names an env file whose values are real. */
export function isEnvFile(name: string): boolean {
  const found = name.includes('.env') ? ENV_FILE.exec(name) : null
  return found !== null && !TEMPLATE.test(found[0])
}

/**
 * Before the name: a line number, a diff's sign, `export`. A value in quotes may go over several lines; another one goes
 * to the end of its line.
 */
const LINE =
  /^([+\- \t]{0,16}(?:\d{1,6}[:\t→|-]\s{0,4})?(?:export[ \t]{1,4}|set[ \t]{1,4})?[A-Za-z_][\w.-]{0,100}[ \t]{0,8}=[ \t]{0,8})(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|([^\r\n]*))/gm

/** A value that somebody has yet to put in. */
const TO_FILL_IN = /^\s*(?:<.*>|x{3,}|\*{3,}|change[_-]?me|your[_-].*)\s*$/i

/**
 * An env file's text with every value replaced by `[redacted:env]`, names and comments kept. Empty values, placeholders and
 * references (`$OTHER`) stay.
 */
export function redactEnvFile(text: string): string {
  return text.replace(LINE, (line: string, name: string, double?: string, single?: string, bare?: string) => {
    const value = double ?? single ?? bare ?? ''
    const kept = value.trim() === '' || value.includes(REDACTED_PREFIX) || TO_FILL_IN.test(value) || isReference(value)
    if (kept) return line
    const quote = double !== undefined ? '"' : single !== undefined ? "'" : ''
    return `${name}${quote}${REDACTED_PREFIX}env]${quote}`
  })
}
