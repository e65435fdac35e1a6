// A vector index: an HNSW graph (Malkov and Yashunin 2018) over the first rows of the matrix, if the library is
// loaded. The other rows are searched exactly: 10,000 vectors of 256 dimensions in 4 ms, in 9 ms in a new process.
//
//   rows   0 ────────── graph ──────────┬──── exact ────▶
//                                       └ moves right by GROWTH_MAX rows at most, if the exact part is long
//
// Adding a vector to the graph takes 0.3 ms, and its file is written as a whole. So a save adds a bounded number: an
// index of 100,000 vectors gets its graph in fifty sessions instead of delaying one. Builds are reproducible: a
// fixed seed, and rows in their order. The matrix has all vectors too, so that the graph can be built again.
import type * as Library from 'hnswlib-node'
import { TIERS, type Tier } from '../../model/memory.ts'
import type { VectorIndex, VectorMatch } from '../../model/ports.ts'
import { loadOptional } from '../../packages/optionalPackage.ts'
import { crc32 } from '../../text/hash.ts'
import type { Files } from '../disk/files.ts'
import { writeJsonFile } from '../disk/jsonFile.ts'
import type { StoreLayout } from '../disk/paths.ts'
import { readJsonIfIntact } from '../disk/readJson.ts'
import {
  canAppendTo,
  compactMatrix,
  compareBySimilarity,
  createEmptyMatrix,
  dotProduct,
  findNearestRows,
  isFragmented,
  REMOVED_SHARE_MAX,
  readMatrix,
  saveMatrix,
  type VectorMatrix,
  type VectorMatrixFile,
} from './vectorMatrix.ts'

/** From this number of rows on there is a graph. An exact search of fewer takes less than four milliseconds. */
export const GRAPH_ROWS_MIN = 8_000

/** Rows added to the graph in one save: 0.6 s per tier. */
const GROWTH_MAX = 2_000

/** If more than this share of all rows is outside of the graph, it is written again. */
const EXACT_SHARE_MAX = 0.1

/** HNSW's M (links per row) and efConstruction (candidates while building): hnswlib's defaults. */
const LINKS = 16
const EF_CONSTRUCTION = 200

/**
 * HNSW's ef (candidates while searching). Among 6,000 vectors of 256 dimensions in 40 clusters, it finds 98.4 % of the
 * ten nearest in 0.4 ms; a value of 100 found 78 %.
 */
const EF_SEARCH = 400

const SEED = 7

/** What an index is made of. Without `hnsw` it never gets a graph, and every search is exact. */
interface VectorIndexParts {
  readonly hnsw?: HnswLibrary | undefined
  readonly rows?: VectorMatrix
  readonly graph?: HnswGraph | undefined
  /** The graph as its file is, also if no library is loaded to read it. */
  readonly savedGraph?: VectorMatrixFile['graph']
}

/** An index over a matrix and the graph of its first rows; both are empty by default. */
export function createVectorIndex(files: Files, dimensions: number, parts: VectorIndexParts = {}): VectorIndex {
  const { hnsw } = parts
  let { rows = createEmptyMatrix(dimensions), graph, savedGraph } = parts
  const remove = (id: string): boolean => {
    const row = rows.remove(id)
    if (graph && row >= 0 && row < graph.getCurrentCount()) graph.markDelete(row)
    return row >= 0
  }
  return {
    dimensions,
    get size() {
      return rows.size
    },
    ids: () => rows.ids.filter((id) => id !== ''),
    add(id, vector, key = '') {
      assertDimensions(vector, dimensions)
      remove(id)
      rows.append(id, key, vector)
    },
    remove,
    getVector(id) {
      const row = rows.rowOf(id)
      return row === undefined ? undefined : rows.vectorAt(row).slice()
    },
    getKey(id) {
      const row = rows.rowOf(id)
      return row === undefined ? undefined : rows.keys[row]
    },
    nearest(vector, k) {
      assertDimensions(vector, dimensions)
      if (k <= 0) return []
      const others = findNearestRows(rows, vector, k, graph?.getCurrentCount() ?? 0)
      return graph ? [...searchGraph(graph, rows, vector, k), ...others].sort(compareBySimilarity).slice(0, k) : others
    },
    canAppendTo: (base) => canAppendTo(rows, base),
    save(base, model, growthMax = GROWTH_MAX) {
      if (isFragmented(rows)) {
        rows = compactMatrix(rows)
        graph = undefined
      }
      if (rows.saved?.base !== base) savedGraph = undefined
      const exact = rows.count - (savedGraph?.rows ?? 0)
      const isGrowing = exact > (growthMax === GROWTH_MAX ? EXACT_SHARE_MAX * rows.count : 0)
      if (hnsw && rows.count >= GRAPH_ROWS_MIN && isGrowing) {
        graph = extendGraph(hnsw, graph, rows, growthMax)
        savedGraph = saveGraph(files, `${base}.hnsw`, graph)
      }
      saveMatrix(files, base, rows, { model, graph: savedGraph })
    },
  }
}

