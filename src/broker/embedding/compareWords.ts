// Compares the vectors of words and memories: which words are nearest, and from which similarity two are related.
import type { VectorIndex } from '../../model/ports.ts'
import type { MemoryNeighbours, Neighbour, NeighbourWord } from '../../store/vectors/neighbourFile.ts'
import { dotProduct } from '../../store/vectors/vectorMatrix.ts'
import type { VectorSet } from '../../store/vectors/vectorSet.ts'

/** What one update works on. Positions are those of `words`. */
export interface NeighbourState {
  readonly words: NeighbourWord[]
  readonly positions: Map<string, number>
  /** The vector of each word. */
  readonly vectors: VectorIndex
  readonly targets: number[]
  readonly memories: Record<string, MemoryNeighbours>
  readonly isTimeUp: () => boolean
}

/** Pairs by which chance similarity is measured. */
const SAMPLES = 1_000

/** A memory is compared again when it was compared with less than this share of the words. */
const COMPARED_SHARE = 0.8

/** Words compared between two looks at the clock. */
const STEP = 32

/** Compares every word with the targets that it was not compared with. Returns whether all are done. */
export function compareWords(state: NeighbourState, index: VectorIndex, max: number): boolean {
  const { words, positions, vectors, targets, isTimeUp } = state
  for (const [position, word] of words.entries()) {
    if (word.compared >= targets.length) continue
    if (position % STEP === 0 && isTimeUp()) return false
    const vector = vectors.getVector(word.id)
    if (!vector) continue
    const found: Neighbour[] =
      word.compared === 0
        ? index.nearest(vector, max + 1).flatMap(({ id, similarity }) => {
            const other = positions.get(id)
            return other === undefined ? [] : [[other, similarity]]
          })
        : [...word.near, ...compareWithTargets(state, vector, word.compared)]
    words[position] = { ...word, near: keepNearest(found, position, max), compared: targets.length }
  }
  return true
}

function compareWithTargets(
  { words, vectors, targets }: NeighbourState,
  vector: Float32Array,
  from: number,
): Neighbour[] {
  return targets.slice(from).flatMap((position): Neighbour[] => {
    const other = vectors.getVector(words[position]?.id ?? '')
    return other ? [[position, dotProduct(other, 0, vector)]] : []
  })
}

/** The nearest, best first, without the word itself. */
const keepNearest = (found: readonly Neighbour[], self: number, max: number): Neighbour[] =>
  found
    .filter(([position, similarity]) => position !== self && similarity > 0)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, max)
    .map(([position, similarity]) => [position, Math.round(similarity * 1e4) / 1e4])

/** Compares memories whose text is new, or that were compared with far fewer words. Returns whether all are done. */
export function compareMemories(state: NeighbourState, { tiers }: VectorSet, max: number): boolean {
  const { words, positions, vectors, memories, isTimeUp } = state
  const ids = new Set<string>()
  let isDone = true
  for (const index of tiers.values()) {
    for (const [i, id] of index.ids().entries()) {
      ids.add(id)
      const known = memories[id]
      const key = index.getKey(id) ?? ''
      if (known?.key === key && known.compared >= COMPARED_SHARE * words.length) continue
      isDone &&= !(i % STEP === 0 && isTimeUp())
      const vector = isDone ? index.getVector(id) : undefined
      if (!vector) continue
      const near = vectors.nearest(vector, max).flatMap(({ id: word, similarity }): Neighbour[] => {
        const position = positions.get(word)
        return position === undefined ? [] : [[position, similarity]]
      })
      memories[id] = { key, compared: words.length, near: keepNearest(near, -1, max) }
    }
  }
  for (const id of Object.keys(memories)) if (!ids.has(id)) delete memories[id]
  return isDone
}

/** The mean similarity of chance pairs, and some standard deviations more: above it is a relation. */
export function computeFloors(
  { words, vectors }: NeighbourState,
  { tiers }: VectorSet,
  deviations: number,
): { word: number; memory: number } {
  const wordAt = (i: number): Float32Array | undefined => vectors.getVector(words[i % words.length]?.id ?? '')
  const memoryVectors = [...tiers.values()].flatMap((index) =>
    index
      .ids()
      .slice(0, SAMPLES)
      .map((id) => index.getVector(id)),
  )
  const floorOf = (left: (i: number) => Float32Array | undefined): number => {
    const found: number[] = []
    for (let i = 0; i < SAMPLES; i++) {
      const [a, b] = [left(i * 7_919), wordAt(i * 104_729 + 1)]
      if (a && b && a !== b) found.push(dotProduct(a, 0, b))
    }
    const mean = found.reduce((sum, value) => sum + value, 0) / Math.max(1, found.length)
    const variance = found.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, found.length)
    return Math.min(1, mean + deviations * Math.sqrt(variance))
  }
  return { word: floorOf(wordAt), memory: floorOf((i) => memoryVectors[i % Math.max(1, memoryVectors.length)]) }
}
