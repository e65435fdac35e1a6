// Vectors as rows of a matrix, in memory and on disk. Rows are only appended. A removed row stays as zeros until there
// are too many of them.
//
//   <base>.f32    the vectors one after another, little-endian 32-bit floats
//   <base>.json   model id, dimensions, and the id and key of each row; a removed row has an empty id
//
// A later save with the same base appends to the first file, in which removed rows stay until it is compacted, and
// replaces the second. What the first one has beyond the rows of the second was written by a process that was killed.
import type { VectorMatch } from '../../model/ports.ts'
import type { Files } from '../disk/files.ts'
import { checksum, writeJsonFile } from '../disk/jsonFile.ts'

export interface VectorMatrix {
  readonly dimensions: number
  /** Number of rows, with removed ones. */
  readonly count: number
  /** Number of vectors. */
  readonly size: number
  readonly ids: readonly string[]
  readonly keys: readonly string[]
  append(id: string, key: string, vector: Float32Array): void
  /** Removes a vector and returns its row; -1 if there is none. */
  remove(id: string): number
  rowOf(id: string): number | undefined
  vectorAt(row: number): Float32Array
  /** All rows, one after another. */
  data(): Float32Array
  /** Where it was read from or saved to, with how many rows, and their CRC-32. */
  saved?: { readonly base: string; readonly count: number; readonly sum: number } | undefined
}

/** The content of `<base>.json`. `graph` describes the HNSW file: its number of rows, size in bytes and CRC-32. */
export interface VectorMatrixFile extends Pick<VectorMatrix, 'dimensions' | 'ids' | 'keys'> {
  readonly version: number
  readonly model: string
  /** CRC-32 of the vectors. Absent in files of earlier versions. */
  readonly vectors?: number | undefined
  readonly graph?: { readonly rows: number; readonly bytes: number; readonly crc: number } | undefined
}

const ROWS_VERSION = 1

/** If more than this share of rows is removed, the next save compacts the matrix. */
export const REMOVED_SHARE_MAX = 0.25

function createMatrix(
  dimensions: number,
  stored: Pick<VectorMatrixFile, 'ids' | 'keys'>,
  vectors: Float32Array,
): VectorMatrix {
  const ids = [...stored.ids]
  const keys = [...stored.keys]
  const rowsById = new Map(ids.flatMap((id, row) => (id === '' ? [] : [[id, row] as const])))
  let data = vectors
  return {
    dimensions,
    ids,
    keys,
    get count() {
      return ids.length
    },
    get size() {
      return rowsById.size
    },
    append(id, key, vector) {
      const row = ids.length
      if ((row + 1) * dimensions > data.length) data = grow(data, (row + 1) * dimensions)
      data.set(vector, row * dimensions)
      rowsById.set(id, row)
      ids.push(id)
      keys.push(key)
    },
    remove(id) {
      const row = rowsById.get(id)
      if (row === undefined) return -1
      rowsById.delete(id)
      ids[row] = ''
      keys[row] = ''
      data.fill(0, row * dimensions, (row + 1) * dimensions)
      return row
    },
    rowOf: (id) => rowsById.get(id),
    vectorAt: (row) => data.subarray(row * dimensions, (row + 1) * dimensions),
    data: () => data.subarray(0, ids.length * dimensions),
  }
}

export const createEmptyMatrix = (dimensions: number): VectorMatrix =>
  createMatrix(dimensions, { ids: [], keys: [] }, new Float32Array(0))

/** Whether so many rows are removed that the matrix should be compacted. */
export const isFragmented = (rows: VectorMatrix): boolean => rows.count - rows.size > REMOVED_SHARE_MAX * rows.count

/** A matrix without the removed rows, in the same order. */
export function compactMatrix(rows: VectorMatrix): VectorMatrix {
  const compact = createEmptyMatrix(rows.dimensions)
  rows.ids.forEach((id, row) => {
    if (id !== '') compact.append(id, rows.keys[row] ?? '', rows.vectorAt(row))
  })
  return compact
}

