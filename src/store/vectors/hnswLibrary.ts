// Loads hnswlib-node, the native library of the HNSW index. Optional: without it every search is exact.
//
// CPU time in a new process with 10,000 vectors of 256 dimensions: 6 ms to load the library, 70 ms to open vectors and
// graph (22 MB, checksum, links), 3 ms for the first search. The exact index takes 17 ms to open and 9 ms to search.
// So no hook loads either, and a command with one query does not load the graph. In a long process such as the MCP
// server a search takes 0.5 to 1 ms instead of 4.
import type * as Library from 'hnswlib-node'

export type HnswLibrary = Pick<typeof Library, 'HierarchicalNSW'>
export type HnswGraph = Library.HierarchicalNSW

let library: HnswLibrary | undefined

/** Loads the library; undefined if it is not installed or not built for this version of Node. */
export async function loadHnswLibrary(): Promise<HnswLibrary | undefined> {
  try {
    const module = await import('hnswlib-node')
    library = 'default' in module ? (module.default as HnswLibrary) : module
  } catch {
    library = undefined // An optional dependency: the exact index gives the same results, only slower.
  }
  return library
}

/** The library, if this process has loaded it. For synchronous code, which cannot wait for an import. */
export const getLoadedHnsw = (): HnswLibrary | undefined => library
