// Ports: what the house asks of an embedder and of a vector index, whoever is behind them.

/** What a text is embedded as: some models want to be told a question from what may answer it. */
export type EmbedRole = 'query' | 'passage'

/**
 * Makes vectors of texts, in their order. Every vector has length 1, so that the cosine is the dot product; a text without
 * words has the zero vector, which is like nothing. The same text gives the same vector, alone or among others.
 */
export interface Embedder {
  /** Model id, kept beside each vector: vectors of two ids are never compared. */
  readonly id: string
  readonly dimensions: number
  /** `as` is 'passage' where nothing is said. Throws EMBEDDER_UNAVAILABLE where the model cannot be asked. */
  embed(texts: readonly string[], as?: EmbedRole): Promise<readonly Float32Array[]> | readonly Float32Array[]
  close?(): void
}

/** One that answers at once: no model to load, no network. */
export interface SyncEmbedder extends Embedder {
  embed(texts: readonly string[], as?: EmbedRole): readonly Float32Array[]
}

/** A vector found, and its cosine, -1 to 1. */
export interface VectorMatch {
  readonly id: string
  readonly similarity: number
}

/** Vectors by id, searched by cosine. Every vector has the index's dimensions and length 1, or is zero. */
export interface VectorIndex {
  readonly dimensions: number
  /** Vectors in it. */
  readonly size: number
  /** Ids in it, oldest first. */
  ids(): readonly string[]
  /** Puts a vector in; one of the same id is replaced. `key` says what it was made of, such as a hash of the text. */
  add(id: string, vector: Float32Array, key?: string): void
  /** Takes a vector out; says whether it was there. */
  remove(id: string): boolean
  getVector(id: string): Float32Array | undefined
  /** The key it was put in with; undefined where it is not there. */
  getKey(id: string): string | undefined
  /** The nearest, best first, equals by id; at most `k`. Similarities are exact, also where the search is not. */
  nearest(vector: Float32Array, k: number): readonly VectorMatch[]
  /** Writes it, to be opened again by its kind. `base` is a path without an ending, `model` the embedder's id. */
  save(base: string, model: string): void
}

/** A copy at length 1; zero stays zero. */
export function toUnitVector(values: ArrayLike<number>): Float32Array {
  const unit = Float32Array.from(values)
  let squares = 0
  for (const value of unit) squares += value * value
  if (squares === 0) return unit
  const scale = 1 / Math.sqrt(squares)
  for (let i = 0; i < unit.length; i++) unit[i]! *= scale
  return unit
}
