// What a text has that searches for secrets need, found in one pass: their words, long runs, digits and signs. The
// second pass leaves out every search that can find nothing in a text.
//
//   defineWords('passw|pwd|…') ─▶ group 4      'npm run build' ─▶ words: none, run: 5, digits: 0 ─▶ no search

/** A group of words: a bit. */
export type WordGroup = number

/** The words of each group; its bit is 1 << its place here. */
const groups: (readonly string[])[] = []

/**
 * Words in lower case, with `|` between them: every text in ASCII in which a search finds something has one of them.
 * All groups are defined at the top of a module, before the first text is read.
 */
export const defineWords = (words: string): WordGroup => 1 << (groups.push(words.split('|')) - 1)

export interface TextTraits {
  /** The groups of which the text has a word. */
  readonly words: WordGroup
  /** The longest run of letters, digits and the signs `_-%/+.=~@`, in characters. */
  readonly run: number
  readonly digits: number
  /** How many signs it has that passwords have instead of digits. */
  readonly signs: number
}

/** Nothing is known of a text: every search has to be made. */
export const UNKNOWN: TextTraits = { words: -1, run: Infinity, digits: Infinity, signs: Infinity }

/** All but ASCII and signs of prose: other letters may have upper cases in ASCII, or be words of secrets. */
const OTHER_LETTERS = /[^\0-~\u2010-\u2027\u2190-\u22ff]/

const IN_RUN = 1
const DIGIT = 2
const SIGN = 4

let kinds: Uint8Array | undefined
let scan: ((lower: string) => WordGroup) | undefined

export function readTraits(text: string): TextTraits {
  if (OTHER_LETTERS.test(text)) return UNKNOWN
  kinds ??= Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)))
  scan ??= createScan(groups)
  const lower = text.toLowerCase()
  let [run, current, digits, signs] = [0, 0, 0, 0]
  for (let at = 0; at < lower.length; at += 1) {
    const kind = kinds[lower.charCodeAt(at)] ?? 0
    if (kind & IN_RUN) {
      current += 1
      if (current > run) run = current
      if (kind & DIGIT) digits += 1
    } else current = 0
    if (kind & SIGN) signs += 1
  }
  return { words: scan(lower), run, digits, signs }
}

const kindOf = (char: string): number =>
  (/[\w%/+.=~@-]/.test(char) ? IN_RUN : 0) | (/\d/.test(char) ? DIGIT : 0) | (/[!#$%^&*+?~@|;<>]/.test(char) ? SIGN : 0)

/** Finds the groups of which a text has a word: by the first two characters of each word, then by the third. */
function createScan(wordGroups: readonly (readonly string[])[]): (lower: string) => WordGroup {
  const byPair = new Map<number, (readonly [word: string, group: WordGroup])[]>()
  for (const [i, words] of wordGroups.entries()) {
    for (const word of words) {
      const pair = pairOf(word.charCodeAt(0), word.charCodeAt(1))
      byPair.set(pair, [...(byPair.get(pair) ?? []), [word, 1 << i]])
    }
  }
  // The third characters of the words that begin with these two: a bit of each; all bits for a word of two characters.
  const thirds = new Int32Array(PAIRS)
  for (const [pair, words] of byPair)
    thirds[pair] = words.reduce((bits, [word]) => bits | (word.length < 3 ? -1 : 1 << word.charCodeAt(2)), 0)
  return (lower) => {
    let found = 0
    let before = lower.charCodeAt(0)
    for (let at = 0; at < lower.length - 1; at += 1) {
      const next = lower.charCodeAt(at + 1)
      const pair = pairOf(before, next)
      before = next
      const third = thirds[pair] ?? 0
      if (third === 0 || (third !== -1 && (third & (1 << lower.charCodeAt(at + 2))) === 0)) continue
      for (const [word, group] of byPair.get(pair) ?? [])
        if ((found & group) === 0 && lower.startsWith(word, at)) found |= group
    }
    return found
  }
}

const PAIRS = 1 << 14

/** Of two characters of ASCII; others are none that a word begins with. */
const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127)
