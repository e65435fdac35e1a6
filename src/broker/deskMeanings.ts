// What a desk's memories mean: the vectors kept beside the view, and for what is newer, ones made now.
import { builtinEmbedder, isBuiltin } from '../embed/builtin.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import type { Embedder } from '../model/ports.ts'
import { openVectors, type Vectors } from '../store/vectors.ts'
import type { Desk } from './desk.ts'
import { deskLiteral } from './deskLiteral.ts'
import { keyOf, textOf } from './embedding.ts'
import { learntBefore } from './learnt.ts'

/** The built-in's id while it has learnt no words. */
const UNLEARNT = builtinEmbedder().id

interface Meant {
  readonly memory: Memory
  readonly text: string
  readonly vector: Float32Array
}

export interface DeskMeanings {
  /** How near these memories are to the question in meaning, 0 to 1, in their order. */
  near(question: string, memories: readonly Memory[]): Promise<Float32Array>
}

/**
 * `given` is the embedder that a person has configured; without it, and for a store whose vectors are another model's, the built-in
 * makes its own.
 */
export function deskMeanings(desk: Desk, given?: Embedder): DeskMeanings {
  const { files, layout } = desk.store
  const literal = deskLiteral()
  let vectors: Vectors | undefined
  let embedder: Embedder | undefined
  let meant = new Map<MemoryId, Meant>()

  const begin = (): Embedder => {
    const current = openVectors(files, layout, undefined, vectors)
    if (current === vectors && embedder) return embedder
    vectors = current
    const { model } = current.current
    const serving =
      given && given.id === model
        ? given
        : builtinEmbedder(isBuiltin(model) ? learntBefore(desk.store, current.current)?.words : undefined)
    if (serving.id !== embedder?.id) meant = new Map()
    embedder = serving
    return serving
  }

  return {
    async near(question, memories) {
      const serving = begin()
      if (serving.id === UNLEARNT) return literal.near(question, memories).map(Math.sqrt)
      const missing: Omit<Meant, 'vector'>[] = []
      for (const memory of memories) {
        const before = meant.get(memory.id)
        if (before?.memory === memory) continue
        const text = textOf(memory)
        const vector = before?.text === text ? before.vector : vectorOnDisk(vectors!, serving, memory.id, text)
        if (vector) meant.set(memory.id, { memory, text, vector })
        else missing.push({ memory, text })
      }
      const made = await serving.embed(
        missing.map((one) => one.text),
        'passage',
      )
      missing.forEach((one, i) => meant.set(one.memory.id, { ...one, vector: made[i]! }))
      const [asked] = await serving.embed([question], 'query')
      return Float32Array.from(memories, ({ id }) => Math.min(1, Math.max(0, dot(asked!, meant.get(id)!.vector))))
    },
  }
}

/** The vector that stands beside the view, if it is this embedder's, of this very text. */
function vectorOnDisk(
  { current, tiers }: Vectors,
  embedder: Embedder,
  id: MemoryId,
  text: string,
): Float32Array | undefined {
  if (current.model !== embedder.id) return undefined
  for (const index of tiers.values()) {
    const key = index.keyOf(id)
    if (key !== undefined) return key === keyOf(text) ? index.vectorOf(id) : undefined
  }
  return undefined
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
