// bench vectors: the vector index with and without its graph: time to make, to open and to search it, and how many of
// the ten nearest it finds.
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { toUnitVector } from '../../src/model/ports.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import {
  createVectorIndex,
  type HnswLibrary,
  loadHnswLibrary,
  openVectorIndex,
} from '../../src/store/vectors/vectorIndex.ts'
import { seededRandom } from '../fixture/seededRandom.ts'
import { createTempHome } from '../fixture/tempHome.ts'

interface VectorOptions {
  readonly vectors: number
  readonly dimensions: number
  readonly runs: number
  readonly json?: boolean
}

interface VectorResult {
  readonly search: 'exact' | 'graph'
  readonly buildMs: number
  readonly openMs: number
  readonly firstMs: number
  readonly medianMs: number
  /** Share of the ten nearest that it finds, 0 to 1. */
  readonly recall: number
}

/** Texts are about some subjects: vectors are spread around as many centres. */
const CENTRES = 200
const SPREAD = 0.8
const NEAREST = 10

export function registerVectors(program: Command, io: CliContext): void {
  program
    .command('vectors')
    .description('search by vectors, exact and with the graph of hnswlib-node')
    .option('--vectors <n>', 'how many', integerOption(100), 10_000)
    .option('--dimensions <n>', 'of a vector', integerOption(8), 256)
    .option('--runs <n>', 'searches', integerOption(1), 200)
    .option('--json', 'print one line of JSON')
    .action(async (options: VectorOptions) => {
      const results = await benchVectors(options)
      printResult(io, options.json, { ...options, results }, () => results.map(formatResult))
    })
}

const formatResult = ({ search, buildMs, openMs, firstMs, medianMs, recall }: VectorResult): string =>
  `${search}: made in ${(buildMs / 1000).toFixed(1)} s, opened in ${openMs.toFixed(0)} ms, first search ` +
  `${firstMs.toFixed(1)} ms, median ${medianMs.toFixed(2)} ms, finds ${(100 * recall).toFixed(1)} %`

async function benchVectors({ vectors: count, dimensions, runs }: VectorOptions): Promise<VectorResult[]> {
  using folder = createTempHome('vectors')
  const makeVector = vectorSource(dimensions)
  const vectors = Array.from({ length: count }, makeVector)
  const queries = Array.from({ length: runs }, makeVector)
  const right: string[][] = []
  const results: VectorResult[] = []
  const hnsw = await loadHnswLibrary(undefined)
  for (const library of [undefined, hnsw]) {
    if (library === undefined && results.length > 0) continue
    const base = path.join(folder.path, library ? 'graph' : 'exact')
    const buildMs = timeOf(() => build(base, vectors, library))
    const opened = { index: openVectorIndex(realDisk, base, 'bench', library) }
    const openMs = timeOf(() => {
      opened.index = openVectorIndex(realDisk, base, 'bench', library)
    })
    const { index } = opened
    if (!index) throw new Error('The index was not written')
    let found = 0
    const times = queries.map((query, i) => {
      const began = performance.now()
      const ids = index.nearest(query, NEAREST).map(({ id }) => id)
      const ms = performance.now() - began
      right[i] ??= ids
      found += ids.filter((id) => right[i]?.includes(id)).length
      return ms
    })
    const medianMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    const recall = found / (NEAREST * queries.length)
    results.push({ search: library ? 'graph' : 'exact', buildMs, openMs, firstMs: times[0] ?? 0, medianMs, recall })
  }
  return results
}

function build(base: string, vectors: readonly Float32Array[], hnsw: HnswLibrary | undefined): void {
  const index = createVectorIndex(realDisk, vectors[0]?.length ?? 0, { hnsw })
  for (const [i, vector] of vectors.entries()) index.add(String(i), vector)
  index.save(base, 'bench', Number.POSITIVE_INFINITY)
}

function timeOf(run: () => void): number {
  const began = performance.now()
  run()
  return performance.now() - began
}

/** Vectors around centres: of length 1, the same every time. */
function vectorSource(dimensions: number): () => Float32Array {
  const chance = seededRandom(7)
  const random = (): number => chance.below(2_000) / 1_000 - 1
  const centres = Array.from({ length: CENTRES }, () => Array.from({ length: dimensions }, random))
  return () => {
    const centre = centres[chance.below(CENTRES)] ?? []
    return toUnitVector(centre.map((value) => value + SPREAD * random()))
  }
}
