// The search terms of a text: English stems, identifiers whole and in parts, single characters and pairs of Japanese
// and Chinese.
import { keepByText } from '../pattern.ts'
import { lookUpBaseForm, stem } from './stem.ts'

// A run is a sequence without spaces: letters, digits and the characters inside identifiers, paths, versions and flags.
// Explicit ranges of both cases: \p{L} or the flag that ignores case take a new process milliseconds.
//            1 a script without spaces: kana, Han, Hangul, Thai                              2 a flag or any other run
const RUN =
  /([\u0e00-\u0eff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+)|(?:--?(?=[A-Za-z][A-Za-z0-9-]))?[A-Za-z0-9\u00c0-\u0dff\u0f00-\u1fff_$@][A-Za-z0-9\u00c0-\u0dff\u0f00-\u1fff_$@.\-/:+]*/g
/** A run that is more than a plain word. */
const JOINED = /[_$@.\-/:+]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]/
const VERSION = /^v?\d+(?:\.\d+)+(?:-[0-9A-Za-z.]+)?$/
/** The words of an identifier: `HTTPServer2` is HTTP, Server, 2. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z\u00c0-\u0dff\u0f00-\u1fff]+|\d+/g

/** A longer run is data (base64, a minified line): only its beginning counts. */
const RUN_CHARS_MAX = 160
/** Of a longer query only both ends are read, this much each; the middle is mostly pasted text. */
const QUERY_END_CHARS = 6000

let stopWords: ReadonlySet<string> | undefined

const STOP_WORDS =
  'a about above after again against all am an and any are aren as at be because been before being below between ' +
  'both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had ' +
  'hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself ' +
  'just let ll me more most mustn my myself no nor not now of off on once only or other ought our ours ourselves ' +
  'out over own re same shan she should shouldn so some such than that the their theirs them themselves then there ' +
  'these they this those through to too under until up ve very was wasn we were weren what when where which while ' +
  'who whom why will with won would wouldn you your yours yourself yourselves'

/**
 * The search terms of a text, in order, with repetitions. NFKC, lower case, English words stemmed (Porter) and without
 * stop words. An identifier, path or flag gives the whole and each part, a path also its file name, a version only the
 * whole. Japanese, Chinese, Korean and Thai give single characters and pairs (no single hiragana: they are grammar).
 * A Japanese day, month or year is one term: `5月`.
 */
export function extractTerms(text: string): string[] {
  const terms: string[] = []
  // ASCII is normalized already, and loading ICU's tables takes a new process a third of a millisecond.
  const normal = /[^\0-\x7f]/.test(text) ? text.normalize('NFKC') : text
  for (const match of normal.matchAll(RUN)) {
    if (match[1] !== undefined) pushCharacters(match[1], terms)
    else pushRun(match[0], normal.charCodeAt(match.index + match[0].length), terms)
  }
  return terms
}

/**
 * The distinct terms of a query with their counts, at most `termsMax`: identifiers first, then longer words, which tend
 * to be rarer. Of a query over 12,000 characters only both ends are read.
 */
export function extractQueryTerms(text: string, termsMax = 64): ReadonlyMap<string, number> {
  const isLong = text.length > 2 * QUERY_END_CHARS
  const counts = new Map<string, number>()
  for (const term of extractTerms(isLong ? `${text.slice(0, QUERY_END_CHARS)} ${text.slice(-QUERY_END_CHARS)}` : text))
    counts.set(term, (counts.get(term) ?? 0) + 1)
  return selectRarestTerms(counts, termsMax)
}

/** At most `termsMax` terms of a query, those that look rarest first; all in their order if there are no more. */
export function selectRarestTerms(counts: ReadonlyMap<string, number>, termsMax: number): ReadonlyMap<string, number> {
  if (counts.size <= termsMax) return counts
  return new Map([...counts].sort(([a], [b]) => rarity(b) - rarity(a)).slice(0, Math.max(0, termsMax)))
}

/** Whether a term is a character or a pair of a script without spaces. */
export const isCjkTerm = (term: string): boolean => term.charCodeAt(0) >= 0x2e80

/** How rare a term looks. A Japanese or Chinese character counts as several letters. */
const rarity = (term: string): number =>
  (term.charCodeAt(0) >= 0x3000 ? 5 * term.length : term.length) + (JOINED.test(term) ? 20 : 0)

function pushCharacters(run: string, terms: string[]): void {
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i)
    if (code < 0x3041 || code > 0x309f) terms.push(run.charAt(i))
    if (i + 1 < run.length) terms.push(run.slice(i, i + 2))
  }
}

