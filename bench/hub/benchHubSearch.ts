// How fast and how well the hub finds memories by vector: the HNSW index against the comparison of all vectors.
import { performance } from 'node:perf_hooks'
import type { Database } from '../../src/database/database.ts'
import {
  ADD_PROJECT,
  ADVANCE_PROJECT,
  MARK_VECTORS,
  WRITE_MEMORIES,
  WRITE_VECTORS,
} from '../../src/database/hub/hubSql.ts'
import { toVectorText } from '../../src/database/hub/hubVectors.ts'
import { createPostgresHub } from '../../src/database/hub/postgresHub.ts'
import { EF_SEARCH, searchVectors } from '../../src/database/hub/searchHub.ts'
import { extractTerms } from '../../src/text/terms/extractTerms.ts'
import { type Random, seededRandom } from '../fixture/seededRandom.ts'
import { randomSentence } from '../fixture/syntheticText.ts'
import { quantile } from '../hooks/pairedTiming.ts'
import { benchEmbedder, randomLesson, randomUuid } from './hubBenchData.ts'

export interface SearchBenchResult {
  /** The index's `ef_search`; undefined for the comparison of all vectors. */
  readonly efSearch: number | undefined
  readonly medianMs: number
  readonly p95Ms: number
  /** Of the 10 nearest, the share that was found. */
  readonly recall: number
  /** The one that `search` uses. */
  readonly isUsed: boolean
}

export interface SearchBench {
  readonly project: string
  readonly memories: number
  readonly queries: number
  readonly onProgress: (done: number) => void
}

export interface FillResult {
  readonly insertMs: number
  readonly indexMs: number
  readonly indexBytes: number
  readonly tableBytes: number
}

const NEAREST = 10
const ROWS = 1000

/** Writes memories with vectors, then makes the index over all of them, as a restore does: faster than one by one. */
export async function fillVectors(
  database: Database,
  { project, memories, onProgress }: SearchBench,
): Promise<FillResult> {
  const random = seededRandom(memories)
  const start = performance.now()
  await database.query('drop index hub_vectors_nearest')
  await database.query(ADD_PROJECT, [project])
  for (let done = 0; done < memories; done += ROWS) {
    await writeRows(database, project, random, Math.min(ROWS, memories - done))
    onProgress(done)
  }
  await database.query(ADVANCE_PROJECT, [project, 0, memories])
  const indexStart = performance.now()
  await database.transaction(async (connection) => {
    await connection.query(`set local maintenance_work_mem = '512MB'; set local statement_timeout = 0`)
    await connection.query(
      `create index hub_vectors_nearest on hub_vectors using hnsw (embedding vector_cosine_ops)
        with (m = 16, ef_construction = 64)`,
    )
  })
  const end = performance.now()
  for (const table of ['hub_vectors', 'hub_memories']) await database.query(`analyze ${table}`)
  const sizes = await database.query<{ index: string; table: string }>(
    `select pg_relation_size('hub_vectors_nearest') as index, pg_table_size('hub_vectors') as table`,
  )
  return {
    insertMs: indexStart - start,
    indexMs: end - indexStart,
    indexBytes: Number(sizes.rows[0]?.index),
    tableBytes: Number(sizes.rows[0]?.table),
  }
}

async function writeRows(database: Database, project: string, random: Random, count: number): Promise<void> {
  const lessons = Array.from({ length: count }, () => ({ id: randomUuid(random), fields: randomLesson(random) }))
  const ids = lessons.map(({ id }) => id)
  const contents = lessons.map(({ fields }) => fields.content)
  const states = lessons.map(({ fields }) => ({ puts: { bench: { n: 1, at: '', by: 'Bench', fields } } }))
  const terms = contents.map((content) => [...new Set(extractTerms(content))].join(' '))
  const kinds = lessons.map(({ fields }) => fields.kind)
  const json = states.map((state) => JSON.stringify(state))
  await database.query(WRITE_MEMORIES, [project, ids, json, kinds, terms])
  const vectors = benchEmbedder.embed(contents).map(toVectorText)
  await database.query(WRITE_VECTORS, [project, ids, vectors, benchEmbedder.id])
  await database.query(MARK_VECTORS, [project, ids, ids.map(() => 1), benchEmbedder.id])
}

/** Vectors alone, for several `ef_search`, then the comparison of all. */
export async function benchVectors(
  database: Database,
  { project, memories, queries }: SearchBench,
): Promise<readonly SearchBenchResult[]> {
  const random = seededRandom(7)
  const vectors = benchEmbedder.embed(Array.from({ length: queries }, () => randomSentence(random, 12)))
  const find = async (vector: Float32Array, count: number, efSearch?: number) => {
    const start = performance.now()
    const found = await database.transaction((connection) =>
      searchVectors(connection, project, {
        model: benchEmbedder.id,
        vector: [...vector],
        limit: NEAREST,
        memories: count,
        efSearch,
      }),
    )
    return { ms: performance.now() - start, ids: found.map(({ memory }) => memory) }
  }
  const exact: Set<string>[] = []
  const results: SearchBenchResult[] = []
  for (const efSearch of [undefined, 40, 100, 200, EF_SEARCH]) {
    // 0 memories: all vectors are compared.
    const run = (vector: Float32Array) => find(vector, efSearch === undefined ? 0 : memories, efSearch)
    for (const vector of vectors.slice(0, 5)) await run(vector)
    const times: number[] = []
    let found = 0
    for (const [i, vector] of vectors.entries()) {
      const { ms, ids } = await run(vector)
      times.push(ms)
      if (efSearch === undefined) exact.push(new Set(ids))
      found += ids.filter((id) => exact[i]?.has(id)).length
    }
    const recall = found / (queries * NEAREST)
    const isUsed = efSearch === EF_SEARCH
    results.push({ efSearch, medianMs: quantile(times, 0.5), p95Ms: quantile(times, 0.95), recall, isUsed })
  }
  return results
}

/** A whole search as `memory search --hub` makes it: by words, by vector, and both. */
export async function benchSearch(
  database: Database,
  { project, queries }: SearchBench,
): Promise<Readonly<Record<'words' | 'vector' | 'both', number>>> {
  const random = seededRandom(8)
  const texts = Array.from({ length: queries }, () => randomSentence(random, 8))
  const hub = createPostgresHub(database, { embedder: { model: benchEmbedder.id, embed: async () => [] } })
  const measure = async (hasWords: boolean, hasVector: boolean): Promise<number> => {
    const times: number[] = []
    for (const text of texts) {
      const terms = hasWords ? extractTerms(text) : []
      const vector = hasVector ? [...(benchEmbedder.embed([text])[0] ?? [])] : undefined
      const start = performance.now()
      await hub.search?.(project, { terms, vector, limit: NEAREST })
      times.push(performance.now() - start)
    }
    return quantile(times, 0.5)
  }
  return { words: await measure(true, false), vector: await measure(false, true), both: await measure(true, true) }
}
