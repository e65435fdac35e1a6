// Builds a small real model with knowledge of words: a word's vector is the sum of the vectors of its groups, and a
// little of its own. So two words are similar as far as they share groups. The groups are the developer lexicon and the
// everyday words of everydayWords.ts, or those of a test.
import { listSynonymGroups, parseGroups, type SynonymGroup } from '../../src/text/lexicon/parseLexicon.ts'
import { EVERYDAY_WORDS } from './everydayWords.ts'
import { SPECIAL_TOKENS, writeStaticModel } from './staticModel.ts'

const WIDTH = 256

/** The length of a word's own vector; that of a group is 1. */
const OWN_SHARE = 0.5

/** Writes the model into a folder, for `embedder: { kind: transformers, folder: … }`. The same bytes every time. */
export function writeWordModel(folder: string, groups: readonly SynonymGroup[] = knownGroups()): void {
  const rows = new Map<string, Float64Array>()
  groups.forEach((group, i) => {
    const meaning = randomVector(`group ${i}`)
    for (const { word, weight } of group) {
      if (word.includes(' ')) continue
      const row = rows.get(word) ?? randomVector(word).map((value) => OWN_SHARE * value)
      rows.set(
        word,
        row.map((value, j) => value + weight * (meaning[j] ?? 0)),
      )
    }
  })
  const words = [...rows.keys()]
  // Japanese is written without spaces: any of its words may continue a run.
  const continued = words.filter((word) => /[^\0-\x7f]/.test(word)).map((word) => `##${word}`)
  const zeros = new Array<number>(WIDTH).fill(0)
  writeStaticModel(folder, {
    vocabulary: [...SPECIAL_TOKENS, ...words, ...continued],
    width: WIDTH,
    splitsKanji: false,
    rowOf: (token) => [...(rows.get(token.replace(/^##/, '')) ?? zeros)],
  })
}

const knownGroups = (): readonly SynonymGroup[] => [...listSynonymGroups(), ...parseGroups(EVERYDAY_WORDS)]

/** About of length 1, nearly at right angles to all others; always the same for a name. */
function randomVector(name: string): Float64Array {
  let state = [...name].reduce((sum, char) => (Math.imul(sum, 31) + (char.codePointAt(0) ?? 0)) >>> 0, 7)
  return Float64Array.from({ length: WIDTH }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state / 2 ** 31 - 1) * Math.sqrt(3 / WIDTH)
  })
}
