// bench hub: what a project on the hub costs: to join it with many memories, to send one, to receive them, to meet one
// memory in many copies. In a schema of its own that is dropped again.
import type { Command } from 'commander'
import { openStore } from '../../src/broker/open/openStore.ts'
import { joinTeam } from '../../src/broker/team/membership.ts'
import { newMachineId } from '../../src/broker/team/syncProjects.ts'
import { syncStore } from '../../src/broker/team/syncStore.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption, withJsonOption } from '../../src/cli/context/storeOption.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createPostgresHub, HUB_VERSIONS } from '../../src/database/postgresHub.ts'
import type { MemoryId } from '../../src/model/id.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { formatBytes, formatNumber } from '../../src/report/formatNumber.ts'
import type { Hub, HubMember, SharedFields, TeamChanges } from '../../src/team/teamRow.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { describeMachine } from '../hooks/benchOptions.ts'
import { measureMs } from '../hooks/pairedTiming.ts'

interface HubBenchOptions {
  readonly url: string
  readonly memories: number
  readonly copies: number
  readonly json?: boolean
}

interface HubBenchResult {
  readonly memories: number
  readonly copies: number
  readonly sendMs: number
  readonly sendOneMs: number
  readonly receiveMs: number
  /** Processor time of a new machine that joins, until hooks can read all; and the most memory of this process. */
  readonly joinCpuMs: number
  readonly memoryMaxBytes: number
  /** Bytes on disk, with indexes: of a memory with the counts of one copy; and of the counts of one more copy. */
  readonly memoryBytes: number
  readonly copyBytes: number
}

/** Rows of one push, as the product has it. */
const BATCH = 200

/** Who has sent the memories: of one person a machine takes 16 MB. */
const AUTHORS = 10

export function registerHub(program: Command, io: CliContext): void {
  withJsonOption(program.command('hub').description('push and pull of the hub, with generated data'))
    .requiredOption('--url <url>', 'a server for generated data, in a schema that is dropped again')
    .option('--memories <n>', 'number of memories that are sent and received', integerOption(1), 10_000)
    .option('--copies <n>', 'number of copies of the project that meet one memory', integerOption(1), 500)
    .action((options: HubBenchOptions) => runBenchHub(options, io))
}

/** Only a server that is named, never that of config.yaml: the bench would slow down a team. */
async function runBenchHub({ url, memories, copies, json }: HubBenchOptions, io: CliContext): Promise<void> {
  const measured = await inOwnSchema(url, io, (database) => measure(database, memories, copies))
  printResult(io, json, { ...describeMachine(), ...measured }, formatBench)
}

/** It must not exist: one that a bench has left is dropped by a person. */
const SCHEMA = 'memctl_bench'

/**
 * With a search path of nothing but a new schema. Throws DATABASE_VERSION if tables of a hub can be seen from there: a
 * team's data is never written to.
 */
async function inOwnSchema<T>(url: string, io: CliContext, use: (database: Database) => Promise<T>): Promise<T> {
  await using outside = await openDatabase({ url, env: io.env, maxConnections: 1 })
  await outside.query(`create schema ${SCHEMA}`)
  const options = encodeURIComponent(`-c search_path=${SCHEMA}`)
  await using database = await openDatabase({
    url: `${url}${url.includes('?') ? '&' : '?'}options=${options}`,
    env: io.env,
    maxConnections: 1,
    statementTimeoutMs: 0,
  })
  try {
    await database.query(`set search_path = ${SCHEMA}`)
    const { rows } = await database.query<{ found: string | null }>(`select to_regclass('hub_projects')::text as found`)
    if (rows[0]?.found !== null) {
      throw new MemoryError('DATABASE_VERSION', 'the bench would see the tables of a hub', {
        hint: 'Name a server without a hub.',
      })
    }
    return await use(database)
  } finally {
    await database.query(`drop schema ${SCHEMA} cascade`)
  }
}

