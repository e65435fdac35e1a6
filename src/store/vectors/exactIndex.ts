// The exact vector index: every vector is looked at. 10,000 of 256 dimensions take 4 ms, in a process just started 9 ms.
import type { VectorIndex } from '../../model/ports.ts'
import type { Files } from '../disk/files.ts'
import {
  compactMatrix,
  createEmptyMatrix,
  findNearestRows,
  isFragmented,
  readMatrix,
  saveMatrix,
  type VectorMatrix,
} from './vectorMatrix.ts'

/** An exact index over these rows, or an empty one. */
export function createExactIndex(files: Files, dimensions: number, given?: VectorMatrix): VectorIndex {
  const rows = given ?? createEmptyMatrix(dimensions)
  return {
    dimensions,
    get size() {
      return rows.size
    },
    ids: () => rows.ids.filter((id) => id !== ''),
    add(id, vector, key = '') {
      assertDimensions(vector, dimensions)
      rows.remove(id)
      rows.append(id, key, vector)
    },
    remove: (id) => rows.remove(id) >= 0,
    ...createRowLookups(rows),
    nearest(vector, k) {
      assertDimensions(vector, dimensions)
      return k > 0 ? findNearestRows(rows, vector, k) : []
    },
    save: (base, model) => saveMatrix(files, base, isFragmented(rows) ? compactMatrix(rows) : rows, model),
  }
}

/** The index at `base`; undefined where it is missing, damaged or of another model: then it is made anew. */
export function openExactIndex(files: Files, base: string, model: string): VectorIndex | undefined {
  const read = readMatrix(files, base, model)
  return read && createExactIndex(files, read.rows.dimensions, read.rows)
}

/** Finding a vector or its key by id, the same in every index over rows. */
export function createRowLookups(rows: VectorMatrix): Pick<VectorIndex, 'getVector' | 'getKey'> {
  return {
    getVector(id) {
      const row = rows.rowOf(id)
      return row === undefined ? undefined : rows.vectorAt(row).slice()
    },
    getKey(id) {
      const row = rows.rowOf(id)
      return row === undefined ? undefined : rows.keys[row]
    },
  }
}

/** A bug of ours, not a person's: an embedder gave a vector of a length it does not have. */
export function assertDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return
  throw new RangeError(`a vector of ${vector.length} numbers, where the index has ${dimensions}`)
}