/** The index at `base`; undefined if the matrix is missing, damaged or of another model. Exact without a graph. */
export function openVectorIndex(
  files: Files,
  base: string,
  model: string,
  hnsw?: HnswLibrary,
): VectorIndex | undefined {
  const stored = readMatrix(files, base, model)
  if (!stored) return undefined
  const { rows, file } = stored
  const graph = hnsw && readGraph(files, hnsw, base, file)
  // Without the library the file stays as it is; a damaged one is written again.
  const savedGraph = hnsw && !graph ? undefined : file.graph
  return createVectorIndex(files, rows.dimensions, { hnsw, rows, graph, savedGraph })
}

/** A failure is a bug: the embedder returned a vector of another length. */
function assertDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return
  throw new RangeError(`The vector has ${vector.length} dimensions, the index ${dimensions}`)
}

function searchGraph(graph: HnswGraph, rows: VectorMatrix, vector: Float32Array, k: number): VectorMatch[] {
  const count = graph.getCurrentCount()
  graph.setEf(Math.max(EF_SEARCH, 2 * k))
  // Rows that were removed since the graph was written are in it: they must not take the places of others.
  const wanted = Math.ceil(k / (1 - REMOVED_SHARE_MAX))
  const { neighbors } = graph.searchKnn(Array.from(vector), Math.min(wanted, count))
  return neighbors.flatMap((row) => {
    const id = rows.ids[row] ?? ''
    return id === '' ? [] : [{ id, similarity: dotProduct(rows.data(), row * rows.dimensions, vector) }]
  })
}

/** Adds the next rows to the graph, or to a new one. */
function extendGraph(
  hnsw: HnswLibrary,
  existing: HnswGraph | undefined,
  rows: VectorMatrix,
  growthMax: number,
): HnswGraph {
  const graph = existing ?? new hnsw.HierarchicalNSW('ip', rows.dimensions)
  const from = existing ? graph.getCurrentCount() : 0
  const to = Math.min(rows.count, from + growthMax)
  if (!existing) graph.initIndex(to, LINKS, EF_CONSTRUCTION, SEED)
  else if (graph.getMaxElements() < to) graph.resizeIndex(to)
  for (let row = from; row < to; row++) {
    graph.addPoint(Array.from(rows.vectorAt(row)), row)
    if (rows.ids[row] === '') graph.markDelete(row)
  }
  return graph
}

/** hnswlib writes to a path itself. It gets a temporary file that only its owner can read, which is then renamed. */
function saveGraph(files: Files, file: string, graph: HnswGraph): NonNullable<VectorMatrixFile['graph']> {
  const temp = `${file}.${process.pid}.aside`
  files.create(temp, Buffer.alloc(0))
  graph.writeIndexSync(temp)
  files.sync(temp)
  const bytes = files.read(temp) ?? Buffer.alloc(0)
  files.rename(temp, file)
  return { rows: graph.getCurrentCount(), bytes: bytes.length, crc: crc32(bytes) }
}

