// Finds copies of texts that a person wants forgotten: exact, escaped, encoded, wrapped, and shortened ones.
//
//   text        the plum tree at Kamakura is where we meet every spring
//   copies      "The plum tree at\nKamakura is where…"     a part that was cut          dGhlIHBsdW0gdHJlZQ==   encoded
//   no copies   a plum tree in Kyoto                       a part that goes on differently
import { type CopySpan, decodeText, findEncodedRuns, hasCodes, type PlacedText, textOfUnits } from './decodeText.ts'

export interface CopyFinder {
  /** The copies in a text, in order. `isCut`: the text itself may have been cut at both ends. */
  find(text: string, isCut?: boolean): readonly CopySpan[]
}

/** The least weight of a part (`weighLetters`), wherever it is; about 24 characters of English with their spaces. */
const PART_WEIGHT_MIN = 20
/** A part of this weight is a copy even if it goes on differently: some eight words. */
const LONG_PART_WEIGHT = 36
/** Directly beside an ellipsis, a beginning or an end of the text is a copy from this weight on. */
const CUT_WEIGHT_MIN = 10
/** A text with fewer letters is only found exactly as it is: its letters alone occur inside of other words. */
const LETTERS_WEIGHT_MIN = 14

/** Units of a seed, and how many units of a searched text are skipped between two: a part has at least ten units. */
const SEED_UNITS = 6
const SEED_STRIDE = 4
/** Places of one seed in a text that are tried, at most. */
const SEED_PLACES_MAX = 16

type Target = Readonly<{ letters: string; weight: number }>

/** A part that a text has in common with a target: units of their letters. */
interface Part {
  readonly target: Target
  readonly from: number
  readonly at: number
  readonly length: number
}

export function createCopyFinder(texts: readonly string[]): CopyFinder {
  const distinct = [...new Set(texts)].filter((text) => text !== '')
  const targets: Target[] = []
  const exact: string[] = []
  for (const text of distinct) {
    const letters = reduceToLetters(text).text
    const weight = weighLetters(letters)
    if (weight < LETTERS_WEIGHT_MIN) exact.push(...withEitherFirst(text), ...withEitherFirst(decodeText(text).text))
    else targets.push({ letters, weight })
  }
  const seeds = indexSeeds(targets)
  const findPlain = (text: string, isCut: boolean): CopySpan[] => [
    ...findExact(text, exact),
    ...(targets.length === 0 ? [] : findParts(text, targets, seeds, isCut)),
  ]
  return {
    find(text, isCut = false) {
      if (exact.length + targets.length === 0 || text.length < SEED_UNITS) return []
      return mergeSpans([
        ...findPlain(text, isCut),
        ...findEncodedRuns(text, (decoded) => findPlain(decoded, true).length > 0),
      ])
    },
  }
}

/**
 * The text with `mark` in place of the spans; without one with as many asterisks as they have characters, but no more
 * than eight.
 */
export function replaceCopies(text: string, spans: readonly CopySpan[], mark?: string): string {
  let result = ''
  let end = 0
  for (const span of spans) {
    result += text.slice(end, span.start) + (mark ?? '*'.repeat(Math.min(8, span.end - span.start)))
    end = span.end
  }
  return result + text.slice(end)
}

type SeedIndex = ReadonlyMap<string, readonly { readonly target: Target; readonly from: number }[]>

function indexSeeds(targets: readonly Target[]): SeedIndex {
  const index = new Map<string, { target: Target; from: number }[]>()
  for (const target of targets) {
    for (let from = 0; from + SEED_UNITS <= target.letters.length; from++) {
      const seed = target.letters.slice(from, from + SEED_UNITS)
      const places = index.get(seed) ?? []
      if (places.length < SEED_PLACES_MAX) index.set(seed, [...places, { target, from }])
    }
  }
  return index
}

/** A text, and the same with a capital or a small first letter: lists show sentences with a capital one. */
const withEitherFirst = (text: string): string[] => {
  const rest = text.slice(1)
  return [...new Set([text, text.charAt(0).toLowerCase() + rest, text.charAt(0).toUpperCase() + rest])]
}

function findExact(text: string, exact: readonly string[]): CopySpan[] {
  if (exact.length === 0) return []
  const spans: CopySpan[] = []
  const collect = (searched: PlacedText | string): void => {
    const plain = typeof searched === 'string' ? searched : searched.text
    for (const wanted of exact) {
      for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + wanted.length)) {
        const last = at + wanted.length - 1
        if (typeof searched === 'string') spans.push({ start: at, end: last + 1 })
        else spans.push({ start: searched.starts[at] ?? 0, end: searched.ends[last] ?? text.length })
      }
    }
  }
  collect(text)
  if (hasCodes(text)) collect(decodeText(text))
  return spans
}

function findParts(text: string, targets: readonly Target[], seeds: SeedIndex, isCut: boolean): CopySpan[] {
  const letters = reduceToLetters(text)
  const parts: Part[] = []
  for (const target of targets) {
    const { length } = target.letters
    for (
      let at = letters.text.indexOf(target.letters);
      at !== -1;
      at = letters.text.indexOf(target.letters, at + length)
    )
      parts.push({ target, from: 0, at, length })
  }
  for (let at = 0; at + SEED_UNITS <= letters.text.length; at += SEED_STRIDE) {
    for (const { target, from } of seeds.get(letters.text.slice(at, at + SEED_UNITS)) ?? []) {
      const part = extendPart(letters.text, target, at, from)
      if (isCopy(part, text, letters)) parts.push(part)
    }
  }
  parts.push(...findCutParts(text, letters, targets, isCut))
  return parts.map(({ at, length }) => ({
    start: letters.starts[at] ?? 0,
    end: letters.ends[at + length - 1] ?? text.length,
  }))
}

