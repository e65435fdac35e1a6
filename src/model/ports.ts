// Ports: the interfaces of embedders and vector indexes.

/** What a text is embedded as: some models treat queries and passages differently. */
export type EmbedRole = 'query' | 'passage'

/**
 * Computes vectors of texts, in their order. Every vector has length 1, so that the cosine is the dot product; a text
 * without words has the zero vector. The same text gives the same vector, alone or among others.
 */
export interface Embedder {
  /** Model id, stored with each vector: vectors of two models are never compared. */
  readonly id: string
  readonly dimensions: number
  /**
   * `as` is 'passage' by default. Throws EMBEDDER_UNAVAILABLE if the model cannot be reached, and CANCELLED once the
   * signal is aborted.
   */
  embed(
    texts: readonly string[],
    as?: EmbedRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> | readonly Float32Array[]
  close?(): void
}

/** An embedder without a model to load and without network. */
export interface SyncEmbedder extends Embedder {
  embed(texts: readonly string[], as?: EmbedRole): readonly Float32Array[]
}

/** A vector that was found, and its cosine, -1 to 1. */
export type VectorMatch = Readonly<{ id: string; similarity: number }>

/** Vectors by id, searched by cosine. Every vector has the index's dimensions and length 1, or is zero. */
export interface VectorIndex {
  readonly dimensions: number
  /** How many vectors it has. */
  readonly size: number
  /** Oldest first. */
  ids(): readonly string[]
  /** Adds a vector or replaces that of the same id. `key` names its source, for instance a hash of the text. */
  add(id: string, vector: Float32Array, key?: string): void
  /** Removes a vector; returns whether it existed. */
  remove(id: string): boolean
  getVector(id: string): Float32Array | undefined
  /** The key of a vector; undefined without such a vector. */
  getKey(id: string): string | undefined
  /** The nearest, best first, ties by id; at most `k`. Similarities are exact even if the search is approximate. */
  nearest(vector: Float32Array, k: number): readonly VectorMatch[]
  /** Whether `save` would only add to the files of this base: it was read from them, and few vectors were removed. */
  canAppendTo(base: string): boolean
  /**
   * Writes the index to files. `base` is a path without extension, `model` the embedder's id. At most `growthMax` more
   * vectors get into the graph of an approximate index, by default as many as the end of a session has time for.
   */
  save(base: string, model: string, growthMax?: number): void
}

/** A copy of length 1; zero stays zero. */
export function toUnitVector(values: ArrayLike<number>): Float32Array {
  const unit = new Float32Array(values)
  let squares = 0
  for (const value of unit) squares += value * value
  if (squares === 0) return unit
  const scale = 1 / Math.sqrt(squares)
  for (let i = 0; i < unit.length; i++) unit[i]! *= scale
  return unit
}