/** `next` is the code of the character after the run. */
function pushRun(match: string, next: number, terms: string[]): void {
  const run = trimPunctuation(match)
  if (!JOINED.test(run)) {
    const word = run.toLowerCase()
    pushWord(word, terms)
    // A number before 年, 月 or 日 is a year, month or day.
    if ((next === 0x5e74 || next === 0x6708 || next === 0x65e5) && /^\d{1,4}$/.test(word))
      terms.push(word + String.fromCharCode(next))
    return
  }
  const whole = run.toLowerCase()
  if (run.length < RUN_CHARS_MAX) {
    if (VERSION.test(run)) {
      terms.push(whole)
      return
    }
    const file = whole.slice(whole.lastIndexOf('/') + 1)
    const parts = run.match(PARTS)
    if (parts === null) return
    terms.push(whole)
    if (file !== whole && JOINED.test(file)) terms.push(file)
    for (const part of parts) pushWord(part.toLowerCase(), terms)
  } else for (const part of run.match(PARTS) ?? []) pushWord(part.toLowerCase(), terms)
}

/** The run without the punctuation at its end; `c++` keeps its plus signs. */
function trimPunctuation(run: string): string {
  let end = Math.min(run.length, RUN_CHARS_MAX)
  while (end > 0 && '.-/:'.includes(run.charAt(end - 1))) end--
  if (run[end - 1] === '+' && run[end - 2] !== '+') end--
  return end === run.length ? run : run.slice(0, end)
}

function pushWord(word: string, terms: string[]): void {
  stopWords ??= new Set(STOP_WORDS.split(' '))
  if (stopWords.has(word) || (word.length === 1 && !(word >= '0' && word <= '9'))) return
  terms.push(stemOf(word))
}

const STEMS_MAX = 4_096

/**
 * The stem of an English word in lower case. A hook reads nine texts of one session with many words in common, and
 * saves a third of the time.
 */
export const stemOf = /* @__PURE__ */ keepByText((word) => stem(lookUpBaseForm(word)), STEMS_MAX)

/** More keys only add common words, and each costs a read. */
const KEYS_MAX = 20

const PLAIN_WORD = /^[a-z\u00c0-\u024f][a-z0-9\u00c0-\u024f]+$/
const VERB_WITH_PARTICLE = /\b([a-z]{2,}) (up|down|off|out|in|on|back|away|over|rid|request)s?\b/g

// 1 katakana                     2 kanji                3 the hiragana after it  4 the kanji after that
const JAPANESE_WORD = /([\u30a1-\u30fa\u30fc]{2,})|([\u3005\u3400-\u9fff]+)(?=([\u3041-\u3096])?([\u3400-\u9fff])?)/g

/** A compound of katakana has no mark between its words: these lengths of its beginning and end are tried. */
const PART_LENGTHS = [3, 4]

/**
 * The keys of a query, each once. `terms` are the query's index terms; `text` is read for what they do not have:
 * particles, which are stop words, and Japanese words of more than two characters.
 */
export function extractExpansionKeys(text: string, terms: Iterable<string>): string[] {
  const keys = new Set<string>()
  for (const term of terms) if (PLAIN_WORD.test(term)) keys.add(term)
  if (/[^\0-\x7f]/.test(text)) addJapaneseKeys(text.normalize('NFKC'), keys)
  for (const [, verb = '', particle = ''] of text.toLowerCase().matchAll(VERB_WITH_PARTICLE))
    keys.add(`${stemOf(verb)} ${particle}`)
  return keys.size <= KEYS_MAX ? [...keys] : [...keys].sort((a, b) => b.length - a.length).slice(0, KEYS_MAX)
}

function addJapaneseKeys(text: string, keys: Set<string>): void {
  for (const match of text.matchAll(JAPANESE_WORD)) {
    const [, katakana, kanji = '', kana, nextKanji] = match
    if (katakana !== undefined) {
      keys.add(katakana)
      for (const length of PART_LENGTHS) {
        if (katakana.length < length + 2) break
        keys.add(katakana.slice(0, length)).add(katakana.slice(-length))
      }
      continue
    }
    keys.add(kanji)
    if (kanji.length > 2) for (let i = 0; i + 2 <= kanji.length; i++) keys.add(kanji.slice(i, i + 2))
    // After two kanji it is the verb する: 解消した is no form of 消す.
    if (kana === undefined || kanji.length > 1) continue
    const verb = kanji + kana
    keys.add(verb)
    if (nextKanji !== undefined) keys.add(verb + nextKanji)
  }
}

/** The term of everything about a file, and that of all files of this name. */
export const fileTerm = (file: string): string => `f:${file}`
export const fileNameTerm = (file: string): string => `n:${file.slice(file.lastIndexOf('/') + 1)}`

export const errorTerm = (signature: string): string => `e:${signature}`
