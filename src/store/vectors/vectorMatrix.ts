// Vectors in rows, as memory and disk both hold them: rows are only added, one that is taken out stays as zeros until too many are.
//
//   <base>.f32    vector after vector, little-endian 32-bit floats
//   <base>.json   model id, dimensions, and each row's id and key; an empty id is a row taken out
import type { VectorMatch } from '../../model/ports.ts'
import type { Files } from '../disk/files.ts'
import { writeJsonFile } from '../disk/jsonFile.ts'

export interface VectorMatrix {
  readonly dimensions: number
  /** Rows, those taken out included. */
  readonly count: number
  readonly size: number
  readonly ids: readonly string[]
  readonly keys: readonly string[]
  append(id: string, key: string, vector: Float32Array): void
  /** Takes a row out and says which it was; -1 where there is none. */
  remove(id: string): number
  rowOf(id: string): number | undefined
  vectorAt(row: number): Float32Array
  /** All vectors, one after the other. */
  data(): Float32Array
}

/** What `<base>.json` says. `graph` is the HNSW file's: how many rows it has, its size in bytes, its CRC-32. */
export interface VectorMatrixFile {
  readonly version: number
  readonly model: string
  readonly dimensions: number
  readonly ids: readonly string[]
  readonly keys: readonly string[]
  readonly graph?: { readonly rows: number; readonly bytes: number; readonly crc: number } | undefined
}

const ROWS_VERSION = 1

/** Over this share of rows taken out, the others are moved together at the next writing. */
const DROPPED_SHARE_MAX = 0.25

function makeRows(
  dimensions: number,
  given: Pick<VectorMatrixFile, 'ids' | 'keys'>,
  vectors: Float32Array,
): VectorMatrix {
  const ids = [...given.ids]
  const keys = [...given.keys]
  const places = new Map(ids.flatMap((id, row) => (id === '' ? [] : [[id, row] as const])))
  let data = vectors
  const drop = (id: string): number => {
    const row = places.get(id)
    if (row === undefined) return -1
    places.delete(id)
    ids[row] = ''
    keys[row] = ''
    data.fill(0, row * dimensions, (row + 1) * dimensions)
    return row
  }
  return {
    dimensions,
    ids,
    keys,
    get count() {
      return ids.length
    },
    get size() {
      return places.size
    },
    append(id, key, vector) {
      const row = ids.length
      if ((row + 1) * dimensions > data.length) data = grown(data, (row + 1) * dimensions)
      data.set(vector, row * dimensions)
      places.set(id, row)
      ids.push(id)
      keys.push(key)
    },
    remove: drop,
    rowOf: (id) => places.get(id),
    vectorAt: (row) => data.subarray(row * dimensions, (row + 1) * dimensions),
    data: () => data.subarray(0, ids.length * dimensions),
  }
}

export const createEmptyMatrix = (dimensions: number): VectorMatrix =>
  makeRows(dimensions, { ids: [], keys: [] }, new Float32Array(0))

/** Whether so many rows have been taken out that the others should be moved together. */
export const isFragmented = (rows: VectorMatrix): boolean => rows.count - rows.size > DROPPED_SHARE_MAX * rows.count

/** The rows without those taken out, in their order. */
export function compactMatrix(rows: VectorMatrix): VectorMatrix {
  const next = createEmptyMatrix(rows.dimensions)
  rows.ids.forEach((id, row) => id !== '' && next.append(id, rows.keys[row]!, rows.vectorAt(row)))
  return next
}

/** The `k` nearest among the rows from `from` on, every one looked at. */
export function findNearestRows(rows: VectorMatrix, vector: Float32Array, k: number, from = 0): VectorMatch[] {
  const best: VectorMatch[] = []
  const { dimensions } = rows
  const data = rows.data()
  let least = Number.NEGATIVE_INFINITY
  for (let row = from; row < rows.count; row++) {
    const id = rows.ids[row]!
    if (id === '') continue
    const similarity = dotProduct(data, row * dimensions, vector)
    if (similarity < least) continue
    best.push({ id, similarity })
    if (best.length > 2 * k + 64) least = cut(best, k)
  }
  cut(best, k)
  return best
}

/** Best first, equals by id, so that one question has one answer. */
export const compareBySimilarity = (a: VectorMatch, b: VectorMatch): number =>
  b.similarity - a.similarity || (a.id < b.id ? -1 : 1)

export function dotProduct(data: Float32Array, at: number, vector: Float32Array): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += data[at + i]! * vector[i]!
  return sum
}

/** Writes vectors and ids. The ids last: they are what makes the vectors readable. */
export function saveMatrix(
  files: Files,
  base: string,
  rows: VectorMatrix,
  model: string,
  graph?: VectorMatrixFile['graph'],
): void {
  const data = rows.data()
  files.replace(`${base}.f32`, Buffer.from(data.buffer, data.byteOffset, data.byteLength))
  const { ids, keys, dimensions } = rows
  const file: VectorMatrixFile = { version: ROWS_VERSION, model, dimensions, ids, keys, graph }
  writeJsonFile(files, `${base}.json`, file)
}

/** The rows at `base`; undefined where they are missing, damaged, of a later version or of another model. */
export function readMatrix(
  files: Files,
  base: string,
  model: string,
): { rows: VectorMatrix; file: VectorMatrixFile } | undefined {
  const file = rowsFile(files.read(`${base}.json`))
  const bytes = files.read(`${base}.f32`)
  if (file?.model !== model || bytes?.length !== file.ids.length * file.dimensions * 4) return undefined
  // Copied: a Buffer may begin anywhere, and rows are written to.
  const data = new Float32Array(file.ids.length * file.dimensions)
  bytes.copy(Buffer.from(data.buffer))
  return { rows: makeRows(file.dimensions, file, data), file }
}

function rowsFile(bytes: Buffer | undefined): VectorMatrixFile | undefined {
  if (!bytes) return undefined
  try {
    const file = JSON.parse(bytes.toString('utf8')) as VectorMatrixFile
    return file.version === ROWS_VERSION && file.ids.length === file.keys.length ? file : undefined
  } catch {
    return undefined // Vectors are made anew from the memories: a damaged file is as good as none.
  }
}

function grown(data: Float32Array, length: number): Float32Array {
  const next = new Float32Array(Math.max(length, 2 * data.length, 64))
  next.set(data)
  return next
}

/** Leaves the best `k` and says the last one's similarity. */
function cut(best: VectorMatch[], k: number): number {
  best.sort(compareBySimilarity)
  best.length = Math.min(best.length, k)
  return best.length === k && k > 0 ? best[k - 1]!.similarity : Number.NEGATIVE_INFINITY
}
