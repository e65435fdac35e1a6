// The letters and digits of a text, without case, accents, white space and punctuation: so copies that were wrapped,
// quoted, escaped or marked up are alike.
import { decodeText, hasCodes, type PlacedText, textOfUnits } from './decodeText.ts'

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
