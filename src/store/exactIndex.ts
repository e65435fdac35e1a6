// The exact vector index: every vector is looked at. 10,000 of 256 dimensions take 4 ms, in a process just started 9 ms.
import type { VectorIndex } from '../model/ports.ts'
import type { Files } from './files.ts'
import { isSparse, nearestRows, noRows, type Rows, readRows, saveRows, together } from './vectorRows.ts'

/** An exact index over these rows, or an empty one. */
export function exactIndex(files: Files, dimensions: number, given?: Rows): VectorIndex {
  const rows = given ?? noRows(dimensions)
  return {
    dimensions,
    get size() {
      return rows.size
    },
    ids: () => rows.ids.filter((id) => id !== ''),
    add(id, vector, key = '') {
      checkDimensions(vector, dimensions)
      rows.drop(id)
      rows.put(id, key, vector)
    },
    remove: (id) => rows.drop(id) >= 0,
    ...lookups(rows),
    nearest(vector, k) {
      checkDimensions(vector, dimensions)
      return k > 0 ? nearestRows(rows, vector, k) : []
    },
    save: (base, model) => saveRows(files, base, isSparse(rows) ? together(rows) : rows, model),
  }
}

/** The index at `base`; undefined where it is missing, damaged or of another model: then it is made anew. */
export function openExact(files: Files, base: string, model: string): VectorIndex | undefined {
  const read = readRows(files, base, model)
  return read && exactIndex(files, read.rows.dimensions, read.rows)
}

/** Finding a vector or its key by id, the same in every index over rows. */
export function lookups(rows: Rows): Pick<VectorIndex, 'vectorOf' | 'keyOf'> {
  return {
    vectorOf(id) {
      const row = rows.rowOf(id)
      return row === undefined ? undefined : rows.vectorAt(row).slice()
    },
    keyOf(id) {
      const row = rows.rowOf(id)
      return row === undefined ? undefined : rows.keys[row]
    },
  }
}

/** A bug of ours, not a person's: an embedder gave a vector of a length it does not have. */
export function checkDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return
  throw new RangeError(`a vector of ${vector.length} numbers, where the index has ${dimensions}`)
}
