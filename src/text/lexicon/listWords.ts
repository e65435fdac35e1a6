// The words of texts as people write them, for an embedder: not stems, and Japanese cut into words. Only the worker
// loads this: the dictionary behind Intl.Segmenter takes milliseconds.

// The time of Intl.Segmenter grows faster than its text, so a run without a break is cut.
const RUN = /([\u3005\u3041-\u30ff\u3400-\u9fff]{1,200})|[A-Za-z\u00c0-\u024f]+(?:'[a-z]+)?/g
const HIRAGANA_ONLY = /^[\u3041-\u309f\u30fc]+$/

/** Shorter English words are mostly function words; longer ones are no words. */
const ENGLISH_CHARS = { min: 3, max: 24 }

/** The words that occur in most texts, first; each once. Of equally frequent ones the first that occurred. */
export function listWords(texts: Iterable<string>): string[] {
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const word of wordsOf(text.normalize('NFKC'), segmenter)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word)
}

function wordsOf(text: string, segmenter: Intl.Segmenter): ReadonlySet<string> {
  const words = new Set<string>()
  const segmented = new Set<string>()
  for (const [run, japanese] of text.matchAll(RUN)) {
    if (japanese !== undefined) {
      if (segmented.has(run)) continue
      segmented.add(run)
      for (const { segment } of segmenter.segment(japanese)) if (isJapaneseWord(segment)) words.add(segment)
    } else if (run.length >= ENGLISH_CHARS.min && run.length <= ENGLISH_CHARS.max) words.add(run.toLowerCase())
  }
  return words
}

/** Whether an embedder's token or a segment is a Japanese word that an index can find. */
const isJapaneseWord = (word: string): boolean =>
  /[\u30a1-\u30fa\u3400-\u9fff]/.test(word) && !HIRAGANA_ONLY.test(word) && !/^[\u30a1-\u30fa]$/.test(word)

const ENGLISH_WORD = /^[a-z\u00e0-\u024f]{3,24}$/
const JAPANESE_WORD = /^[\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff]{1,8}$/

/** Whether a token of a model is a word, and not a part of one. */
export const isWord = (token: string): boolean =>
  ENGLISH_WORD.test(token) || (JAPANESE_WORD.test(token) && isJapaneseWord(token))