function readGraph(
  files: Files,
  hnsw: HnswLibrary,
  base: string,
  { dimensions, graph: written }: VectorMatrixFile,
): HnswGraph | undefined {
  // The native code trusts the links in the file and could read outside of its memory. So it only reads an unchanged
  // file.
  if (!written || files.size(`${base}.hnsw`) !== written.bytes) return undefined
  try {
    if (crc32(files.read(`${base}.hnsw`) ?? Buffer.alloc(0)) !== written.crc) return undefined
    const graph = new hnsw.HierarchicalNSW('ip', dimensions)
    graph.readIndexSync(`${base}.hnsw`)
    return graph.getCurrentCount() === written.rows ? graph : undefined
  } catch {
    return undefined // The matrix has every vector: the next save builds the graph again.
  }
}

// Loads hnswlib-node, the native library of the HNSW index. Optional: without it every search is exact.
//
// CPU time in a new process with 10,000 vectors of 256 dimensions: 6 ms to load the library, 70 ms to open vectors and
// graph (22 MB, checksum, links), 3 ms for the first search. The exact index takes 17 ms to open and 9 ms to search.
// So no hook loads either, and a command with one query does not load the graph. In a long process such as the MCP
// server a search takes 0.5 to 1 ms instead of 4.

export type HnswLibrary = Pick<typeof Library, 'HierarchicalNSW'>
type HnswGraph = Library.HierarchicalNSW

let library: HnswLibrary | undefined

/** Loads the library, also from memctl's home; undefined if it is not installed or not built for this Node. */
export async function loadHnswLibrary(home: string | undefined): Promise<HnswLibrary | undefined> {
  try {
    const module = await loadOptional('hnswlib-node', home, () => import('hnswlib-node'))
    library = 'default' in module ? (module.default as HnswLibrary) : module
  } catch {
    library = undefined // An optional dependency: the exact index gives the same results, only slower.
  }
  return library
}

/** The library, if this process has loaded it. For synchronous code, which cannot wait for an import. */
export const getLoadedHnsw = (): HnswLibrary | undefined => library

// A project's vectors: one index per tier, all of one model.
//
//   vectors/current.json                            model, dimensions, file names; replacing it commits the vectors
//   vectors/<tier>.<generation>.f32 .json .hnsw     vectors, their ids, and their graph if there is one; the generation
//                                                   is that of their first save, later ones append
//
// Separate from the snapshot's manifest, because a remote embedder answers long after the snapshot is written. Readers
// skip vectors of removed memories. A memory without a vector is not found by semantic search until the next update.

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

export type VectorSet = Readonly<{ current: VectorManifest; tiers: ReadonlyMap<Tier, VectorIndex> }>

/** The current vectors; `known` if still current. A tier with missing or damaged files is left out. */
export function openVectorSet(files: Files, layout: StoreLayout, hnsw?: HnswLibrary, known?: VectorSet): VectorSet {
  const current = readVectorManifest(files, layout)
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
  /** The name of the files that it was read from. */
  readonly known?: string | undefined
  /** See `VectorIndex.save`. */
  readonly growthMax?: number | undefined
}

/** Writes a tier's index and returns its name for the manifest, which `commitVectorManifest` writes. */
export function writeTierVectors(layout: StoreLayout, tierVectors: TierVectors): string {
  const { tier, generation, index, model, known, growthMax } = tierVectors
  const name = known && index.canAppendTo(`${layout.vectors}/${known}`) ? known : `${tier}.${generation}`
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

/** The manifest alone; an empty one if it is missing or damaged: all vectors can be computed from the memories. */
export function readVectorManifest(files: Files, layout: StoreLayout): VectorManifest {
  const current = readJsonIfIntact<VectorManifest>(files, `${layout.vectors}/${CURRENT}`)
  const isWhole = current?.version === VECTORS_VERSION && current.tiers instanceof Object && current.model !== undefined
  return isWhole ? current : EMPTY_VECTOR_MANIFEST
}
