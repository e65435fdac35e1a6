// hnswlib-node, the native library behind the HNSW index. Optional: where it is missing, every search is exact.
//
// Processor time in a process just started, 10,000 vectors of 256 dimensions: loading the library 6 ms, opening vectors and graph
// 70 ms (reading 22 MB, the graph's check, its links), the first search 3 ms. Exactly: 17 ms to open, 9 ms to look at each. A hook
// has some milliseconds in all, so no hook loads either, and a command with one question asks without the graph. In a process that
// stays, such as the MCP server, a search takes 0.5 to 1 ms instead of 4.
import type * as Library from 'hnswlib-node'

export type HnswLibrary = Pick<typeof Library, 'HierarchicalNSW'>
export type HnswGraph = Library.HierarchicalNSW

let library: HnswLibrary | undefined

/** Loads the library, once; undefined where it is not installed or not built for this Node. */
export async function loadHnswLibrary(): Promise<HnswLibrary | undefined> {
  try {
    const module = await import('hnswlib-node')
    library = 'default' in module ? (module.default as HnswLibrary) : module
  } catch {
    library = undefined // An optional dependency: the exact index answers the same, only slower.
  }
  return library
}

/** The library, if this process has loaded it: organising is synchronous and cannot wait for an import. */
export const getLoadedHnsw = (): HnswLibrary | undefined => library
