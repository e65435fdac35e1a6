// The HNSW index (Malkov and Yashunin 2018) over vectors in rows: a graph over the first rows, the rest looked at one by one.
//
//   rows   0 ────────── graph ──────────┬──── exact ────▶
//                                       └ moves on at each writing, by GROWN_MAX rows at most
//
// Putting a vector into the graph costs 0.3 ms, so a writing grows it by a bounded number, and an index of 100,000 gets its graph
// in two hundred sessions instead of holding up one. What is not in the graph yet is found all the same.
// One build: seed fixed, rows in their order. Vectors stand in the rows too: they outlive the graph, and Node's next version.
import type { VectorIndex } from '../../model/ports.ts'
import { crc32 } from '../../text/hash.ts'
import type { Files } from '../disk/files.ts'
import { assertDimensions, createRowLookups } from './exactIndex.ts'
import type { HnswGraph, HnswLibrary } from './hnswLibrary.ts'
import {
  compactMatrix,
  compareBySimilarity,
  createEmptyMatrix,
  dotProduct,
  findNearestRows,
  isFragmented,
  readMatrix,
  saveMatrix,
  type VectorMatrix,
  type VectorMatrixFile,
} from './vectorMatrix.ts'

/** Rows from which on there is a graph: fewer are looked at in under a millisecond, and always rightly. */
export const GRAPH_ROWS_MIN = 2_000

/** Rows put into the graph at one writing, at most: 0.15 s a tier. */
const GROWN_MAX = 500

/** Neighbours of a row, and how widely they are sought when it is put in: hnswlib's own defaults. */
const LINKS = 16
const BUILD_BREADTH = 200

/**
 * How widely is sought when asked: of the ten nearest among 6,000 of 256 dimensions in 40 clusters 98.4 % are found, in 0.4 ms;
 * at 100 it was 78 %.
 */
const SEARCH_BREADTH = 400

const SEED = 7

export function createHnswIndex(
  files: Files,
  hnsw: HnswLibrary,
  dimensions: number,
  given?: VectorMatrix,
  graphGiven?: HnswGraph,
): VectorIndex {
  let rows = given ?? createEmptyMatrix(dimensions)
  let graph = graphGiven
  const drop = (id: string): boolean => {
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
      drop(id)
      rows.append(id, key, vector)
    },
    remove: drop,
    ...createRowLookups(rows),
    nearest(vector, k) {
      assertDimensions(vector, dimensions)
      if (k <= 0) return []
      const found = graph ? inGraph(graph, rows, vector, k) : []
      const rest = findNearestRows(rows, vector, k, graph?.getCurrentCount() ?? 0)
      return [...found, ...rest].sort(compareBySimilarity).slice(0, k)
    },
    save(base, model) {
      if (isFragmented(rows)) {
        rows = compactMatrix(rows)
        graph = undefined
      }
      graph = rows.count < GRAPH_ROWS_MIN ? undefined : extended(hnsw, graph, rows)
      saveMatrix(files, base, rows, model, graph && saveGraph(files, `${base}.hnsw`, graph))
    },
  }
}

/** The index at `base`; undefined where its rows are missing, damaged or of another model. Without its graph it is exact. */
export function openHnswIndex(files: Files, hnsw: HnswLibrary, base: string, model: string): VectorIndex | undefined {
  const read = readMatrix(files, base, model)
  if (!read) return undefined
  return createHnswIndex(files, hnsw, read.rows.dimensions, read.rows, readGraph(files, hnsw, base, read.file))
}

function inGraph(graph: HnswGraph, rows: VectorMatrix, vector: Float32Array, k: number) {
  const count = graph.getCurrentCount()
  graph.setEf(Math.max(SEARCH_BREADTH, 2 * k))
  const { neighbors } = graph.searchKnn(Array.from(vector), Math.min(k, count))
  return neighbors.flatMap((row) => {
    const id = rows.ids[row]!
    return id === '' ? [] : [{ id, similarity: dotProduct(rows.data(), row * rows.dimensions, vector) }]
  })
}

/** The graph with some more of the rows. */
function extended(hnsw: HnswLibrary, given: HnswGraph | undefined, rows: VectorMatrix): HnswGraph {
  const graph = given ?? new hnsw.HierarchicalNSW('ip', rows.dimensions)
  const from = given ? graph.getCurrentCount() : 0
  const to = Math.min(rows.count, from + GROWN_MAX)
  if (!given) graph.initIndex(to, LINKS, BUILD_BREADTH, SEED)
  else if (graph.getMaxElements() < to) graph.resizeIndex(to)
  for (let row = from; row < to; row++) {
    graph.addPoint(Array.from(rows.vectorAt(row)), row)
    if (rows.ids[row] === '') graph.markDelete(row)
  }
  return graph
}

/** hnswlib writes to a path itself: to one aside, whose bytes then go the way of every other file. */
function saveGraph(files: Files, file: string, graph: HnswGraph): NonNullable<VectorMatrixFile['graph']> {
  const aside = `${file}.${process.pid}.aside`
  files.makeFolder(file.slice(0, file.lastIndexOf('/')))
  graph.writeIndexSync(aside)
  const bytes = files.read(aside)!
  files.replace(file, bytes)
  files.remove(aside)
  return { rows: graph.getCurrentCount(), bytes: bytes.length, crc: crc32(bytes) }
}

function readGraph(
  files: Files,
  hnsw: HnswLibrary,
  base: string,
  { dimensions, graph: told }: VectorMatrixFile,
): HnswGraph | undefined {
  // Native code follows whatever links it reads, out of its own memory if need be: it is given no file but the one written.
  if (!told || files.size(`${base}.hnsw`) !== told.bytes) return undefined
  try {
    if (crc32(files.read(`${base}.hnsw`)!) !== told.crc) return undefined
    const graph = new hnsw.HierarchicalNSW('ip', dimensions)
    graph.readIndexSync(`${base}.hnsw`)
    return graph.getCurrentCount() === told.rows ? graph : undefined
  } catch {
    return undefined // The rows hold every vector: the graph is made anew at the next writing.
  }
}
