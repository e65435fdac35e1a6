// What a desk's cards mean: the vectors kept beside the view, and for what is newer, ones made now.
import { builtinEmbedder, isBuiltin } from '../../embed/builtin.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Embedder } from '../../model/ports.ts'
import { openVectors, type Vectors } from '../../store/vectors.ts'
import type { Desk } from '../desk.ts'
import { keyOf, textOf } from '../embed/embedding.ts'
import { learntBefore } from '../embed/learnt.ts'
import { literalNear } from './cardLiteral.ts'
import type { Card } from './cards.ts'

/** Vectors of one embedder, row after row. */
interface Block {
  matrix: Float32Array
  rows: number
}

export interface CardMeanings {
  /** How near each of these cards is to the question in meaning, 0 to 1, in their order. */
  ask(question: string, cards: readonly Card[]): Promise<Float32Array>
}

/** The built-in's id while it has learnt no words. */
const UNLEARNT = builtinEmbedder().id

/**
 * `chosen` is the embedder that a person has configured. Without it, and for a store whose vectors are another model's, the built-in
 * makes its own; while that has learnt no words, texts are compared word by word.
 */
export function cardMeanings(desk: Desk, chosen?: Embedder): CardMeanings {
  let given = chosen
  const { files, layout } = desk.store
  let block: Block = { matrix: new Float32Array(0), rows: 0 }
  let vectors: Vectors | undefined
  let embedder: Embedder | undefined

  const begin = (): Embedder => {
    const now = openVectors(files, layout, undefined, vectors)
    if (now !== vectors || !embedder) {
      const { model } = now.current
      const learnt = isBuiltin(model) ? learntBefore(desk.store, now.current) : undefined
      const serving = given && given.id === model ? given : builtinEmbedder(learnt?.words)
      if (serving.id !== embedder?.id) block = { matrix: new Float32Array(0), rows: 0 }
      embedder = serving
      vectors = now
    }
    return embedder
  }
  // One after the other in one block: looked up each for itself, a vector costs more than the sum over it.
  const put = (card: Card, dimensions: number, values: Float32Array): void => {
    if (block.matrix.length < (block.rows + 1) * dimensions) {
      const wider = new Float32Array(Math.max(1_024, 2 * block.rows) * dimensions)
      wider.set(block.matrix.subarray(0, block.rows * dimensions))
      block.matrix = wider
    }
    block.matrix.set(values, block.rows * dimensions)
    card.block = block
    card.row = block.rows++
  }
  const embedMissing = async (serving: Embedder, cards: readonly Card[]): Promise<void> => {
    const missing: { readonly card: Card; readonly text: string }[] = []
    for (const card of cards) {
      if (card.block === block) continue
      const text = textOf(card.memory)
      const values = vectorOnDisk(vectors!, serving, card, text)
      if (values) put(card, serving.dimensions, values)
      else missing.push({ card, text })
    }
    if (missing.length === 0) return
    const made = await serving.embed(
      missing.map((one) => one.text),
      'passage',
    )
    missing.forEach(({ card }, i) => {
      put(card, serving.dimensions, made[i]!)
    })
  }

  const ask: CardMeanings['ask'] = async (question, cards) => {
    const serving = begin()
    if (serving.id === UNLEARNT) return literalNear(question, cards)
    try {
      return await near(serving, question, cards)
    } catch (error) {
      if (serving !== given || !(error instanceof MemoryError)) throw error
      // It cannot be asked now, and would keep every search waiting: the built-in answers for as long as this desk is open.
      given = undefined
      embedder = undefined
      return ask(question, cards)
    }
  }
  const near = async (serving: Embedder, question: string, cards: readonly Card[]): Promise<Float32Array> => {
    const own = block
    await embedMissing(serving, cards)
    const [asked] = await serving.embed([question], 'query')
    // Another question has met new words meanwhile, and moved every card to a block of their vectors.
    if (own !== block) return ask(question, cards)
    const { matrix } = block
    const { dimensions } = serving
    const similarities = new Float32Array(cards.length)
    for (let i = 0; i < similarities.length; i++) {
      const cosine = dot(asked!, matrix, cards[i]!.row! * dimensions)
      similarities[i] = cosine < 0 ? 0 : cosine > 1 ? 1 : cosine
    }
    return similarities
  }
  return { ask }
}

/** The vector that stands beside the view, if it is this embedder's, of this very text. */
function vectorOnDisk(
  { current, tiers }: Vectors,
  embedder: Embedder,
  card: Card,
  text: string,
): Float32Array | undefined {
  if (current.model !== embedder.id) return undefined
  for (const index of tiers.values()) {
    const key = index.keyOf(card.memory.id)
    if (key !== undefined) return key === keyOf(text) ? index.vectorOf(card.memory.id) : undefined
  }
  return undefined
}

/** Four sums side by side: one would wait for itself at every step, and this is most of what a search takes. */
function dot(asked: Float32Array, matrix: Float32Array, at: number): number {
  let one = 0
  let two = 0
  let three = 0
  let four = 0
  let i = 0
  for (; i + 3 < asked.length; i += 4) {
    one += asked[i]! * matrix[at + i]!
    two += asked[i + 1]! * matrix[at + i + 1]!
    three += asked[i + 2]! * matrix[at + i + 2]!
    four += asked[i + 3]! * matrix[at + i + 3]!
  }
  for (; i < asked.length; i++) one += asked[i]! * matrix[at + i]!
  return one + two + three + four
}
