// Views of a text: what a reader sees where a secret is hidden by colours, escapes, encodings or line breaks.
//
//   text   PASS=\u001b[32mhunter…\u001b[0m       view   PASS=hunter…
//          └──── a span of the view, in the text ┘
//
// A view is only searched. What is found in it is replaced in the text itself.
import type { SecretSpan } from './secretSpan.ts'

interface View {
  readonly text: string
  /** Where each character of the view begins in the text, and behind the last one its length. */
  readonly starts: readonly number[]
}

/** What a view leaves out, or decodes if a match has a value. */
type Decode = (match: string) => string

interface ViewKind {
  /** A cheap check. */
  readonly trigger: RegExp
  readonly pattern: RegExp
  readonly decode: Decode
}

const remove: Decode = () => ''

/** A token may go on in the next line or string if this much of it precedes, in characters. */
const VIEWS: readonly ViewKind[] = [
  // JSON, also inside of JSON.
  {
    trigger: /\\[nt"]/,
    pattern: /\\{1,15}([nrt"'])/g,
    // Three or six backslashes before `n` are a backslash at the end of a line.
    decode: (match) =>
      match.length % 3 === 1 && match.endsWith('n')
        ? ''
        : ({ n: '\n', t: '\t', r: '\r' }[match.slice(-1)] ?? match.slice(-1)),
  },
  // Colours, zero-width characters, and a line that goes on after a backslash.
  {
    trigger: /[\u001b\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\\u001b|\\\n/,
    pattern: /(?:\u001b|\\u001b)\[[\d;?]{0,20}[A-Za-z]|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\\\r?\n[ \t]{0,20}/g,
    decode: remove,
  },
  // A long value that a terminal has wrapped, and strings that code joins.
  {
    trigger: /[\w+/=-]{32}["']?(?:\s?\+\s{0,20}["']|\r?\n)|\w{8}["']\s?\+\s{0,20}["']\w/,
    pattern:
      /(?<=[\w+/=-]{40})\r?\n(?=[\w+/=-]{8,}\s{0,8}(?:\n|$))|(?<=\w{8})(?:"\s?\+\s{0,20}"|'\s?\+\s{0,20}')(?=\w{8})/g,
    decode: remove,
  },
  // Lines of files, with the name and the number that a search prints before each.
  {
    trigger: /^[\w./@-]{1,200}[:-]\d{1,6}[:-]/m,
    pattern: /^[\w./@-]{1,200}[:-]\d{1,6}[:-]/gm,
    decode: remove,
  },
  // Percent codes, and Unicode escapes of ASCII.
  {
    trigger: /%(?:3[AaDd]|40|2[2Ff])|(?:\\u00[2-7][0-9a-f]){4}/i,
    pattern: /%[2-7][0-9a-f]|\\{1,3}u00[2-7][0-9a-f]/gi,
    decode: (match) => String.fromCharCode(Number.parseInt(match.slice(-2), 16)),
  },
  // Quotes of web pages.
  {
    trigger: /&(?:quot|#3[49]|apos);/,
    pattern: /&(?:quot|#34|apos|#39);/g,
    decode: (match) => (/q|4/.test(match) ? '"' : "'"),
  },
]

/** Adds the span of everything that `find` finds in a view of the text. */
export function findInViews(
  text: string,
  spans: SecretSpan[],
  find: (text: string, spans: SecretSpan[]) => void,
  views: readonly ViewKind[] = VIEWS,
): void {
  for (const [i, { trigger, pattern, decode }] of views.entries()) {
    if (!trigger.test(text)) continue
    const view = createView(text, pattern, decode)
    const found: SecretSpan[] = []
    find(view.text, found)
    // What was escaped may have been encoded before.
    findInViews(view.text, found, find, views.slice(i + 1))
    for (const { start, end, kind } of found) {
      spans.push({ start: view.starts[start] ?? 0, end: view.starts[end] ?? text.length, kind })
    }
  }
}

function createView(text: string, pattern: RegExp, decode: Decode): View {
  let result = ''
  const starts: number[] = []
  let end = 0
  const copy = (to: number): void => {
    for (let at = end; at < to; at += 1) starts.push(at)
    result += text.slice(end, to)
  }
  for (const match of text.matchAll(pattern)) {
    copy(match.index)
    const decoded = decode(match[0])
    for (let i = 0; i < decoded.length; i += 1) starts.push(match.index)
    result += decoded
    end = match.index + match[0].length
  }
  copy(text.length)
  starts.push(text.length)
  return { text: result, starts }
}

/** Longer runs are not decoded, in characters. */
const BASE64_CHARS_MAX = 16_384
const BASE64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g

/** Adds the span of every base64 text in which `find` finds something, or whose name says that it is a secret. */
export function findInBase64(
  text: string,
  spans: SecretSpan[],
  find: (text: string, spans: SecretSpan[]) => void,
): void {
  for (const { 0: run, index } of text.matchAll(BASE64)) {
    if (run.length > BASE64_CHARS_MAX) continue
    const decoded = Buffer.from(run, 'base64').toString('latin1')
    if (!/^[\t\n\r -~]{12,}$/.test(decoded)) continue
    const found: SecretSpan[] = []
    find(decoded, found)
    if (found.length > 0) spans.push({ start: index, end: index + run.length, kind: found[0]?.kind ?? 'secret' })
  }
}