function extendPart(letters: string, target: Target, at: number, from: number): Part {
  const { letters: wanted } = target
  let before = 0
  while (at - before > 0 && from - before > 0 && letters[at - before - 1] === wanted[from - before - 1]) before++
  let after = SEED_UNITS
  while (at + after < letters.length && letters[at + after] === wanted[from + after]) after++
  return { target, from: from - before, at: at - before, length: before + after }
}

/** Whether a part is more than a phrase that two texts happen to share. */
function isCopy({ target, from, at, length }: Part, text: string, letters: PlacedText): boolean {
  const weight = weighLetters(target.letters.slice(from, from + length))
  if (weight >= LONG_PART_WEIGHT) return true
  if (weight < PART_WEIGHT_MIN) return false
  if (weight * 3 >= target.weight * 2) return true
  const before = text.slice(0, letters.starts[at]).slice(-CUT_MARK_CHARS)
  const end = letters.ends[at + length - 1] ?? text.length
  const after = text.slice(end, end + CUT_MARK_CHARS)
  if (ELLIPSIS_BEFORE.test(before) || ELLIPSIS_AFTER.test(after)) return true
  const isWholeAfter = from + length === target.letters.length
  return (from === 0 || CUT_BEFORE.test(before)) && (isWholeAfter || CUT_AFTER.test(after))
}

/** Where a text was cut: its end, an ellipsis, or the end of a string in JSON. */
const CUT_MARK_CHARS = 40
const CUT_AFTER = /^(?:\s*$|\\*"\s*(?:[,}\]:]|$))/
const CUT_BEFORE = /^\s*$|[[{,:]\s*\\*"$/
const ELLIPSIS_AFTER = /^[\s"'`)\]\\n]*(?:…|\.\.\.|\\+u2026|~[0-9a-f]{8})/
const ELLIPSIS_BEFORE = /(?:…|\.\.\.|\\+u2026)[\s"'`(\\n]*$/

/** Or the hash that ends a shortened file name. */
const ELLIPSIS = /…|\.\.\.|\\+u2026|~[0-9a-f]{8}/g

/** Beginnings of a target before an ellipsis, and ends of one behind it. */
function findCutParts(text: string, letters: PlacedText, targets: readonly Target[], isCut: boolean): Part[] {
  const marks = [...text.matchAll(ELLIPSIS)].map(({ index }) => index)
  if (isCut) marks.push(0, text.length)
  return marks.flatMap((mark) => {
    const at = countBefore(letters.starts, mark)
    return targets.flatMap((target) => {
      const before = letters.text.slice(Math.max(0, at - target.letters.length), at)
      const after = letters.text.slice(at, at + target.letters.length)
      const head = longestMatch(before.length, (length) => target.letters.startsWith(before.slice(-length)))
      const tail = longestMatch(after.length, (length) => target.letters.endsWith(after.slice(0, length)))
      return [
        { target, from: 0, at: at - head, length: head },
        { target, from: target.letters.length - tail, at, length: tail },
      ].filter((part) => weighLetters(letters.text.slice(part.at, part.at + part.length)) >= CUT_WEIGHT_MIN)
    })
  })
}

function longestMatch(max: number, matches: (length: number) => boolean): number {
  for (let length = max; length > 0; length--) if (matches(length)) return length
  return 0
}

/** How many of these ascending numbers are below `limit`. */
function countBefore(numbers: Int32Array, limit: number): number {
  let low = 0
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function mergeSpans(spans: readonly CopySpan[]): CopySpan[] {
  const merged: CopySpan[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && span.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    else merged.push(span)
  }
  return merged
}

/** The letters and digits of a text, decoded, with their places in the source. */
export function reduceToLetters(source: string): PlacedText {
  const decoded = hasCodes(source) ? decodeText(source) : undefined
  const text = decoded?.text ?? source
  // A unit becomes four at most.
  const capacity = /[^\0-\x7f]/.test(text) ? 4 * text.length : text.length
  const units = new Uint16Array(capacity)
  const starts = new Int32Array(capacity)
  const ends = new Int32Array(capacity)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const folded = FOLDED[unit] ?? computeFold(unit)
    for (let n = 0; n < folded.length; n++) {
      units[length] = folded[n] ?? 0
      starts[length] = decoded?.starts[i] ?? i
      ends[length++] = decoded?.ends[i] ?? i + 1
    }
  }
  return {
    text: textOfUnits(units.subarray(0, length)),
    starts: starts.subarray(0, length),
    ends: ends.subarray(0, length),
  }
}

/** The units that a unit becomes; for most of them one, for accents and signs none. */
const FOLDED: (readonly number[] | undefined)[] = []

/** White space, punctuation and symbols of all scripts, accents, and what selects a form of a letter. */
const SIGNS = /[\p{P}\p{S}\p{Z}\p{C}\p{M}]/u

function computeFold(unit: number): readonly number[] {
  const letter = String.fromCharCode(unit)
  const isHalfPair = unit >= 0xd800 && unit <= 0xdfff
  const letters = isHalfPair ? [letter] : [...letter.normalize('NFKD').toLowerCase()].filter((one) => !SIGNS.test(one))
  const folded = letters.slice(0, 4).map((one) => one.charCodeAt(0))
  FOLDED[unit] = folded
  return folded
}

/** How much text some letters are: a character of a script without spaces counts as two. */
export function weighLetters(letters: string): number {
  let weight = 0
  for (let i = 0; i < letters.length; i++) weight += letters.charCodeAt(i) < 0x2e80 ? 1 : 2
  return weight
}
