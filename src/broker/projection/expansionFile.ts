// Writes the expansions of the active segment from the developer lexicon. They follow from the keyword index alone, so
// every save can write them in little time.
import { checksum } from '../../store/disk/checksum.ts'
import { buildExpansions, hashMatches, type WordExpansion } from '../../store/index/buildExpansions.ts'
import type { WordMatches } from '../../store/index/documentFinder.ts'
import { openIndexSegment, type TermHash } from '../../store/index/indexSegment.ts'
import type { SegmentEntry } from '../../store/snapshot/manifest.ts'
import { hash64 } from '../../text/hash.ts'
import { listSynonymGroups } from '../../text/lexicon/parseLexicon.ts'
import { termsOfWord } from '../../text/lexicon/wordTerms.ts'
import type { Store } from '../open/openStore.ts'

interface ExpandedSegment {
  readonly entry: SegmentEntry
  /** Part of the file's name, different each time. */
  readonly generation: string
  /** The policy's weight of expansions; 0: there are none. */
  readonly weight: number
}

/** Writes the expansions of a segment and returns its entry with their file name; without a file if there are none. */
export function writeExpansions(store: Store, { entry, generation, weight }: ExpandedSegment): SegmentEntry {
  const { files, layout } = store
  const { expansions: _, sums, ...rest } = entry
  const plain = sums ? { ...rest, sums: { text: sums.text, index: sums.index, rows: sums.rows } } : rest
  const index = weight > 0 ? openIndexSegment(files, `${layout.segments}/${entry.name}.idx`) : undefined
  if (!index) return plain
  try {
    lexicon ??= readLexicon()
    const bytes = buildExpansions(index, lexicon)
    if (!bytes) return plain
    const name = `${entry.name}.${generation}.exp`
    files.replace(`${layout.segments}/${name}`, bytes)
    return { ...plain, expansions: name, ...(sums && { sums: { ...sums, expansions: checksum(bytes) } }) }
  } finally {
    index.close()
  }
}

/** The lexicon in terms of the index; computed once per process, in 60 ms. */
let lexicon: readonly WordExpansion[] | undefined

/** A pair of less weight is left out: neither word means the same as its group. */
const PAIR_WEIGHT_MIN = 0.5

function readLexicon(): readonly WordExpansion[] {
  const terms = new Map<string, { readonly keys: readonly TermHash[]; readonly matches: WordMatches }>()
  const near = new Map<string, Map<string, number>>()
  for (const group of listSynonymGroups()) {
    for (const { word, weight } of group) {
      if (!terms.has(word)) {
        const { keys, matches } = termsOfWord(word)
        terms.set(word, { keys: keys.map(hash64), matches: hashMatches(matches) })
      }
      const known = near.get(word) ?? new Map<string, number>()
      near.set(word, known)
      for (const other of group) {
        const pair = weight * other.weight
        if (other.word === word || pair < PAIR_WEIGHT_MIN) continue
        known.set(other.word, Math.max(pair, known.get(other.word) ?? 0))
      }
    }
  }
  return [...near].flatMap(([word, others]) => {
    const { keys = [], matches: own = [] } = terms.get(word) ?? {}
    if (keys.length === 0) return []
    const neighbours = [...others].map(([other, weight]) => ({ matches: terms.get(other)?.matches ?? [], weight }))
    return [{ keys, own, neighbours: neighbours.filter(({ matches }) => matches.length > 0) }]
  })
}
