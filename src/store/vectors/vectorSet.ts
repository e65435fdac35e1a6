// A project's vectors: one index per tier, all of one model.
//
//   vectors/current.json                            model, dimensions, file names; replacing it commits the vectors
//   vectors/<tier>.<generation>.f32 .json .hnsw     vectors, their ids, and their graph if there is one
//
// Separate from the snapshot's manifest, because a remote embedder answers long after the snapshot is written. Readers
// skip vectors of removed memories. A memory without a vector is not found by semantic search until the next update.

import { TIERS, type Tier } from '../../model/memory.ts'
import type { VectorIndex } from '../../model/ports.ts'
import type { Files } from '../disk/files.ts'
import { writeJsonFile } from '../disk/jsonFile.ts'
import { readJson } from '../disk/readJson.ts'
import type { StoreLayout } from '../disk/storeLayout.ts'
import type { HnswLibrary } from './hnswLibrary.ts'
import { openVectorIndex } from './vectorIndex.ts'

const VECTORS_VERSION = 1

export interface VectorManifest {
  readonly version: number
  /** Increases by one with every update. */
  readonly generation: number
  /** Model id of every vector; empty without vectors. */
  readonly model: string
  readonly dimensions: number
  /** File names of each tier, without extension. */
  readonly tiers: Readonly<Partial<Record<Tier, string>>>
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

/** The current vectors; `known` if still current. A tier with missing or damaged files is left out. */
export function openVectorSet(files: Files, layout: StoreLayout, hnsw?: HnswLibrary, known?: VectorSet): VectorSet {
  const current = readCurrent(files, layout)
  if (known && known.current.generation === current.generation && known.current.model === current.model) return known
  const tiers = new Map<Tier, VectorIndex>()
  for (const tier of TIERS) {
    const name = current.tiers[tier]
    if (name === undefined) continue
    const index = openVectorIndex(files, `${layout.vectors}/${name}`, current.model, hnsw)
    if (index) tiers.set(tier, index)
  }
  return { current, tiers }
}

interface TierVectors {
  readonly tier: Tier
  readonly generation: number
  readonly index: VectorIndex
  readonly model: string
  /** See `VectorIndex.save`. */
  readonly growthMax?: number | undefined
}

/** Writes a tier's index and returns its name for the manifest, which `commitVectorManifest` writes. */
export function writeTierVectors(layout: StoreLayout, tierVectors: TierVectors): string {
  const { tier, generation, index, model, growthMax } = tierVectors
  const name = `${tier}.${generation}`
  index.save(`${layout.vectors}/${name}`, model, growthMax)
  return name
}

/** Commits these files, then removes all others. Readers load files at once, so none still needs them. */
export function commitVectorManifest(files: Files, layout: StoreLayout, current: VectorManifest): void {
  writeJsonFile(files, `${layout.vectors}/${CURRENT}`, current)
  const prefixes = Object.values(current.tiers).map((name) => `${name}.`)
  for (const name of files.list(layout.vectors)) {
    const isUsed = name === CURRENT || (prefixes.some((start) => name.startsWith(start)) && !name.endsWith('.aside'))
    if (!isUsed) files.remove(`${layout.vectors}/${name}`)
  }
}

const CURRENT = 'current.json'

function readCurrent(files: Files, layout: StoreLayout): VectorManifest {
  try {
    const current = readJson<VectorManifest>(files, `${layout.vectors}/${CURRENT}`)
    const isWhole =
      current?.version === VECTORS_VERSION && current.tiers instanceof Object && current.model !== undefined
    return isWhole ? current : EMPTY_VECTOR_MANIFEST
  } catch {
    return EMPTY_VECTOR_MANIFEST // Damaged: all vectors can be computed again from the memories.
  }
}
