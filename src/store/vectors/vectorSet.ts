// A project's vectors: one index a tier, all of one model, and the words the built-in has learnt.
//
//   vectors/current.json                            model, dimensions, which files: written last, it makes them the vectors
//   vectors/<tier>.<generation>.f32 .json .hnsw     vectors, their ids, and the graph over them where there is one
//   vectors/words.<generation>.bin                  learnt words
//
// Apart from the view's manifest, since an embedder on the network answers long after the view is written. Vectors of a memory
// that is no longer there are stepped over by readers, a memory without a vector is not found by meaning until the next update.
import type { VectorIndex } from '../../model/ports.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import type { Files } from '../disk/files.ts'
import { readJson } from '../disk/readJson.ts'
import type { StoreLayout } from '../disk/storeLayout.ts'
import { openExactIndex } from './exactIndex.ts'
import { openHnswIndex } from './hnswIndex.ts'
import type { HnswLibrary } from './hnswLibrary.ts'

const VECTORS_VERSION = 1

export interface VectorManifest {
  readonly version: number
  /** Counts up with every update. */
  readonly generation: number
  /** Model id of every vector; empty where there are none. */
  readonly model: string
  readonly dimensions: number
  /** Files of each tier, without ending. */
  readonly tiers: Readonly<Partial<Record<Tier, string>>>
  /** Learnt words' file, and how many memories there were when they were learnt. */
  readonly words?: { readonly file: string; readonly memories: number } | undefined
}

export const EMPTY_VECTOR_MANIFEST: VectorManifest = {
  version: VECTORS_VERSION,
  generation: 0,
  model: '',
  dimensions: 0,
  tiers: {},
}

export interface VectorSet {
  readonly current: VectorManifest
  readonly tiers: ReadonlyMap<Tier, VectorIndex>
}

/**
 * The vectors as last written; `known`, if they still are. A tier whose files are missing or damaged is left out: an update makes
 * it anew.
 */
export function openVectorSet(files: Files, layout: StoreLayout, hnsw?: HnswLibrary, known?: VectorSet): VectorSet {
  const current = readCurrent(files, layout)
  if (known && known.current.generation === current.generation && known.current.model === current.model) return known
  const tiers = new Map<Tier, VectorIndex>()
  for (const tier of TIERS) {
    const name = current.tiers[tier]
    if (name === undefined) continue
    const base = `${layout.vectors}/${name}`
    const index = hnsw ? openHnswIndex(files, hnsw, base, current.model) : openExactIndex(files, base, current.model)
    if (index) tiers.set(tier, index)
  }
  return { current, tiers }
}

/** Writes a tier's index and says its files' name. It counts once `commitVectorManifest` names it. */
export function writeTierVectors(
  layout: StoreLayout,
  tier: Tier,
  generation: number,
  index: VectorIndex,
  model: string,
): string {
  const name = `${tier}.${generation}`
  index.save(`${layout.vectors}/${name}`, model)
  return name
}

/** Makes these files the vectors, then removes those that no longer count. A reader that has them read is done with them. */
export function commitVectorManifest(files: Files, layout: StoreLayout, current: VectorManifest): void {
  files.replace(`${layout.vectors}/${CURRENT}`, Buffer.from(`${JSON.stringify(current)}\n`))
  const named = [
    ...Object.values(current.tiers).map((name) => `${name}.`),
    ...(current.words ? [current.words.file] : []),
  ]
  for (const name of files.list(layout.vectors)) {
    const counts = name === CURRENT || named.some((start) => name.startsWith(start) && !name.endsWith('.aside'))
    if (!counts) files.remove(`${layout.vectors}/${name}`)
  }
}

/** Learnt words' bytes; undefined where there are none. */
export const readWordVectorBytes = (files: Files, layout: StoreLayout, { words }: VectorManifest): Buffer | undefined =>
  words && files.read(`${layout.vectors}/${words.file}`)

/** Writes learnt words and says their file's name. */
export function writeWordVectorBytes(files: Files, layout: StoreLayout, generation: number, bytes: Uint8Array): string {
  const file = `words.${generation}.bin`
  files.replace(`${layout.vectors}/${file}`, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return file
}

const CURRENT = 'current.json'

function readCurrent(files: Files, layout: StoreLayout): VectorManifest {
  try {
    const current = readJson<VectorManifest>(files, `${layout.vectors}/${CURRENT}`)
    return current?.version === VECTORS_VERSION ? current : EMPTY_VECTOR_MANIFEST
  } catch {
    return EMPTY_VECTOR_MANIFEST // Damaged: all of it can be made anew from the memories.
  }
}
