// The words of a query by which its expansions are looked up: English stems, verbs with a particle (`turn off`),
// Japanese words cut where the script changes. The worker writes the expansions under the same keys
// (text/lexicon/wordTerms.ts), so a hook needs no dictionary.
import { stemOf } from './extractTerms.ts'

/** More keys only add common words, and each costs a read. */
const KEYS_MAX = 20

const PLAIN_WORD = /^[a-z\u00c0-\u024f][a-z0-9\u00c0-\u024f]+$/
const VERB_WITH_PARTICLE = /\b([a-z]{2,}) (up|down|off|out|in|on|back|away|over|rid)\b/g

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
