// Opens the configured hub. The driver of the database is loaded here, and nowhere before.
import { randomUUID } from 'node:crypto'
import type { HubConfig } from '../hub/hubConfig.ts'
import type { OpenedHub } from './syncStore.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A statement that takes longer is given up, in milliseconds: a slow hub must not hold the background process. */
const STATEMENT_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 8_000

/** The hub on PostgreSQL; nothing is sent before its first call. Throws DATABASE_DRIVER_MISSING and INPUT_INVALID. */
export async function openHub({ url }: Pick<HubConfig, 'url'>, env: Env): Promise<OpenedHub> {
  const [{ openDatabase }, { createPostgresHub }, { HUB_VERSIONS }] = await Promise.all([
    import('../../database/database.ts'),
    import('../../database/hub/postgresHub.ts'),
    import('../../database/migrations/migrations.ts'),
  ])
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS, retries: 1 }
  const database = await openDatabase({ url, env, minConnections: 0, maxConnections: 2, ...limits })
  return { hub: createPostgresHub(database), versions: HUB_VERSIONS }
}

/** The id of a copy of a store: a random UUID, so that no two copies have the same. */
export const newMachineId = (): string => randomUUID()
