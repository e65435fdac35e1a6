// Extractive summary: several texts as one, in their own sentences: the most central ones, and at least one of each
// text.
import { countEach } from '../model/sorting.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { jaccard } from '../text/similarity.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** A longer sentence is truncated: a line of code or of a log may have no end. */
const SENTENCE_CHARS_MAX = 400

/** Two sentences with at least this similarity, 0 to 1, may say the same, or the opposite. */
const SIMILAR_FROM = 0.6

interface Sentence {
  /** Index of the text, and of the sentence in it. */
  readonly textIndex: number
  readonly position: number
  readonly text: string
  readonly terms: ReadonlySet<string>
}

/**
 * At most `charsMax` characters of sentences from the texts, one a line, in their original order. First the best
 * sentence of each text while there is room, then the best of all. Similar sentences come last, for the room that is
 * left: one of two may deny the other. A sentence scores higher the more texts contain its words (Radev et al. 2004).
 */
export function summarizeExtractively(texts: readonly string[], charsMax: number): string {
  const ordered = sortByCentrality(texts.flatMap(splitIntoSentences), texts.length)
  const bestOfEach = texts.map((_, textIndex) => ordered.find((sentence) => sentence.textIndex === textIndex))
  const selected: Sentence[] = []
  let chars = 0
  const selectUnless = (isRepeated: (a: Sentence, b: Sentence) => boolean): void => {
    for (const sentence of [...bestOfEach, ...ordered]) {
      if (!sentence || selected.includes(sentence) || chars + sentence.text.length + 1 > charsMax) continue
      if (selected.some((other) => isRepeated(other, sentence))) continue
      selected.push(sentence)
      chars += sentence.text.length + 1
    }
  }
  selectUnless(isSimilar)
  selectUnless((a, b) => a.text === b.text)
  return selected
    .sort((a, b) => a.textIndex - b.textIndex || a.position - b.position)
    .map((sentence) => sentence.text)
    .join('\n')
}

/**
 * The candidate whose words occur in most of the texts, relative to its length: the subject of a session rather than
 * its last detail. `weightOf` gives candidates more or less weight. Empty if every candidate is.
 */
export function findCentralText(
  candidates: readonly string[],
  texts: readonly string[],
  weightOf: (index: number) => number = () => 1,
): string {
  const centralityOf = measureCentrality(texts.map((text) => new Set(extractTerms(text))))
  let [best, bestScore] = ['', -1]
  candidates.forEach((candidate, index) => {
    const score = weightOf(index) * centralityOf(new Set(extractTerms(candidate)))
    if (candidate !== '' && score > bestScore) [best, bestScore] = [candidate, score]
  })
  return best
}

/** The sentences of a text; of a text without sentences, such as code, its beginning. */
function splitIntoSentences(text: string, textIndex: number): Sentence[] {
  const sentences = splitSentences(text)
  return (sentences.length > 0 ? sentences : [text]).map((sentence, position) => {
    const truncated = firstLine(sentence, SENTENCE_CHARS_MAX)
    return { textIndex, position, text: truncated, terms: new Set(extractTerms(truncated)) }
  })
}

/** Best first. */
function sortByCentrality(sentences: readonly Sentence[], textCount: number): Sentence[] {
  const termsOf = (index: number): string[] =>
    sentences.flatMap(({ textIndex, terms }) => (textIndex === index ? [...terms] : []))
  const centralityOf = measureCentrality(Array.from({ length: textCount }, (_, index) => new Set(termsOf(index))))
  const scored = sentences.map((sentence) => ({ sentence, score: centralityOf(sentence.terms) }))
  return scored.sort((a, b) => b.score - a.score).map(({ sentence }) => sentence)
}

/**
 * Measures terms: the sum of the shares of texts that contain each, divided by the square root of their number, so that
 * neither a list of everything nor a single word wins.
 */
function measureCentrality(texts: readonly ReadonlySet<string>[]): (terms: ReadonlySet<string>) => number {
  const counts = countEach(texts.flatMap((terms) => [...terms]))
  return (terms) => {
    let sum = 0
    for (const term of terms) sum += (counts.get(term) ?? 0) / texts.length
    return sum / Math.sqrt(terms.size + 1)
  }
}

const isSimilar = (a: Sentence, b: Sentence): boolean => a.text === b.text || jaccard(a.terms, b.terms) >= SIMILAR_FROM
