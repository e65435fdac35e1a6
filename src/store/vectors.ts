// A project's vectors: one index a tier, all of one model, and the words the built-in has learnt.
//
//   vectors/current.json                            model, dimensions, which files: written last, it makes them the vectors
//   vectors/<tier>.<generation>.f32 .json .hnsw     vectors, their ids, and the graph over them where there is one
//   vectors/words.<generation>.bin                  learnt words
//
// Apart from the view's manifest, since an embedder on the network answers long after the view is written. Vectors of a memory
// that is no longer there are stepped over by readers, a memory without a vector is not found by meaning until the next update.
import type { VectorIndex } from '../model/ports.ts'
import { TIERS, type Tier } from '../model/tier.ts'
import { openExact } from './exactIndex.ts'
import type { Files } from './files.ts'
import type { Hnsw } from './hnsw.ts'
import { openHnsw } from './hnswIndex.ts'
import { readJson } from './jsonRead.ts'
import type { Layout } from './layout.ts'

const VECTORS_VERSION = 1

export interface VectorsFile {
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

export const NO_VECTORS: VectorsFile = { version: VECTORS_VERSION, generation: 0, model: '', dimensions: 0, tiers: {} }

export interface Vectors {
  readonly current: VectorsFile
  readonly tiers: ReadonlyMap<Tier, VectorIndex>
}

/**
 * The vectors as last written; `known`, if they still are. A tier whose files are missing or damaged is left out: an update makes
 * it anew.
 */
export function openVectors(files: Files, layout: Layout, hnsw?: Hnsw, known?: Vectors): Vectors {
  const current = readCurrent(files, layout)
  if (known && known.current.generation === current.generation && known.current.model === current.model) return known
  const tiers = new Map<Tier, VectorIndex>()
  for (const tier of TIERS) {
    const name = current.tiers[tier]
    if (name === undefined) continue
    const base = `${layout.vectors}/${name}`
    const index = hnsw ? openHnsw(files, hnsw, base, current.model) : openExact(files, base, current.model)
    if (index) tiers.set(tier, index)
  }
  return { current, tiers }
}

/** Writes a tier's index and says its files' name. It counts once `commitVectors` names it. */
export function writeVectors(
  layout: Layout,
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
export function commitVectors(files: Files, layout: Layout, current: VectorsFile): void {
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
export const readWords = (files: Files, layout: Layout, { words }: VectorsFile): Buffer | undefined =>
  words && files.read(`${layout.vectors}/${words.file}`)

/** Writes learnt words and says their file's name. */
export function writeWords(files: Files, layout: Layout, generation: number, bytes: Uint8Array): string {
  const file = `words.${generation}.bin`
  files.replace(`${layout.vectors}/${file}`, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return file
}

const CURRENT = 'current.json'

function readCurrent(files: Files, layout: Layout): VectorsFile {
  try {
    const current = readJson<VectorsFile>(files, `${layout.vectors}/${CURRENT}`)
    return current?.version === VECTORS_VERSION ? current : NO_VECTORS
  } catch {
    return NO_VECTORS // Damaged: all of it can be made anew from the memories.
  }
}
