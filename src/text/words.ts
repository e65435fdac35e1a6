// Words: the search terms of a text. English stems, code identifiers whole and in parts, Japanese and Chinese by pairs and singles.
import { stem } from './stem.ts'

// A run is what code and prose write without a gap: letters, digits and what joins identifiers, paths, versions, flags.
// Built by character ranges: compiling \p{L} alone costs a cold process over a millisecond.
const RUN =
  /[a-z0-9\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff_$@][a-z0-9\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff_$@.\-/:+]*|--?[a-z][a-z0-9-]+|[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff66-\uff9f]+/gi
const WIDE = /^[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff66-\uff9f]/
const HIRAGANA = /^[\u3041-\u309f]$/
const JOINED = /[_$@.\-/:+]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]/
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z\u00c0-\u024f\u0370-\u04ff]+|\d+/g

let stopWords: ReadonlySet<string> | undefined

/** The usual function words of English; what a question is asked with, not what it is about. */
const STOP = `a about above after again against all am an and any are aren as at be because been before being below between both
but by can cannot could couldn did didn do does doesn doing don down during each few for from further had hadn has hasn have haven
having he her here hers herself him himself his how i if in into is isn it its itself just let ll me more most mustn my myself no
nor not now of off on once only or other ought our ours ourselves out over own re same shan she should shouldn so some such than
that the their theirs them themselves then there these they this those through to too under until up ve very was wasn we were
weren what when where which while who whom why will with won would wouldn you your yours yourself yourselves`

/**
 * The search terms of a text, in order, with repetitions. NFKC and lower case; English words stemmed (Porter) and without stop
 * words; an identifier, path, flag or version once whole and once for each part; Japanese, Chinese and Korean runs as single
 * characters and pairs (single hiragana are left out: they are grammar).
 */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [run] of text.normalize('NFKC').matchAll(RUN)) {
    if (WIDE.test(run)) pushWide(run, terms)
    else pushLatin(run, terms)
  }
  return terms
}

/** The distinct terms of a cue with their counts, at most `termsMax`: identifiers first, then longer words, which tend to be rarer. */
export function queryTermsOf(text: string, termsMax = 64): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  if (counts.size <= termsMax) return counts
  const telling = (term: string) => term.length + (JOINED.test(term) ? 20 : 0) + (WIDE.test(term) ? 4 * term.length : 0)
  return new Map([...counts].sort(([a], [b]) => telling(b) - telling(a)).slice(0, termsMax))
}

function pushWide(run: string, terms: string[]): void {
  for (let i = 0; i < run.length; i++) {
    const one = run[i]!
    if (!HIRAGANA.test(one)) terms.push(one)
    if (i + 1 < run.length) terms.push(run.slice(i, i + 2))
  }
}

function pushLatin(given: string, terms: string[]): void {
  const run = given.replace(/[.\-/:+]+$/, '')
  if (run === '') return
  const whole = run.toLowerCase()
  if (!JOINED.test(run)) {
    pushWord(whole, terms)
    return
  }
  terms.push(whole.replace(/^[-./:]+/, (lead) => (lead.startsWith('-') ? lead : '')))
  const parts = run.match(PARTS) ?? []
  if (parts.length > 1 || parts[0]?.toLowerCase() !== whole)
    for (const part of parts) pushWord(part.toLowerCase(), terms)
}

function pushWord(word: string, terms: string[]): void {
  stopWords ??= new Set(STOP.split(/\s+/))
  if (stopWords.has(word) || (word.length === 1 && !/\d/.test(word))) return
  terms.push(stem(word))
}
