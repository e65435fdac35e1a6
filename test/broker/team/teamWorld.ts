// Machines of a team in temporary folders, with a hub in PostgreSQL: real stores, real hook handlers, the real sync.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { commitEvents, systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { joinTeam } from '../../../src/broker/team/membership.ts'
import { type SyncReport, syncStore } from '../../../src/broker/team/syncStore.ts'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createPostgresHub, HUB_VERSIONS } from '../../../src/database/postgresHub.ts'
import type { EventBody } from '../../../src/model/event.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { type Knowledge, type KnowledgeScope, newKnowledgeRecord } from '../../../src/model/knowledge.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import type { Hub } from '../../../src/team/teamRow.ts'
import { startTestDatabase, type TestDatabase } from '../../database/server.ts'
import { newFolder } from '../../tempFolders.ts'
import {
  BEGIN,
  buildMemory,
  DAY,
  type ExampleSession,
  exampleSession,
  iso,
  loadMemories,
  runHookPayloads,
} from '../../testData.ts'

export interface Machine {
  readonly name: string
  readonly folder: string
  readonly home: string
  readonly root: string
  readonly store: Store
}

/** A project on a hub: every test has one of its own. */
export interface TeamHub {
  readonly hub: Hub
  readonly project: string
  readonly database: Database
}

/** One hub for the tests of a file. */
export function useHub(): () => TeamHub {
  let server: TestDatabase
  let database: Database
  let projects = 0
  beforeAll(async () => {
    server = await startTestDatabase()
    database = await openDatabase({ url: server.url })
    await migrate(database, { dimension: 8 })
  }, 300_000)
  afterAll(async () => {
    await database.close()
    await server.stop()
  })
  return () => ({
    hub: { ...createPostgresHub(database), close: async () => undefined },
    project: `example.com/shop-${++projects}`,
    database,
  })
}

let uuids = 0

/** UUIDs that no two machines of a test share. */
export const newUuid = (): string => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`

export function newMachine(name: string, files: Files = realDisk): Machine {
  const folder = newFolder()
  const root = path.join(folder, 'shop')
  fs.mkdirSync(root)
  const home = path.join(folder, '.memctl')
  return { name, folder, home, root, store: openStore(root, { HOME: folder, MEMCTL_HOME: home }, files) }
}

export const join = ({ store, name }: Machine, { hub, project }: Omit<TeamHub, 'database'>, now = BEGIN) =>
  joinTeam(store, { hub, project, name, now, newId: newUuid })

/** An exchange, and the snapshot that the next worker writes. */
export async function sync({ store }: Machine, { hub }: Pick<TeamHub, 'hub'>, now = BEGIN + DAY): Promise<SyncReport> {
  const report = await syncStore(store, { hub, versions: HUB_VERSIONS, now: () => now, newId: newUuid })
  runMaintenance(store, { now, sessions: [] })
  return report
}

/** Machines of a team that have joined a new project. */
export async function newTeam<Names extends readonly string[]>(team: TeamHub, ...names: Names) {
  const machines = names.map((name) => newMachine(name))
  for (const machine of machines) await join(machine, team)
  return machines as { [Name in keyof Names]: Machine }
}

/** Everything that the hub has of a project, as text. */
export async function hubText({ database, project }: TeamHub): Promise<string> {
  const { rows } = await database.query('select r.* from hub_rows r where r.project_id = $1 order by r.revision', [
    project,
  ])
  return JSON.stringify(rows)
}

/** Runs a session through the real handlers, and the worker after it. Returns what each hook injected. */
export function live({ store, root }: Machine, session: ExampleSession): string[] {
  const outputs = runHookPayloads(store, session.recorded, root)
  runMaintenance(store, { now: session.now() })
  refreshRecent(store, session.now())
  return outputs.map(({ context }) => context ?? '')
}

export const FAILED = "Error: Cannot find module '../dist/prices.json'\nRequire stack:\n- /src/prices.js"

/** A session in which `npm test` fails because the prices are not built. */
export const learnsPrices = (id: string, start = BEGIN): ExampleSession =>
  exampleSession(id, start)
    .starts()
    .asks('Please make the tests of the shop pass.')
    .fails('npm test', FAILED)
    .runs('npm run build:prices', 'wrote dist/prices.json')
    .runs('npm test', 'ok')
    .answers('The tests pass now.')
    .ends()

/** What a session is shown when it meets the same error. */
export const meetsPrices = (id: string, start: number): ExampleSession =>
  exampleSession(id, start).starts().asks('Run the tests of the shop.').fails('npm test', FAILED)

export const memoriesOf = ({ store }: Machine): Memory[] => Object.values(loadMemories(store))

export const lessonOf = (machine: Machine): Memory | undefined =>
  memoriesOf(machine).find(({ kind, content }) => kind === 'lesson' && content.includes('build:prices'))

/** Changes a machine's store as a tool or a command does, and writes the snapshot. */
export function change({ store }: Machine, now: number, ...bodies: readonly EventBody[]): void {
  commitEvents(
    store,
    bodies.map((body, i) => systemEvent(body, { now, key: [String(i)] })),
  )
  runMaintenance(store, { now, sessions: [] })
}

export const saidRule = (line: string, scope: KnowledgeScope = 'project'): Knowledge => ({
  ...{ type: 'rule', scope, author: 'person', state: 'standing', asked: true, line, quote: line, when: [] },
  record: newKnowledgeRecord(iso(BEGIN), undefined),
})

/** A statement that a person has typed. */
export const statementOf = (n: number, text: string, given: Partial<Memory> = {}): Memory =>
  buildMemory(n, {
    kind: 'preference',
    content: text,
    trust: 'user',
    privacy: 'public',
    retention: 'long_term',
    knowledge: saidRule(text),
    ...given,
  })

/** The memories that a team shares, without what belongs to one machine. */
export const sharedView = (machine: Machine): { readonly id: MemoryId; readonly content: string }[] =>
  memoriesOf(machine)
    .filter(({ team }) => team !== undefined)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, kind, content, status, accessCount, sessionCount, team }) => ({
      ...{ id, kind, content, status, accessCount, sessionCount },
      ...{ by: team?.by, people: team?.people, replicas: team?.replicas },
    }))

/** All memories and the team's state as the log gives them. */
export function rebuilt({ store }: Machine, now: number): unknown {
  const before = snapshotOf(store)
  rebuildStore(store, now)
  return { before, after: snapshotOf(store) }
}

const snapshotOf = (store: Store): unknown => {
  const { projection } = loadProjection(store)
  const memories = [...projection.memories.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const { unsent: _, file: __, ...team } = projection.team!
  return JSON.parse(JSON.stringify({ memories, team: { ...team, entries: [...team.entries].sort() } }))
}