async function measure(database: Database, memories: number, copies: number): Promise<HubBenchResult> {
  // Without the steps for pgvector: its types are in another schema.
  await migrate(database, { dimension: 8, extensions: [] })
  const hub = createPostgresHub(database)
  const sendMs = await measureMs(async () => {
    for (let n = 0; n < memories; n += BATCH)
      await hub.push(member(1 + ((n / BATCH) % AUTHORS)), changesOf(n, Math.min(memories, n + BATCH)))
  })
  const memoryBytes = (await sizeOf(database)) / memories
  const sendOneMs = await measureMs(() => hub.push(member(1), changesOf(memories, memories + 1)))
  const receiveMs = await measureMs(() => receiveAll(hub, member(AUTHORS + 1)))
  const joinCpuMs = await joinOnce(hub)
  const memoryMaxBytes = process.resourceUsage().maxRSS * 1024
  const before = await sizeOf(database)
  const { counts } = changesOf(0, 1)
  for (let n = 0; n < copies; n++) await hub.push(member(n + AUTHORS + 2), { rows: [], counts, withdrawn: [] })
  const copyBytes = ((await sizeOf(database)) - before) / copies
  return { memories, copies, sendMs, sendOneMs, receiveMs, joinCpuMs, memoryMaxBytes, memoryBytes, copyBytes }
}

/** A new machine joins and receives everything: the processor time of it in milliseconds. */
async function joinOnce(hub: Hub): Promise<number> {
  using folder = createTempHome('join')
  const home = folder.path
  const store = openStore(home, { HOME: home, MEMCTL_HOME: `${home}/.memctl` })
  const before = process.cpuUsage()
  const now = Date.now()
  await joinTeam(store, { hub, project: 'bench', name: 'Person 0', now, newId: newMachineId })
  await syncStore(store, { hub, versions: HUB_VERSIONS, now: Date.now, newId: newMachineId })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function receiveAll(hub: Hub, reader: HubMember): Promise<void> {
  for (let after = 0; ; ) {
    const page = await hub.pull(reader, after, [])
    if (!page.more) return
    after = page.through
  }
}

async function sizeOf(database: Database): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(
    `select pg_total_relation_size('hub_rows') + pg_total_relation_size('hub_counts') as bytes`,
  )
  return Number(rows[0]?.bytes ?? 0)
}

const uuid = (kind: string, n: number): string => `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`

const member = (n: number): HubMember => ({ project: 'bench', replica: uuid('a', n), name: `Person ${n}` })

function changesOf(from: number, to: number): TeamChanges {
  const ids = Array.from({ length: to - from }, (_, i) => from + i)
  const memoryOf = (n: number): MemoryId => uuid('e', n) as MemoryId
  return {
    rows: ids.map((n) => {
      const fields = fieldsOf(n)
      return { memory: memoryOf(n), base: 0, state: 'active', fields, successor: null, seen: '' }
    }),
    counts: ids.map((n) => ({ memory: memoryOf(n), counts: { sessions: 1, met: 1, uses: n % 7 }, own: true })),
    withdrawn: [],
  }
}

function fieldsOf(n: number): SharedFields {
  const line = `Run \`npm run build:${n}\` before \`npm test\`: otherwise it fails with a missing module in part ${n}`
  const signature = `bash|npm test: cannot find module ${n}`
  return {
    kind: 'lesson',
    content: line,
    lessons: [],
    tags: ['npm'],
    files: [`src/part${n}.ts`],
    errorSignature: signature,
    outcome: 'success',
    scope: 'project',
    role: 'main',
    trust: 'tools',
    contentType: 'text',
    source: 'task',
    learnings: {},
    created: '2026-01-05T10:00:00.000Z',
    updated: '2026-01-05T10:00:00.000Z',
    privacy: 'public',
    retention: 'long_term',
    importance: 0.5,
    knowledge: { type: 'lesson', scope: 'project', state: 'standing', line, when: [{ at: 'failure', signature }] },
  }
}

function formatBench(result: HubBenchResult): string[] {
  const perSecond = (ms: number): string => formatNumber(Math.round((1000 * result.memories) / ms))
  const count = formatNumber(result.memories)
  return [
    `${count} memories sent in ${(result.sendMs / 1000).toFixed(1)} s (${perSecond(result.sendMs)} per second), ` +
      `received in ${(result.receiveMs / 1000).toFixed(1)} s (${perSecond(result.receiveMs)} per second)`,
    `one more sent in ${result.sendOneMs.toFixed(0)} ms`,
    `a machine joins in ${(result.joinCpuMs / 1000).toFixed(1)} s of processor time (this process has had ` +
      `${formatBytes(result.memoryMaxBytes)} of memory at most)`,
    `a memory takes ${formatBytes(result.memoryBytes)}, and ${formatBytes(result.copyBytes)} more for each copy that ` +
      `has met it (${formatNumber(result.copies)} were tried)`,
  ]
}
