// Extract: several texts as one, in their own words: the sentences that tell most of what they share, and of each at least one.
import { firstLine, splitSentences } from '../text/excerpt.ts'
import { jaccard } from '../text/similarity.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** One sentence, in characters: a line without an end is cut. */
const SENTENCE_CHARS_MAX = 400

/** From this likeness on two sentences say the same, 0 to 1. */
const SAME_FROM = 0.6

interface Sentence {
  readonly from: number
  readonly place: number
  readonly words: string
  readonly terms: ReadonlySet<string>
}

/**
 * At most `charsMax` characters of the texts' sentences, in the order in which they stand, a line each. Of every text first its best
 * sentence, as long as there is room, then the best of all; none that says what another has said. A sentence is the better the more of the
 * texts have its words: Radev et al., Centroid-based summarization of multiple documents (2004).
 */
export function summarizeExtractively(texts: readonly string[], charsMax: number): string {
  const sentences = texts.flatMap(sentencesIn)
  const spread = spreadOf(sentences)
  const worth = new Map(sentences.map((one) => [one, worthOf(one, spread, texts.length)]))
  const ordered = sentences.toSorted((a, b) => worth.get(b)! - worth.get(a)!)
  const best = texts.map((_, from) => ordered.find((one) => one.from === from))
  const taken: Sentence[] = []
  let chars = 0
  for (const one of [...best, ...ordered]) {
    if (!one || taken.includes(one) || chars + one.words.length + 1 > charsMax) continue
    if (taken.some((other) => other.words === one.words || jaccard(other.terms, one.terms) >= SAME_FROM)) continue
    taken.push(one)
    chars += one.words.length + 1
  }
  return taken
    .sort((a, b) => a.from - b.from || a.place - b.place)
    .map((one) => one.words)
    .join('\n')
}

/** The sentences of a text; where it has none, as code has none, the beginning of it. */
function sentencesIn(text: string, from: number): Sentence[] {
  const found = splitSentences(text)
  const told = found.length > 0 ? found : [text]
  return told.map((sentence, place) => {
    const words = firstLine(sentence, SENTENCE_CHARS_MAX)
    return { from, place, words, terms: new Set(extractTerms(words)) }
  })
}

/** In how many of the texts each term stands. */
function spreadOf(sentences: readonly Sentence[]): ReadonlyMap<string, number> {
  const texts = new Map<string, Set<number>>()
  for (const { from, terms } of sentences) {
    for (const term of terms) texts.set(term, (texts.get(term) ?? new Set()).add(from))
  }
  return new Map([...texts].map(([term, found]) => [term, found.size]))
}

/** By the root of its length, so that neither a list of everything nor a single word wins. */
function worthOf({ terms }: Sentence, spread: ReadonlyMap<string, number>, texts: number): number {
  let sum = 0
  for (const term of terms) sum += spread.get(term)! / texts
  return sum / Math.sqrt(terms.size + 1)
}
