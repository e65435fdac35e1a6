// Tokens known by their shape, found in a text.
//
// Most prefixes end in `_`, `-` or `.`, so one pass stops at those three and looks back, at three characters first: in a cold
// process a pattern of a hundred prefixes takes a millisecond to make, this a tenth of one. All quantifiers are bounded or
// cannot fail, and what was taken is not read again, so the work grows with the text and not faster.

import {
  DOTTED_TOKEN_SHAPES,
  IRREGULAR_TOKEN_SHAPES,
  IRREGULAR_TOKEN_STARTS,
  type IrregularTokenShape,
  TOKEN_SHAPES,
  type TokenShape,
} from './providerTokenShapes.ts'
import { isPlaceholder, isWordLike } from './secretHeuristics.ts'
import type { SecretSpan } from './secretSpan.ts'

/** A body is judged by so many characters; the rest of the run goes with it. */
const JUDGED_CHARS = 256

/** Whether `text` may hold one: a cheap look that misses none, also in JSON. */
export function mayHaveProviderToken(text: string): boolean {
  return (
    text.includes('eyJ') || nextBody(text, 0) !== -1 || text.search(looseHeads()) !== -1 || text.search(DOTS) !== -1
  )
}

/** Every token of a known shape in `text`. */
export function findProviderTokens(text: string, spans: SecretSpan[]): void {
  findPrefixed(text, spans)
  findEach(looseHeads(), text, spans, (index, done) => looseAt(text, index, done, IRREGULAR_TOKEN_SHAPES))
  findEach(DOTS, text, spans, (index, done) => looseAt(text, index, done, DOTTED_TOKEN_SHAPES))
  if (text.includes('eyJ')) findWebTokens(text, spans)
}

function findPrefixed(text: string, spans: SecretSpan[]): void {
  let done = 0
  for (let body = nextBody(text, 0); body !== -1; body = nextBody(text, Math.max(done, body))) {
    const span = prefixedAt(text, body, done)
    if (span) spans.push(span)
    if (span) done = span.end
  }
}

const SEPARATOR = /[-_.](?=[\w-])/g

/** Where the next token's body may begin, behind a prefix that ends after `from`; -1 where there is none. */
function nextBody(text: string, from: number): number {
  SEPARATOR.lastIndex = from
  for (let found = SEPARATOR.exec(text); found; found = SEPARATOR.exec(text)) {
    if (prefixesAt(text, found.index + 1).some(({ prefix }) => endsAt(text, found.index + 1, prefix))) {
      return found.index + 1
    }
  }
  return -1
}

const endsAt = (text: string, end: number, prefix: string): boolean => text.startsWith(prefix, end - prefix.length)

interface Prefixed {
  readonly prefix: string
  readonly shape: TokenShape
}

/** How many characters of a prefix's end are looked at first; no prefix is shorter. */
const ENDING_CHARS = 3

/** Every prefix with a space after it: what a prefix may end in is looked up in one search, and no list of lists is made. */
let allPrefixes: string | undefined
const byEnding = new Map<string, readonly Prefixed[]>()

/** The prefixes that may end at `end`, by its last three characters; the longest first. */
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
    .sort((one, other) => other.prefix.length - one.prefix.length)
}

let loose: RegExp | undefined

function looseHeads(): RegExp {
  loose ??= new RegExp(IRREGULAR_TOKEN_STARTS, 'g')
  return loose
}

const DOTS = /\.(?:atlasv1|[\w-]{6})\.[\w-]{27}/g

/** Goes through the hits of a pattern; what a secret took is not looked at again. */
function findEach(
  pattern: RegExp,
  text: string,
  spans: SecretSpan[],
  spanAt: (index: number, done: number) => SecretSpan | undefined,
): void {
  pattern.lastIndex = 0
  let done = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const span = spanAt(found.index, done)
    if (span) spans.push(span)
    if (span) done = span.end
    pattern.lastIndex = Math.max(done, found.index + 1)
  }
}

/** The token whose body begins at `bodyStart`; the longest prefix that fits is its own. */
function prefixedAt(text: string, bodyStart: number, done: number): SecretSpan | undefined {
  for (const { prefix, shape } of prefixesAt(text, bodyStart)) {
    const start = bodyStart - prefix.length
    if (!endsAt(text, bodyStart, prefix) || !isFresh(text, start, done)) continue
    const [kind, , alphabet, least, digits = 0] = shape
    const body = run(text, bodyStart, alphabet, JUDGED_CHARS)
    if (body.length < least || isPlaceholder(body)) continue
    if ((body.match(/\d/g)?.length ?? 0) < digits && isWordLike(body)) continue
    return { start, end: bodyStart + run(text, bodyStart, alphabet).replace(/[.%/]$/, '').length, kind }
  }
  return undefined
}

const runs = new Map<string, RegExp>()

/** The characters of an alphabet from `at` on, at most `charsMax` of them. */
function run(text: string, at: number, alphabet: string, charsMax?: number): string {
  const source = `[${alphabet}]{0,${charsMax ?? ''}}`
  const pattern = runs.get(source) ?? new RegExp(source, 'y')
  runs.set(source, pattern)
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

const wholes = new Map<string, RegExp>()

function looseAt(
  text: string,
  index: number,
  done: number,
  shapes: readonly IrregularTokenShape[],
): SecretSpan | undefined {
  for (const [kind, whole, before] of shapes) {
    const pattern = wholes.get(whole) ?? new RegExp(whole, 'y')
    wholes.set(whole, pattern)
    pattern.lastIndex = index
    const found = pattern.exec(text)
    if (!found) continue
    const kept = found[1]?.length ?? 0
    if (isPlaceholder(found[0].slice(kept, kept + JUDGED_CHARS))) continue
    const end = index + found[0].replace(/[./]$/, '').length
    if (before === undefined) {
      if (kept === 0 && !isFresh(text, index, done)) continue
      return { start: index + kept, end, kind }
    }
    const back = new RegExp(before).exec(text.slice(Math.max(0, index - 40), index))
    if (back) return { start: index - back[0].length, end, kind }
  }
  return undefined
}

/** JSON web tokens: three parts of base64url, the first of which is JSON; five where they are encrypted. */
function findWebTokens(text: string, spans: SecretSpan[]): void {
  const first = /eyJ[\w-]{8,}/g
  const others = /\.(?:[\w-]{8,}|\.[\w-]{8,})(?:\.[\w-]+){0,3}/y
  for (let found = first.exec(text); found; found = first.exec(text)) {
    others.lastIndex = first.lastIndex
    const rest = others.exec(text)
    if (!rest) continue
    first.lastIndex = others.lastIndex
    spans.push({ start: found.index, end: others.lastIndex, kind: 'jwt' })
  }
}

/**
 * Whether a token can begin at `start`: at the text's beginning, after a sign, after an escaped line break, a colour's
 * sequence or a percent code, or where another secret ended (`done`). Inside a longer word it is chance.
 */
function isFresh(text: string, start: number, done: number): boolean {
  if (start === done) return true
  return /(?:[^A-Za-z0-9]|\\[nrtbf]|\[[\d;]{0,12}m|%[0-9A-Fa-f]{2})$/.test(text.slice(Math.max(0, start - 16), start))
}
