// The part of hnswlib-node that memctl uses: an optional package, which compiles only where there is a compiler.
declare module 'hnswlib-node' {
  export class HierarchicalNSW {
    constructor(space: 'ip', dimensions: number)
    initIndex(rowsMax: number, links: number, efConstruction: number, seed: number): void
    resizeIndex(rowsMax: number): void
    addPoint(vector: number[], row: number): void
    markDelete(row: number): void
    setEf(ef: number): void
    searchKnn(vector: number[], k: number): { readonly neighbors: readonly number[] }
    getCurrentCount(): number
    getMaxElements(): number
    writeIndexSync(file: string): void
    readIndexSync(file: string): void
  }
}
