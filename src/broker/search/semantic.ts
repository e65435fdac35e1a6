// Semantic: the memories nearest in meaning to a text. For the command and the tools; no hook loads it, see store/hnsw.ts.
import { builtinEmbedder, isBuiltin } from '../../embed/builtin.ts'
import { MemoryError } from '../../model/errors.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { Embedder } from '../../model/ports.ts'
import { admits } from '../../recall/admit.ts'
import { loadedHnsw } from '../../store/hnsw.ts'
import { nearest, openVectors, type Vectors, type VectorsFile } from '../../store/vectors.ts'
import { learntBefore } from '../embed/learnt.ts'
import { disposeShelf, shelfFor } from '../hook/shelves.ts'
import type { Store } from '../store.ts'

/** A process that stays reads a store's vectors once, and again when they have changed. */
const kept = new WeakMap<Store, Vectors>()

export interface Meaning {
  readonly memory: Memory
  /** Cosine with the text asked, above 0, up to 1. */
  readonly similarity: number
}

export interface Asking {
  /** Whose eyes: what this role may not see is not found. `main` where nothing is said. */
  readonly role?: string
  readonly session?: SessionId
  /** Milliseconds since 1970. */
  readonly now: number
  /** Needed where the vectors are not the built-in's: the one they were made with. */
  readonly embedder?: Embedder | undefined
}

/** The memories nearest in meaning, best first, at most `k`; none where nothing has been organised yet. Changes nothing. */
export async function semantic(store: Store, text: string, k: number, asking: Asking): Promise<readonly Meaning[]> {
  // Without the graph where nobody has loaded its library: for one question, reading the graph costs more than it saves.
  const vectors = openVectors(store.files, store.layout, loadedHnsw(), kept.get(store))
  kept.set(store, vectors)
  if (vectors.tiers.size === 0) return []
  const embedder = embedderOf(store, vectors.current, asking.embedder)
  const [vector] = await embedder.embed([text], 'query')
  const { role = 'main', session, now } = asking
  const cue = { moment: 'ask', text, files: [], session, reader: { role, session }, now } as const
  const total = [...vectors.tiers.values()].reduce((sum, index) => sum + index.size, 0)
  // A hidden memory must not take a place: as long as some do, more are asked for.
  for (let asked = 2 * k; ; asked *= 4) {
    const near = nearest(vectors, vector!, Math.min(asked, total)).filter((one) => one.similarity > 0)
    const memories = memoriesOf(store, new Set(near.map((one) => one.id)))
    const seen = near.flatMap(({ id, similarity }) => {
      const memory = memories.get(id)
      return memory && admits(cue, memory) ? [{ memory, similarity }] : []
    })
    if (seen.length >= k || near.length < asked) return seen.slice(0, k)
  }
}

/** The embedder whose vectors these are. */
function embedderOf(store: Store, current: VectorsFile, given: Embedder | undefined): Embedder {
  const builtin = isBuiltin(current.model) ? builtinEmbedder(learntBefore(store, current)?.words) : undefined
  const embedder = builtin ?? given
  if (embedder?.id === current.model) return embedder
  if (builtin) {
    throw new MemoryError('STORE_INVALID', `the words that ${current.model} has learnt are damaged or gone`, {
      mend: 'Run `memctl rebuild`: they are learnt anew from the memories.',
    })
  }
  throw new MemoryError(
    'EMBEDDER_UNAVAILABLE',
    `the vectors were made by ${current.model}, which is not at hand${embedder ? `: ${embedder.id} is` : ''}`,
    {
      mend: 'Run `memctl embed status` for what it lacks, or `memctl embed rebuild` to make vectors with the one that is set.',
    },
  )
}

function memoriesOf(store: Store, ids: ReadonlySet<string>): Map<string, Memory> {
  const found = new Map<string, Memory>()
  const shelf = shelfFor(store)
  try {
    for (const memory of shelf.all()) {
      if (ids.has(memory.id)) found.set(memory.id, memory)
      if (found.size === ids.size) break
    }
  } finally {
    disposeShelf(shelf)
  }
  return found
}
