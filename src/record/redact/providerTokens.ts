// Finds the tokens of providers by their shape.
//
// Most prefixes end in `_`, `-` or `.`, so one pass stops at these signs and compares what precedes them, three
// characters first. In a cold process a pattern of a hundred prefixes takes 1 ms to compile, this takes a tenth. All
// quantifiers are bounded or cannot fail, and no token is read twice, so time is linear in the text.
import {
  DISCORD_TOKEN,
  IRREGULAR_TOKEN_SHAPES,
  type IrregularTokenShape,
  TOKEN_SHAPES,
  type TokenShape,
} from './providerTokenShapes.ts'
import { isPlaceholder, isRandom, isWordLike } from './secretHeuristics.ts'
import { matchAt, type SecretSpan } from './secretSpan.ts'

/** A body is classified by its first characters, at most this many; all of it is replaced. */
const CLASSIFIED_CHARS = 256

/** A cheap check that is true for every text with a token, also in JSON. */
export function mayHaveProviderToken(text: string): boolean {
  return (
    text.includes('eyJ') ||
    findNextBody(text, 0) !== -1 ||
    listIrregular().some((token) => nextIrregular(text, token, 0) !== -1) ||
    (hasDots(text) && text.search(DOTS) !== -1)
  )
}

/** Adds the span of every token of a known shape in `text`. */
export function findProviderTokens(text: string, spans: SecretSpan[]): void {
  findPrefixed(text, spans)
  findIrregular(text, spans)
  findEach(DOTS, text, spans, (index, done) => irregularAt(text, index, done, DISCORD_TOKEN))
  if (text.includes('eyJ')) findWebTokens(text, spans)
}

function findPrefixed(text: string, spans: SecretSpan[]): void {
  let done = 0
  for (let body = findNextBody(text, 0); body !== -1; body = findNextBody(text, Math.max(done, body))) {
    const span = prefixedAt(text, body, done)
    if (span) spans.push(span)
    if (span) done = span.end
  }
}

const SEPARATOR = /[-_.](?=[\w-])/g

/** Where the body of the next token may begin, after a prefix that ends after `from`; -1 if there is none. */
function findNextBody(text: string, from: number): number {
  SEPARATOR.lastIndex = from
  for (let match = SEPARATOR.exec(text); match; match = SEPARATOR.exec(text)) {
    const body = match.index + 1
    if (prefixesAt(text, body).some(({ prefix }) => endsAt(text, body, prefix))) return body
  }
  return -1
}

const endsAt = (text: string, end: number, prefix: string): boolean => text.startsWith(prefix, end - prefix.length)

interface Prefixed {
  readonly prefix: string
  readonly shape: TokenShape
}

/** Characters at the end of a prefix that are compared first; no prefix is shorter. */
const ENDING_CHARS = 3

/** All prefixes, each with a space after it, so that one search checks whether any prefix has an ending. */
let allPrefixes: string | undefined
const byEnding = new Map<string, readonly Prefixed[]>()

/** The prefixes that may end at `end`, by the last three characters; the longest first. */
function prefixesAt(text: string, end: number): readonly Prefixed[] {
  if (end < ENDING_CHARS) return NO_PREFIXES
  allPrefixes ??= `${TOKEN_SHAPES.map((shape) => shape[1]).join(' ')} `
  const ending = text.slice(end - ENDING_CHARS, end)
  if (!allPrefixes.includes(`${ending} `)) return NO_PREFIXES
  const known = byEnding.get(ending) ?? prefixesEndingIn(ending)
  byEnding.set(ending, known)
  return known
}

const NO_PREFIXES: readonly Prefixed[] = []

function prefixesEndingIn(ending: string): readonly Prefixed[] {
  const shapes = TOKEN_SHAPES.filter((shape) => `${shape[1]} `.includes(`${ending} `))
  return shapes
    .flatMap((shape) => shape[1].split(' ').map((prefix) => ({ prefix, shape })))
    .filter(({ prefix }) => prefix.endsWith(ending))
    .sort((a, b) => b.prefix.length - a.prefix.length)
}

interface Irregular {
  readonly start: string
  readonly shape: IrregularTokenShape
}

let irregular: readonly Irregular[] | undefined

function listIrregular(): readonly Irregular[] {
  irregular ??= IRREGULAR_TOKEN_SHAPES.flatMap((shape) => shape[1].split(' ').map((start) => ({ start, shape })))
  return irregular
}

/** Where such a token may begin, from `from` on; -1 if nowhere. */
function nextIrregular(text: string, { start, shape }: Irregular, from: number): number {
  for (let at = text.indexOf(start, from); at !== -1; at = text.indexOf(start, at + 1)) {
    if (start.length > 4 || shape.length > 3 || hasBody(text, at + start.length)) return at
  }
  return -1
}

