// Vectors: what every active memory means, kept beside the view for search by meaning. Organising keeps the built-in's; a model or
// a service that takes its time is asked by `embedWith`, outside any session.
import { builtinEmbedder, isBuiltin } from '../embed/builtin.ts'
import { MemoryError } from '../model/errors.ts'
import type { Memory } from '../model/memory.ts'
import type { Embedder } from '../model/ports.ts'
import { loadedHnsw, loadHnsw } from '../store/hnsw.ts'
import { takeLock } from '../store/lock.ts'
import { openVectors, type Vectors } from '../store/vectors.ts'
import { missingOf, type Wanted, wantedOf, write } from './embedding.ts'
import { learntFor } from './learnt.ts'
import { disposeShelf, shelfFor } from './shelves.ts'
import type { Store } from './store.ts'

/** Texts given to an embedder at once: what a stopped run has done is kept so far. */
const EMBEDDED_AT_ONCE = 960

/**
 * Brings the vectors in line with these memories; to be called by who holds the store's lock. New and changed ones are embedded
 * by the built-in; with another model's vectors in place they are left to `embedWith`, and only what is gone or moved is done.
 */
export function updateVectors(store: Store, memories: Iterable<Memory>): void {
  const vectors = openVectors(store.files, store.layout, loadedHnsw())
  const wanted = wantedOf(memories)
  const { model } = vectors.current
  if (model === '' || isBuiltin(model)) refreshBuiltin(store, vectors, wanted)
  else write(store, vectors, wanted, { model, dimensions: vectors.current.dimensions }, new Map())
}

/** Throws the vectors away and makes them anew: the built-in's at once, another model's by the next `embedWith`. */
export function remakeVectors(store: Store, memories: Iterable<Memory>): void {
  const { current } = openVectors(store.files, store.layout)
  refreshBuiltin(store, { current: { ...current, tiers: {}, words: undefined }, tiers: new Map() }, wantedOf(memories))
}

/**
 * Makes this embedder's vectors the store's: embeds every active memory that has none of it yet, and says how many that were.
 * Another model's vectors are replaced whole, when the new ones are there. Throws what the embedder throws, and STORE_BUSY.
 */
export async function embedWith(store: Store, embedder: Embedder): Promise<number> {
  const hnsw = await loadHnsw()
  const known = openVectors(store.files, store.layout, hnsw)
  const missing = missingOf(known, currentOf(store), embedder.id)
  const embedded = new Map<string, Float32Array>()
  for (let from = 0; from < missing.length; from += EMBEDDED_AT_ONCE) {
    const part = missing.slice(from, from + EMBEDDED_AT_ONCE)
    const vectors = await embedder.embed(
      part.map((one) => one.text),
      'passage',
    )
    part.forEach((one, i) => embedded.set(one.key, vectors[i]!))
  }
  // The lock only now: asking a service may take minutes, and a session that ends must not wait for it.
  const lock = takeLock(store.files, store.layout.lock)
  if (!lock) throw busy(store)
  try {
    write(
      store,
      openVectors(store.files, store.layout, hnsw),
      currentOf(store),
      { model: embedder.id, dimensions: embedder.dimensions },
      embedded,
    )
  } finally {
    lock.release()
  }
  return missing.length
}

function refreshBuiltin(store: Store, vectors: Vectors, wanted: readonly Wanted[]): void {
  const learnt = learntFor(
    store,
    vectors.current,
    wanted.map((one) => one.text),
  )
  const embedder = builtinEmbedder(learnt?.words)
  const missing = missingOf(vectors, wanted, embedder.id)
  const made = embedder.embed(missing.map((one) => one.text))
  const embedded = new Map(missing.map((one, i) => [one.key, made[i]!]))
  write(store, vectors, wanted, { model: embedder.id, dimensions: embedder.dimensions }, embedded, learnt)
}

/** The memories of the view as it is on disk. */
function currentOf(store: Store): Wanted[] {
  const shelf = shelfFor(store)
  try {
    return wantedOf(shelf.all())
  } finally {
    disposeShelf(shelf)
  }
}

const busy = (store: Store): MemoryError =>
  new MemoryError('STORE_BUSY', `${store.layout.folder} is being written by another process`, {
    mend: 'Try again in a minute; vectors that were made are made again then.',
  })
