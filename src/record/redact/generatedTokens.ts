// Tokens that show by themselves that they are secrets, for the second pass: a short prefix with a generated rest, in
// the way of most providers, a number with one, or a generated part of an address that grants access.
//
// No provider is named in this file. What is known to be public stays: ids, hashes, names of files.
import { isUtf8 } from 'node:buffer'
import { isPlaceholder, isSpelled, isWordLike, matchesOf, type SecretSpan, UUID } from './secretHeuristics.ts'

export function findGeneratedTokens(text: string, spans: SecretSpan[]): void {
  for (const { 0: run, index } of matchesOf(text, RUN))
    if ((isPrefixedToken(run) || isBareToken(run, text, index)) && !isNamedPublic(text, index))
      spans.push({ start: index, end: index + run.length, kind: 'token' })
  for (const { 0: run, index } of matchesOf(text, SIGNED))
    if (isSignedToken(run, text, index)) spans.push({ start: index, end: index + run.length, kind: 'token' })
  for (const pattern of text.includes('%') ? [NUMBERED, DOTTED, ENCODED] : [NUMBERED, DOTTED]) {
    for (const { 0: match, index } of matchesOf(text, pattern)) {
      const value = match.replace(/^[\d/]+[:|]|%[\dA-F]{2}/g, '')
      if (HEX.test(value) || isGenerated(value)) spans.push({ start: index, end: index + match.length, kind: 'token' })
    }
  }
  if (/:\/\/|(?:GET|POST|PUT) \//.test(text)) findInAddresses(text, spans)
}

/** A word with signs as tokens have them. In a path or an address it is a name. */
const RUN = /(?<![\w./%@#$&+-]|W\/\\?")[A-Za-z][\w-]{16,200}(?![\w/%@+=-]|\.\w)/g

/** Base64 or parts with dots; signs of a path or of code make it none. */
const SIGNED = /(?<![\w+/=.~%:@$&?#-])[A-Za-z][\w+/.-]{31,220}={0,2}(?![\w+/=%@(:~-]|\.\w)/g

/** A number of an account or a bot, and its token. */
const NUMBERED = /(?<![\w.-])\d[\d/]{8,40}[:|](?:[\da-f]{32}|[\w-]{25,100})(?![\w-])/g

/** Parts of base64url after a short prefix. */
const DOTTED = /(?<![\w.-])[a-z]\w{0,5}\.[\w-]{40,400}\.[\w-]{20,400}(?![\w-])/g

/** Base64 in which signs have percent codes. */
const ENCODED = /(?<![\w%/])[A-Za-z\d]{24,200}%(?:2[BF]|3D)[A-Za-z\d%]{12,200}(?![\w%])/g

/** Prefixes of ids that are public, of hashes, and of what tools generate. */
const PUBLIC_PREFIX = new RegExp(
  '^(?:Qm\\w{44}$|[a-z]{1,4}_(?:kwDO|lADO|lQDO)|(?:(?:srv)?toolu|call|msg|req|resp|evt|event|cus|acct|usr|user|org|' +
    'team|proj|prj|prod|price|sub|in|pi|ch|pm|si|il|cs|seti|txn|run|thread|step|file|pk_(?:live|test)|phc|' +
    'pub\\w*|sess(?:ion)?|chatcmpl|cmpl|gen|task|job|agent|asst|item|' +
    'batch|vs|dpl|bld|id|uid|uuid|gid|pid|trace|span|parent|root|node|' +
    'pod|pvc|vol|snap|ami|vpc|subnet|sg|rtb|igw|eni|arn|sha\\d*|md5|git|rev|ref|tag|hash|hex|blob|tree|commit|' +
    'digest|etag|crc|v?\\d\\w*|v|ver\\w*|build|img|image|layer|chunk|index|main|vendor|bundle|asset|cache|' +
    'key[-_]?id|sentry[-_]trace|css|sc|jsx?|svelte|emotion|module|block|page|doc)[_-])',
  'i',
)

/** What the prefix of a key contains, before a UUID. */
const KEY_PREFIX =
  /(?:^|[-_])(?:\w{0,10}(?:api|key|tok(?:en)?|secret|pat|sk|sdk|auth|access)|x[a-z]{3})(?:[-_]\w{1,10}){0,2}$/i

/** A number of 128, 160, 192 or 256 bits. */
const HEX = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{48}|[\da-f]{64})$/

/** Whether a word is a short prefix in front of what only a machine writes. */
function isPrefixedToken(run: string): boolean {
  if (PUBLIC_PREFIX.test(run) || isPlaceholder(run)) return false
  const [, owner] = /^(.{2,24}?)[-_][\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(run) ?? []
  if (owner !== undefined) return KEY_PREFIX.test(owner)
  const [, prefix = '', rest = ''] =
    /^([A-Za-z][A-Za-z\d]{0,9}(?:[_-][A-Za-z\d]{1,8}){0,2}?)[_-](\w[\w-]{13,190})$/.exec(run) ?? []
  if (HEX.test(rest)) return prefix.length <= 5 && prefix.length > 1
  if (/^(?:\d+_)?(?!0)(?=(?:.*\d){4})(?=(?:.*[A-Z]){4})[A-Z\d]{24,64}$/.test(rest)) return prefix.length <= 5
  if (/^(?=(?:.*\d){6})[a-z\d]{32,}$/.test(rest)) return !isWordLike(rest)
  return /[A-Za-z\d]{14}/.test(rest) && isGenerated(rest)
}

/** Whether base64 or parts with dots stand alone, in no block of such lines and after no word for a hash. */
function isSignedToken(run: string, text: string, at: number): boolean {
  if (/^AAAA|^eyJ|^MI[A-Z]|abcdefgh/.test(run) || isEncodedText(run)) return false
  if (/\w\/\w+\/\w+\/|^[\w/]*\/[\w.-]+\.\w{1,5}$/.test(run) && !/\+|=$/.test(run)) return false
  if (!/[+=.]/.test(run) || PUBLIC_PREFIX.test(run) || isPlaceholder(run) || isNamedPublic(text, at)) return false
  const parts = run.split(/[+/=.-]+/).filter((part) => part.length > 3)
  return parts.every((part) => !isWordLike(part)) && isGenerated(run) && !isInBlock(run, text, at)
}

/** Whether a run is the base64 of UTF-8 or UTF-16, whose secrets are found in the text. */
function isEncodedText(run: string): boolean {
  const bytes = Buffer.from(run, 'base64')
  return isUtf8(bytes) || bytes.filter((byte) => byte === 0).length > bytes.length / 8
}

/** Whether a word is as long as a token and in no block of such lines, as a certificate is. */
function isBareToken(run: string, text: string, at: number): boolean {
  if (
    !/^(?:[A-Za-z\d]{32,55}|(?=(?:.*\d){4})[\w-]{40,200})$/.test(run) ||
    PUBLIC_PREFIX.test(run) ||
    isPlaceholder(run) ||
    !isGenerated(run) ||
    // The letters of an alphabet.
    /[a-z]{16}|[A-Z]{16}/.test(run)
  )
    return false
  return !isInBlock(run, text, at)
}

/** Whether such lines are around, as in a file. */
const isInBlock = (run: string, text: string, at: number): boolean =>
  /[\w+/]{40}/.test(`${text.slice(Math.max(0, at - 80), at)} ${text.slice(at + run.length, at + run.length + 80)}`)

export const isNamedPublic = (text: string, at: number): boolean =>
  PUBLIC_BEFORE.test(text.slice(Math.max(0, at - 24), at))

/** Whether letters of both cases and digits are mixed as in no name: few runs that could be words. */
export function isGenerated(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d.*\d/.test(value)) return false
  return isUnlikeWords(value, 0.34)
}

const ADDRESS = /(?:[a-z]{2,6}:\/\/|(?:GET|POST|PUT) \/)[^\s"'`<>()\\]{12,400}/g

/** What an address, or the text right before it, has if the address alone gives access. */
const GRANTS = new RegExp(
  'hook|\\bbot|rpc|mainnet|invit|join|accept|activat|confirm|share|token|reset|verif|secret|private|' +
    'magic|auth|(?:log|sign)-?in|unsubscribe|feed|/v\\d/|/s/|\\.ics\\b|\\bping|[?&](?:code|key|app_?id|rlkey|pwd)=',
  'i',
)

/** A part of an address, with the sign before it. */
const PART = /[/=:]([\w-]{20,200})(?=={0,2}(?:$|[/?&#,.;:!@]))/g

function findInAddresses(text: string, spans: SecretSpan[]): void {
  for (const { 0: address, index } of matchesOf(text, ADDRESS)) {
    if (!GRANTS.test(text.slice(Math.max(0, index - 20), index) + address)) continue
    const hook = HOOK.exec(address)?.[1]
    if (hook !== undefined)
      spans.push({ start: index + address.length - hook.length, end: index + address.length, kind: 'token' })
    for (const { 1: part = '', index: at } of address.matchAll(PART)) {
      const isNamed = GRANT_BEFORE.test(address.slice(Math.max(0, at - 24), at + 1))
      const [, key = part] = /^private-(.+)$/.exec(part) ?? []
      const isGranted = isNamed || key !== part || /\.ics$/.test(address)
      const isLetters = (key !== part || isNamed) && /[a-z][A-Z]/.test(key) && isUnlikeWords(key, 0.25)
      if (!isGenerated(key) && !isLetters && !(isGranted && (UUID.test(key) || /^[\da-f]{24,}$/.test(key)))) continue
      if (isPlaceholder(part) || (!isGranted && part.length < 28)) continue
      const start = index + at + 1 + part.length - key.length
      spans.push({ start, end: index + at + 1 + part.length, kind: 'token' })
    }
  }
}

/** What follows a number in the address of a host for hooks. */
const HOOK = /:\/\/(?:web)?hooks?\.[\w.-]+\/(?:[a-z]+\/){0,4}(\d{5,}\/[\w/-]{5,})$/

const GRANT_BEFORE = new RegExp(
  '(?:hooks?|invit\\w*|join|accept|activat\\w*|confirm\\w*|share|v\\d|token|reset(?:[_-]\\w{1,12})?|verif\\w*|secret|' +
    'magic|auth|log-?in|code|key|app_?id|sig|send|email|private|unsubscribe|pwd|\\b(?:ws|rpc|ping)(?:\\.com)?|/s)[/=]$',
  'i',
)

/** What precedes a generated value that is public, at its end. */
export const PUBLIC_BEFORE = new RegExp(
  '(?:\\bh1|sha-?\\d{0,3}|md5|crc|integrity|checksum|(?<!passw(?:or)?d[ _-]?)hash|digest|fingerprint|' +
    'etag|nonce|commit|revision|version|tag|base64,|ssh-\\w{3,9}|' +
    'public[ _-]?key|(?<!(?:sess(?:ion)?|secret)[ _-]?|\\bs|_s)id)["\'`\\s:=([]{0,4}$',
  'i',
)

/** The beginning of an address, of an id that is no secret, and of a public key. */
export const PUBLIC_VALUE = new RegExp(
  '^(?://|(?:toolu|srvtoolu|call|msg|req|resp|evt|cus|usr|user|org|run|thread|file|pk)_|AAAA[A-Z0-9]|' +
    'Qm\\w{44}$|[A-Z]{1,3}_kw|MD[A-Z]6|MDEw)',
)

/** Whether at most this share of a value is words with a vowel, numbers, and repeated signs. */
export function isUnlikeWords(value: string, shareMax: number): boolean {
  const words = value.match(/[A-Z]?[a-z]{2,}|[A-Z]{3,}(?![a-z])|\d{4,}/g) ?? []
  const named = words.filter((word) => word.length >= 3 && /[aeiou\d]/i.test(word) && isSpelled(word))
  return named.join('').length <= shareMax * value.length && new Set(value).size >= Math.min(10, value.length / 2)
}
