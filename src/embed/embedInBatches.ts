// Embeds texts in batches. Blank texts are not sent to the model: services refuse them.

interface BatchEmbedder {
  /** Texts in one batch at most. */
  readonly batchMax: number
  readonly dimensions: number
  embedBatch(texts: readonly string[]): Promise<readonly Float32Array[]>
}

/** One vector per text, in their order. A blank text gets the zero vector. */
export async function embedInBatches(
  texts: readonly string[],
  { batchMax, dimensions, embedBatch }: BatchEmbedder,
): Promise<readonly Float32Array[]> {
  const isBlank = (text: string): boolean => text.trim() === ''
  const rest = texts.filter((text) => !isBlank(text))
  const vectors: Float32Array[] = []
  for (let from = 0; from < rest.length; from += batchMax) {
    vectors.push(...(await embedBatch(rest.slice(from, from + batchMax))))
  }
  let next = 0
  return texts.map((text) => (isBlank(text) ? undefined : vectors[next++]) ?? new Float32Array(dimensions))
}
