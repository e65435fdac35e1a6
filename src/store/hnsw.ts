// hnswlib-node, the native library behind the HNSW index. Optional: where it is missing, every search is exact.
//
// Measured in a process just started, 10,000 vectors of 256 dimensions (2 cores at 2 GHz): loading the library 2.4 ms, its index
// file 15.4 ms, one search 0.5 ms; the same exactly, 5.7 ms to read the vectors and 9 ms to look at each. A hook has some
// milliseconds in all, so no hook loads either; in a process that stays, such as the MCP server, a search is 10 times faster.
import type * as Library from 'hnswlib-node'

export type Hnsw = Pick<typeof Library, 'HierarchicalNSW'>
export type Graph = Library.HierarchicalNSW

let library: Hnsw | undefined

/** Loads the library, once; undefined where it is not installed or not built for this Node. */
export async function loadHnsw(): Promise<Hnsw | undefined> {
  try {
    const module = await import('hnswlib-node')
    library = 'default' in module ? (module.default as Hnsw) : module
  } catch {
    library = undefined // An optional dependency: the exact index answers the same, only slower.
  }
  return library
}

/** The library, if this process has loaded it: organising is synchronous and cannot wait for an import. */
export const loadedHnsw = (): Hnsw | undefined => library