/** The `k` nearest rows from row `from` on, by comparing every one. */
export function findNearestRows(rows: VectorMatrix, vector: Float32Array, k: number, from = 0): VectorMatch[] {
  const best: VectorMatch[] = []
  const { dimensions } = rows
  const data = rows.data()
  let least = Number.NEGATIVE_INFINITY
  for (let row = from; row < rows.count; row++) {
    const id = rows.ids[row]
    if (!id) continue
    const similarity = dotProduct(data, row * dimensions, vector)
    if (similarity < least) continue
    best.push({ id, similarity })
    if (best.length > 2 * k + 64) least = keepBest(best, k)
  }
  keepBest(best, k)
  return best
}

/** Best first, equal ones by id, so that the same query always gives the same order. */
export const compareBySimilarity = (a: VectorMatch, b: VectorMatch): number =>
  b.similarity - a.similarity || (a.id < b.id ? -1 : 1)

export function dotProduct(data: Float32Array, at: number, vector: Float32Array): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += data[at + i]! * vector[i]!
  return sum
}

/** Whether a save with this base can add to the files there. */
export const canAppendTo = (rows: VectorMatrix, base: string): boolean =>
  rows.saved?.base === base && !isFragmented(rows)

/** Writes vectors, then ids: without ids the vectors cannot be read. */
export function saveMatrix(
  files: Files,
  base: string,
  rows: VectorMatrix,
  { model, graph }: Pick<VectorMatrixFile, 'model' | 'graph'>,
): void {
  const path = `${base}.f32`
  const { ids, keys, dimensions, count } = rows
  const saved = canAppendTo(rows, base) ? rows.saved : undefined
  const data = rows.data().subarray((saved?.count ?? 0) * dimensions)
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (saved) {
    files.truncate(path, saved.count * dimensions * 4)
    files.append(path, bytes, true)
  } else files.replace(path, bytes)
  const vectors = checksum(bytes, saved?.sum)
  rows.saved = { base, count, sum: vectors }
  const file: VectorMatrixFile = { version: ROWS_VERSION, model, dimensions, ids, keys, vectors, graph }
  writeJsonFile(files, `${base}.json`, file)
}

/** The matrix at `base`; undefined if it is missing, damaged, of a later version or of another model. */
export function readMatrix(
  files: Files,
  base: string,
  model: string,
): { rows: VectorMatrix; file: VectorMatrixFile } | undefined {
  const file = parseMatrixFile(files.read(`${base}.json`))
  const bytes = files.read(`${base}.f32`)
  if (!bytes || file?.model !== model || bytes.length < file.ids.length * file.dimensions * 4) return undefined
  // Copied: a Buffer may begin at any byte, and the rows change.
  const data = new Float32Array(file.ids.length * file.dimensions)
  bytes.copy(Buffer.from(data.buffer))
  file.ids.forEach((id, row) => {
    if (id === '') data.fill(0, row * file.dimensions, (row + 1) * file.dimensions)
  })
  const rows = createMatrix(file.dimensions, file, data)
  if (file.vectors !== undefined) rows.saved = { base, count: rows.count, sum: file.vectors }
  return { rows, file }
}

/** By the checksum of the rows in the JSON file; false for files of earlier versions, and if that is damaged. */
export function areVectorsDamaged(files: Files, base: string): boolean {
  // The JSON file first: rows that are appended meanwhile do not matter.
  const file = parseMatrixFile(files.read(`${base}.json`))
  if (file?.vectors === undefined) return false
  const bytes = files.read(`${base}.f32`)?.subarray(0, file.ids.length * file.dimensions * 4)
  return bytes !== undefined && checksum(bytes) !== file.vectors
}

function parseMatrixFile(bytes: Buffer | undefined): VectorMatrixFile | undefined {
  if (!bytes) return undefined
  try {
    const file = JSON.parse(bytes.toString('utf8')) as VectorMatrixFile
    return file.version === ROWS_VERSION && file.ids.length === file.keys.length ? file : undefined
  } catch {
    return undefined // Vectors are computed again from the memories, so a damaged file counts as missing.
  }
}

function grow(data: Float32Array, length: number): Float32Array {
  const next = new Float32Array(Math.max(length, 2 * data.length, 64))
  next.set(data)
  return next
}

/** Keeps the best `k` and returns the similarity of the last one, if there are as many. */
function keepBest(best: VectorMatch[], k: number): number {
  best.sort(compareBySimilarity)
  best.length = Math.min(best.length, k)
  return best[k - 1]?.similarity ?? Number.NEGATIVE_INFINITY
}
