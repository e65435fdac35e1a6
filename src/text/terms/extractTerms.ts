// Words: the search terms of a text. English stems, code identifiers whole and in parts, Japanese and Chinese by pairs and singles.
import { lookUpBaseForm } from './irregularForms.ts'
import { stem } from './stem.ts'

// A run is what code and prose write without a gap: letters, digits and what joins identifiers, paths, versions, flags.
// Ranges of characters and both cases spelt out: \p{L}, or the flag that ignores case, costs a cold process milliseconds.
//            1 written without spaces: kana, Han, Hangul, Thai                              2 a flag or any other run
const RUN =
  /([\u0e00-\u0eff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+)|(?:--?(?=[A-Za-z][A-Za-z0-9-]))?[A-Za-z0-9\u00c0-\u0dff\u0f00-\u1fff_$@][A-Za-z0-9\u00c0-\u0dff\u0f00-\u1fff_$@.\-/:+]*/g
/** What makes a run more than a plain word. */
const JOINED = /[_$@.\-/:+]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]/
const VERSION = /^v?\d+(?:\.\d+)+(?:-[0-9A-Za-z.]+)?$/
/** The words of an identifier: `HTTPServer2` is HTTP, Server, 2. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z\u00c0-\u0dff\u0f00-\u1fff]+|\d+/g

/** A longer run is data (base64, a minified line): its beginning tells enough. */
const RUN_CHARS_MAX = 160
/** A cue is told by its beginning and its end; what is pasted between would only cost time. */
const QUERY_END_CHARS = 6000

let stopWords: ReadonlySet<string> | undefined

/** The usual function words of English; what a question is asked with, not what it is about. */
const STOP =
  'a about above after again against all am an and any are aren as at be because been before being below between ' +
  'both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had ' +
  'hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself ' +
  'just let ll me more most mustn my myself no nor not now of off on once only or other ought our ours ourselves ' +
  'out over own re same shan she should shouldn so some such than that the their theirs them themselves then there ' +
  'these they this those through to too under until up ve very was wasn we were weren what when where which while ' +
  'who whom why will with won would wouldn you your yours yourself yourselves'

/**
 * The search terms of a text, in order, with repetitions. NFKC and lower case; English words stemmed (Porter) and without stop
 * words; an identifier, path or flag once whole and once for each part, a path also by its file's name, a version only whole;
 * Japanese, Chinese, Korean and Thai runs as single characters and pairs (single hiragana are left out: they are grammar).
 * A Japanese day, month or year is one term: `5月`.
 */
export function extractTerms(text: string): string[] {
  const terms: string[] = []
  // Plain text is normal already, and ICU's tables take a cold process a third of a millisecond to load.
  const normal = /[^\0-\x7f]/.test(text) ? text.normalize('NFKC') : text
  for (const match of normal.matchAll(RUN)) {
    if (match[1] !== undefined) pushWide(match[1], terms)
    else pushLatin(match[0], normal.charCodeAt(match.index + match[0].length), terms)
  }
  return terms
}

/**
 * The distinct terms of a cue with their counts, at most `termsMax`: identifiers first, then longer words, which tend to be
 * rarer. Of a cue over 12,000 characters only both ends are read.
 */
export function extractQueryTerms(text: string, termsMax = 64): ReadonlyMap<string, number> {
  const long = text.length > 2 * QUERY_END_CHARS
  const counts = new Map<string, number>()
  for (const term of extractTerms(long ? `${text.slice(0, QUERY_END_CHARS)} ${text.slice(-QUERY_END_CHARS)}` : text))
    counts.set(term, (counts.get(term) ?? 0) + 1)
  return selectRarestTerms(counts, termsMax)
}

/** Of a cue's terms at most so many: those that look rarest. All of them, in the order of the text, where they are no more. */
export function selectRarestTerms(counts: ReadonlyMap<string, number>, termsMax: number): ReadonlyMap<string, number> {
  if (counts.size <= termsMax) return counts
  return new Map([...counts].sort(([a], [b]) => rarity(b) - rarity(a)).slice(0, Math.max(0, termsMax)))
}

/** Whether a term is of a script written without spaces: a character, or a pair of them. */
export const isCjkTerm = (term: string): boolean => term.charCodeAt(0) >= 0x2e80

/** How rare a term looks. A character of a wide script says as much as several letters. */
const rarity = (term: string): number =>
  (term.charCodeAt(0) >= 0x3000 ? 5 * term.length : term.length) + (JOINED.test(term) ? 20 : 0)

function pushWide(run: string, terms: string[]): void {
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i)
    if (code < 0x3041 || code > 0x309f) terms.push(run[i]!)
    if (i + 1 < run.length) terms.push(run.slice(i, i + 2))
  }
}

function pushLatin(given: string, next: number, terms: string[]): void {
  const run = trimmed(given)
  if (!JOINED.test(run)) {
    const word = run.toLowerCase()
    pushWord(word, terms)
    // 年月日 after a number: a date's year, month or day.
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

/** Without the marks a sentence leaves at its words' ends; `c++` and `--dry-run` keep theirs. */
function trimmed(run: string): string {
  let end = Math.min(run.length, RUN_CHARS_MAX)
  while (end > 0 && '.-/:'.includes(run[end - 1]!)) end--
  if (run[end - 1] === '+' && run[end - 2] !== '+') end--
  return end === run.length ? run : run.slice(0, end)
}

function pushWord(word: string, terms: string[]): void {
  stopWords ??= new Set(STOP.split(' '))
  if (stopWords.has(word) || (word.length === 1 && !(word >= '0' && word <= '9'))) return
  terms.push(stemOf(word))
}

/** Stems kept, at most; then they are made anew. */
const STEMS_MAX = 4_096
const stems = new Map<string, string>()

/** A hook looks at nine texts of one session, which say much the same words: made once, a third of its time for words is saved. */
function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size === STEMS_MAX) stems.clear()
  const made = stem(lookUpBaseForm(word))
  stems.set(word, made)
  return made
}
