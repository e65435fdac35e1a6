// Word vectors learnt from a project's own texts, by random indexing (Kanerva, Kristofersson and Holst 2000).
//
//   a word's own vector      six signed ones among 256, placed by its hash
//   a text's vector          the sum of its words' own vectors, rarer ones heavier
//   a word's learnt vector   .9 × the sum of the texts it stands in, less what all texts share, + .1 × its own
//
// So two words are alike when they are met in like texts, without anybody having said so.

import { toUnitVector } from '../model/ports.ts'
import { hash64 } from '../text/hash.ts'
import { addIndexVector, BUILTIN_DIMENSIONS } from './indexVector.ts'
import { computeInverseFrequency, packWordVectors, type WordVector, type WordVectors } from './wordVectors.ts'

/** Terms learnt from at most, taken evenly over all texts: a million take about two seconds. */
const TERMS_MAX = 1_000_000

/** Words kept at most, the most met ones, 272 bytes each. */
const WORDS_MAX = 32_768

/** The share of a word's own vector in what it has learnt. .1 to .3 found the same alone; .1 more beside keywords. */
const OWN_SHARE = 0.1

/** A text as its distinct words, by number, with how often each stands in it. */
interface Counted {
  readonly words: readonly number[]
  readonly counts: readonly number[]
}

interface Vocabulary {
  readonly texts: readonly Counted[]
  readonly hashes: readonly (readonly [number, number])[]
  /** In how many texts each word is met. */
  readonly met: readonly number[]
}

/** Learns from texts given as their terms. The same texts in the same order give the same bytes. */
export function trainWordVectors(texts: Iterable<readonly string[]>): WordVectors {
  const vocabulary = vocabularyOf(evenly([...texts]))
  const rarity = vocabulary.met.map((met) => computeInverseFrequency(met, vocabulary.texts.length))
  const places = placesOfKept(vocabulary)
  const learnt = contexts(vocabulary, rarity, places)
  for (const [word, at] of places) addIndexVector(learnt, at, vocabulary.hashes[word]!, OWN_SHARE)
  const mean = meanText(vocabulary, rarity, places, learnt)
  const words: WordVector[] = [...places].map(([word, at]) => ({
    hash: vocabulary.hashes[word]!,
    rarity: rarity[word]!,
    vector: learnt.subarray(at, at + BUILTIN_DIMENSIONS),
  }))
  return packWordVectors(words, vocabulary.texts.length, mean)
}

/** What a word standing `count` times in a text weighs there: the second time says less than the first. */
export const computeTermWeight = (count: number, rarity: number): number => (1 + Math.log(count)) * rarity

function vocabularyOf(texts: readonly (readonly string[])[]): Vocabulary {
  const numbers = new Map<string, number>()
  const met: number[] = []
  const counted = texts.map((terms) => {
    const counts = new Map<number, number>()
    for (const term of terms) {
      const word = numbers.get(term) ?? met.push(0) - 1
      numbers.set(term, word)
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    for (const word of counts.keys()) met[word]!++
    return { words: [...counts.keys()], counts: [...counts.values()] }
  })
  return { texts: counted, hashes: [...numbers.keys()].map(hash64), met }
}

/** Where the vector of each word that is kept begins. */
function placesOfKept({ met }: Vocabulary): ReadonlyMap<number, number> {
  // Sorting keeps the order of equals, which is that of first meeting.
  const kept = [...met.keys()].sort((a, b) => met[b]! - met[a]!).slice(0, WORDS_MAX)
  return new Map(kept.map((word, place) => [word, place * BUILTIN_DIMENSIONS]))
}

/** For each word kept, the texts it stands in, less what all texts share, at length 1 − OWN_SHARE. */
function contexts(
  vocabulary: Vocabulary,
  rarity: readonly number[],
  places: ReadonlyMap<number, number>,
): Float32Array {
  const sums = new Float32Array(places.size * BUILTIN_DIMENSIONS)
  const shares = new Float32Array(places.size)
  const mean = new Float32Array(BUILTIN_DIMENSIONS)
  for (const { words, counts } of vocabulary.texts) {
    const sum = new Float32Array(BUILTIN_DIMENSIONS)
    words.forEach((word, i) =>
      addIndexVector(sum, 0, vocabulary.hashes[word]!, computeTermWeight(counts[i]!, rarity[word]!)),
    )
    const text = toUnitVector(sum)
    addInto(mean, 0, text, 0, 1 / vocabulary.texts.length)
    words.forEach((word, i) => {
      const at = places.get(word)
      if (at === undefined) return
      const share = computeTermWeight(counts[i]!, 1)
      addInto(sums, at, text, 0, share)
      shares[at / BUILTIN_DIMENSIONS]! += share
    })
  }
  for (const at of places.values()) {
    addInto(sums, at, mean, 0, -shares[at / BUILTIN_DIMENSIONS]!)
    const unit = toUnitVector(sums.subarray(at, at + BUILTIN_DIMENSIONS))
    for (let i = 0; i < BUILTIN_DIMENSIONS; i++) sums[at + i] = (1 - OWN_SHARE) * unit[i]!
  }
  return sums
}

/** The mean of the texts' vectors, made of learnt words: mostly what every text of a project says. */
function meanText(
  vocabulary: Vocabulary,
  rarity: readonly number[],
  places: ReadonlyMap<number, number>,
  learnt: Float32Array,
): Float32Array {
  const mean = new Float32Array(BUILTIN_DIMENSIONS)
  for (const { words, counts } of vocabulary.texts) {
    const text = new Float32Array(BUILTIN_DIMENSIONS)
    words.forEach((word, i) => {
      const weight = computeTermWeight(counts[i]!, rarity[word]!)
      const at = places.get(word)
      if (at === undefined) addIndexVector(text, 0, vocabulary.hashes[word]!, weight)
      else addInto(text, 0, learnt, at, weight)
    })
    addInto(mean, 0, toUnitVector(text), 0, 1 / vocabulary.texts.length)
  }
  return mean
}

/** Adds `weight` × 256 numbers of `from` at `fromAt` to those of `to` at `toAt`. */
function addInto(to: Float32Array, toAt: number, from: Float32Array, fromAt: number, weight: number): void {
  for (let i = 0; i < BUILTIN_DIMENSIONS; i++) to[toAt + i]! += weight * from[fromAt + i]!
}

/** As many of the texts, evenly spread, as have the terms that are learnt from at most. */
function evenly(texts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const terms = texts.reduce((sum, text) => sum + text.length, 0)
  if (terms <= TERMS_MAX) return texts
  const taken = Math.floor((texts.length * TERMS_MAX) / terms)
  return Array.from({ length: taken }, (_, i) => texts[Math.floor((i * texts.length) / taken)]!)
}
