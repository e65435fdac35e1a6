// Writes the expansions of the active segment: from the developer lexicon, and from what the embedder has computed so
// far. They follow from the keyword index and the neighbours alone, so every save can write them in little time.
import type { ExpansionNumbers } from '../../model/expansion.ts'
import {
  buildExpansions,
  hashMatches,
  type WordExpansion,
  type WordMatches,
} from '../../store/index/buildExpansions.ts'
import { openIndexSegment, type TermHash } from '../../store/index/indexSegment.ts'
import type { SegmentEntry } from '../../store/snapshot/manifest.ts'
import { type NeighbourFile, readNeighbours } from '../../store/vectors/neighbourFile.ts'
import { hash64 } from '../../text/hash.ts'
import { listSynonymGroups } from '../../text/lexicon/parseLexicon.ts'
import { termsOfWord } from '../../text/lexicon/wordTerms.ts'
import type { Store } from '../open/openStore.ts'

interface ExpandedSegment {
  readonly entry: SegmentEntry
  /** Ids of its memories, in the order of its documents. */
  readonly ids: readonly string[]
  /** Part of the file's name, different each time. */
  readonly generation: string
  readonly numbers: ExpansionNumbers
}

/** Writes the expansions of a segment and returns its entry with their file name; without a file if there are none. */
export function writeExpansions(store: Store, { entry, ids, generation, numbers }: ExpandedSegment): SegmentEntry {
  const { files, layout } = store
  const { expansions: _, ...plain } = entry
  const index = numbers.weight > 0 ? openIndexSegment(files, `${layout.segments}/${entry.name}.idx`) : undefined
  if (!index) return plain
  try {
    const neighbours = numbers.embedder > 0 ? readNeighbours(files, layout) : undefined
    const expansions = [...expandByLexicon(numbers.lexicon), ...expandByEmbedder(neighbours, ids, numbers.embedder)]
    const bytes = buildExpansions(index, expansions)
    if (!bytes) return plain
    const name = `${entry.name}.${generation}.exp`
    files.replace(`${layout.segments}/${name}`, bytes)
    return { ...plain, expansions: name }
  } finally {
    index.close()
  }
}

function expandByLexicon(share: number): readonly WordExpansion[] {
  if (share <= 0) return []
  lexicon ??= readLexicon()
  if (share === 1) return lexicon
  return lexicon.map(({ neighbours, ...word }) => ({
    ...word,
    neighbours: neighbours.map(({ matches, weight }) => ({ matches, weight: share * weight })),
  }))
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

function expandByEmbedder(
  neighbours: NeighbourFile | undefined,
  ids: readonly string[],
  share: number,
): WordExpansion[] {
  if (!neighbours) return []
  const { words, memories } = neighbours
  const documents = words.map(() => new Map<number, number>())
  ids.forEach((id, doc) => {
    for (const [word, weight] of memories[id] ?? []) documents[word]?.set(doc, share * weight)
  })
  return words.map(({ keys, matches, near }, word) => ({
    keys: keys as readonly TermHash[],
    own: matches,
    neighbours: near.map(([other, weight]) => ({ matches: words[other]?.matches ?? [], weight: share * weight })),
    documents: documents[word],
  }))
}
