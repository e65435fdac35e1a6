// bench hub: push, pull and search against a PostgreSQL server, in a schema of its own that is dropped at the end.
import os from 'node:os'
import { performance } from 'node:perf_hooks'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { BUILTIN_DIMENSIONS } from '../../src/embed/builtinEmbedder.ts'
import { median } from '../hooks/pairedTiming.ts'
import { benchPull, benchPush, type PullBenchResult, type PushBenchResult } from './benchHubPush.ts'
import { benchSearch, benchVectors, type FillResult, fillVectors, type SearchBenchResult } from './benchHubSearch.ts'

export interface HubBench {
  readonly url: string
  /** Changes that each measurement pushes. */
  readonly operations: number
  /** Changes per push. */
  readonly batch: number
  readonly machines: number
  /** Memories with a vector that are searched; 0 to leave the search out. */
  readonly memories: number
  readonly queries: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly showStep: (step: string) => void
}

export interface HubBenchResult {
  readonly conditions: Conditions
  readonly pushes: readonly PushBenchResult[]
  readonly pull: PullBenchResult
  readonly sizes: readonly TableSize[]
  readonly search?: {
    readonly memories: number
    readonly fill: FillResult
    readonly vectors: readonly SearchBenchResult[]
    /** Medians in milliseconds of a whole search. */
    readonly whole: Readonly<Record<'words' | 'vector' | 'both', number>>
  }
}

export interface Conditions {
  readonly server: string
  /** Settings of the server that matter for the times. */
  readonly settings: Readonly<Record<string, string>>
  readonly processor: string
  readonly cores: number
  /** Load average of the last minute, when the measurement began; 0 where the system has none. */
  readonly load: number
  /** Median of `select 1`. */
  readonly roundTripMs: number
}

export interface TableSize {
  readonly table: string
  readonly rows: number
  /** Per row, on disk: the table with its long values, and its indexes. */
  readonly tableBytes: number
  readonly indexBytes: number
}

const SETTINGS = ['fsync', 'synchronous_commit', 'shared_buffers', 'max_wal_size']
const PROJECT = 'bench'

/** What a bar wants, and whether this run reached it. */
export const PUSH_PER_SECOND_MIN = 5000
export const SEARCH_MS_MAX = 20

export async function benchHub(bench: HubBench): Promise<HubBenchResult> {
  const schema = `memctl_bench_${process.pid}`
  const outer = await open(bench, bench.url)
  await outer.query(`create schema ${schema}`)
  const url = new URL(bench.url)
  url.searchParams.set('options', `-csearch_path=${schema},public`)
  const database = await open(bench, url.href)
  try {
    // Without the right to create it, or without pgvector: no search by vector.
    await outer.query('create extension if not exists vector').catch(() => undefined)
    await migrate(database, { dimension: BUILTIN_DIMENSIONS })
    return await measure(database, bench)
  } finally {
    await database.close()
    await outer.query(`drop schema ${schema} cascade`)
    await outer.close()
  }
}

const open = ({ machines, env }: HubBench, url: string): Promise<Database> =>
  openDatabase({ url, env, maxConnections: machines + 1, statementTimeoutMs: 0 })

async function measure(database: Database, bench: HubBench): Promise<HubBenchResult> {
  const { operations, batch, machines, showStep } = bench
  const conditions = await readConditions(database)
  const pushes: PushBenchResult[] = []
  for (const [count, isOneProject] of [
    [1, true],
    [machines, true],
    [machines, false],
  ] as const) {
    showStep(`${count} machines push`)
    const project = `${PROJECT}-${count}-${isOneProject}`
    pushes.push(await benchPush(database, { project, operations, batch, machines: count, isOneProject }))
  }
  showStep('a new machine pulls')
  const pull = await benchPull(database, `${PROJECT}-1-true`, batch)
  const sizes = await readSizes(database)
  const hasVectors = (await database.query(`select 1 where to_regclass('hub_vectors') is not null`)).rowCount > 0
  if (bench.memories === 0 || !hasVectors) return { conditions, pushes, pull, sizes }
  const search = {
    project: `${PROJECT}-search`,
    memories: bench.memories,
    queries: bench.queries,
    onProgress: (done: number): void => showStep(`memories with vectors: ${done}`),
  }
  const fill = await fillVectors(database, search)
  showStep('search')
  const vectors = await benchVectors(database, search)
  const whole = await benchSearch(database, search)
  return { conditions, pushes, pull, sizes, search: { memories: bench.memories, fill, vectors, whole } }
}

async function readConditions(database: Database): Promise<Conditions> {
  const { rows } = await database.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value from unnest($1::text[]) as s(name)
      union all select 'version', version()`,
    [SETTINGS],
  )
  const { version = '', ...settings } = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  const times: number[] = []
  for (let i = 0; i < 50; i++) {
    const start = performance.now()
    await database.query('select 1')
    times.push(performance.now() - start)
  }
  return {
    server: version.split(' on ')[0] ?? '',
    settings,
    processor: os.cpus()[0]?.model.trim() ?? '',
    cores: os.availableParallelism(),
    load: os.loadavg()[0] ?? 0,
    roundTripMs: median(times),
  }
}

async function readSizes(database: Database): Promise<readonly TableSize[]> {
  const sizes: TableSize[] = []
  for (const table of ['hub_operations', 'hub_memories']) {
    const { rows } = await database.query<{ rows: string; table: string; index: string }>(
      `select count(*) as rows, pg_table_size('${table}') as table, pg_indexes_size('${table}') as index from ${table}`,
    )
    const count = Math.max(1, Number(rows[0]?.rows))
    const [tableBytes, indexBytes] = [Number(rows[0]?.table) / count, Number(rows[0]?.index) / count]
    sizes.push({ table, rows: count, tableBytes, indexBytes })
  }
  return sizes
}