/** Whether the next eight characters can be of a token, which words that begin like one have rarely. */
function hasBody(text: string, from: number): boolean {
  for (let at = from; at < from + 8; at += 1) {
    const char = text[at] ?? ' '
    if (
      !(char >= '0' && char <= '9') &&
      !(char >= 'A' && char <= 'Z') &&
      !(char >= 'a' && char <= 'z') &&
      !'_-/.+='.includes(char)
    )
      return false
  }
  return /\d|[a-z][A-Z]|^[A-Z]{8}/.test(text.slice(from, from + 32))
}

function findIrregular(text: string, spans: SecretSpan[]): void {
  for (const token of listIrregular()) {
    let done = 0
    for (let at = nextIrregular(text, token, 0); at !== -1; at = nextIrregular(text, token, Math.max(done, at + 1))) {
      const span = irregularAt(text, at, done, token.shape)
      if (span) spans.push(span)
      if (span) done = span.end
    }
  }
}

const DOTS = /\.[\w-]{6}\.[\w-]{27}/g

/** Whether two points are as far apart as in such a token. Compiling the pattern takes a hook longer. */
function hasDots(text: string): boolean {
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) if (text[at + 7] === '.') return true
  return false
}

/** Adds the spans at the matches of a pattern. The search goes on after each secret. */
function findEach(
  pattern: RegExp,
  text: string,
  spans: SecretSpan[],
  spanAt: (index: number, done: number) => SecretSpan | undefined,
): void {
  pattern.lastIndex = 0
  let done = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const span = spanAt(match.index, done)
    if (span) spans.push(span)
    if (span) done = span.end
    pattern.lastIndex = Math.max(done, match.index + 1)
  }
}

/** The token whose body begins at `bodyStart`, by the longest prefix that matches. */
function prefixedAt(text: string, bodyStart: number, done: number): SecretSpan | undefined {
  for (const { prefix, shape } of prefixesAt(text, bodyStart)) {
    const start = bodyStart - prefix.length
    if (!endsAt(text, bodyStart, prefix)) continue
    const [kind, , alphabet, charsMin, digitsMin = 0] = shape
    const body = readRun(text, bodyStart, alphabet, CLASSIFIED_CHARS)
    if (body.length < charsMin || isPlaceholder(body)) continue
    // Glued to a word only if it cannot be chance.
    if (!canBeginAt(text, start, done) && (prefix.length < 4 || body.length < 30 || !isRandom(body))) continue
    if ((body.match(/\d/g)?.length ?? 0) < digitsMin && isWordLike(body)) continue
    return { start, end: bodyStart + readRun(text, bodyStart, alphabet).replace(/[.%/]$/, '').length, kind }
  }
  return undefined
}

/** Sticky patterns by their source. */
const patterns = new Map<string, RegExp>()

function stickyPattern(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(source, 'y')
  patterns.set(source, pattern)
  return pattern
}

/** The characters of an alphabet from `at` on, at most `charsMax` of them. */
function readRun(text: string, at: number, alphabet: string, charsMax?: number): string {
  return matchAt(stickyPattern(`[${alphabet}]{0,${charsMax ?? ''}}`), text, at) ?? ''
}

/** The token at `index`, by the shapes that may begin with `start`. */
function irregularAt(
  text: string,
  index: number,
  done: number,
  [kind, , source, before]: IrregularTokenShape,
): SecretSpan | undefined {
  const pattern = stickyPattern(source)
  pattern.lastIndex = index
  const match = pattern.exec(text)
  if (!match) return undefined
  const publicChars = match[1]?.length ?? 0
  if (isPlaceholder(match[0].slice(publicChars, publicChars + CLASSIFIED_CHARS))) return undefined
  const end = index + match[0].replace(/[./]$/, '').length
  if (before === undefined) {
    if (publicChars === 0 && !canBeginAt(text, index, done)) return undefined
    return { start: index + publicChars, end, kind }
  }
  const head = new RegExp(before).exec(text.slice(Math.max(0, index - 64), index))
  return head ? { start: index - head[0].length, end, kind } : undefined
}

/** JSON web tokens: three parts of base64url, the first of which is JSON; five if they are encrypted. */
function findWebTokens(text: string, spans: SecretSpan[]): void {
  const first = /eyJ[\w-]{8,}/g
  const others = /\.(?:[\w-]{8,}|\.[\w-]{8,})(?:\.[\w-]+){0,3}/y
  for (let match = first.exec(text); match; match = first.exec(text)) {
    if (matchAt(others, text, first.lastIndex) === undefined) continue
    first.lastIndex = others.lastIndex
    spans.push({ start: match.index, end: others.lastIndex, kind: 'jwt' })
  }
}

/**
 * Whether a token can begin at `start`: at the beginning of the text, after a sign, an escaped line break, a colour
 * sequence or a percent code, or where another secret ended (`done`). Inside a longer word the match is chance.
 */
function canBeginAt(text: string, start: number, done: number): boolean {
  if (start === done) return true
  return /(?:[^A-Za-z0-9]|\\[nrtbf]|\[[\d;]{0,12}m|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, start - 16), start))
}
