// The two stores of the agent-memory classes, for tests of what both must do.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  AgentMemory,
  type ConnectionOptions,
  DatabaseConnection,
  type EmbeddingClient,
  type MemoryRepository,
  type NewAgentMemory,
  Phase1Config,
} from '../../../src/index.ts'
import { startTestDatabase, type TestDatabase } from '../../database/server.ts'
import { newFolder } from '../../tempFolders.ts'

export const STORES = ['embedded', 'postgresql'] as const
export type StoreKind = (typeof STORES)[number]

export const AGENT = 'agent_01'
export const NOBODY = '00000000-0000-4000-8000-000000000000'

/** The length of the vectors in tests. */
export const DIMENSION = 3

export interface StoreUnderTest {
  /** Milliseconds since 1970; a test may change it. */
  now: number
  /** A program that uses a project's memories; closed after the test. */
  connect(project?: 'shop' | 'farm', options?: ConnectionOptions): DatabaseConnection
  readonly url: string
}

/** One server for a file: its start is most of the time of a test. */
let sharedServer: Promise<TestDatabase> | undefined
let serverUsers = 0

/** A store of this kind, empty for each test of the file. All of a file have vectors of one length. */
export function useStore(kind: StoreKind, embeddingDimension = DIMENSION): StoreUnderTest {
  let server: TestDatabase | undefined
  if (kind === 'postgresql') serverUsers += 1
  let home = ''
  let connections: DatabaseConnection[] = []
  beforeAll(async () => {
    if (kind === 'embedded') return
    sharedServer ??= startTestDatabase()
    server = await sharedServer
    await using connection = new DatabaseConnection({
      databaseUrl: server.url,
      env: { MEMCTL_HOME: newFolder('migrate') },
    })
    await connection.migrate(new Phase1Config({ embeddingDimension }))
  }, 60_000)
  beforeEach(async () => {
    home = newFolder('agents')
    store.now = Date.now()
    for (const project of ['shop', 'farm']) fs.mkdirSync(path.join(home, project))
    if (kind === 'embedded') return
    await store.connect().getCursor((cursor) => cursor.execute('truncate agent_memory, agent_sleep_log'))
  })
  afterEach(async () => {
    for (const connection of connections) await connection.close()
    connections = []
  })
  afterAll(async () => {
    if (!server || --serverUsers > 0) return
    sharedServer = undefined // The next file in this process starts its own.
    await server.stop()
  })
  const store: StoreUnderTest = {
    now: 0,
    get url() {
      return server?.url ?? ''
    },
    connect(project = 'shop', options = {}) {
      const connection = new DatabaseConnection({
        project: path.join(home, project),
        env: { MEMCTL_HOME: home },
        now: () => store.now,
        ...(server && { databaseUrl: server.url }),
        ...options,
      })
      connections.push(connection)
      return connection
    },
  }
  return store
}

/** Creates memories of the agent in one repository. */
export const createWith =
  (repository: MemoryRepository) =>
  (content: string, more: Partial<NewAgentMemory> = {}): Promise<AgentMemory> =>
    repository.create(AgentMemory.create({ agentId: AGENT, content, ...more }))

/** A client with the given vectors, so that a test decides which texts are near. */
export const clientOf = (vectors: Readonly<Record<string, readonly number[]>>): EmbeddingClient => ({
  getEmbedding: async (text) => vectors[text] ?? [0, 0, 1],
  getEmbeddings: async (texts) => texts.map((text) => vectors[text] ?? [0, 0, 1]),
  isAvailable: async () => true,
})

export const idsOf = (memories: readonly { readonly id: string }[]): string[] => memories.map(({ id }) => id)

/** The code of the error that a promise is rejected with. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: { code?: string; hint?: string }) => (error.hint ? String(error.code) : `without hint: ${error}`),
  )
