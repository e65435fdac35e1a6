// The hub on PostgreSQL. It keeps no state of its own between two calls: each is one statement or one transaction, so
// it also works behind a pooler that gives every transaction another connection.
import { MemoryError } from '../../model/memoryError.ts'
import { FIRST_EPOCH, type Hub, type HubBatch, type HubDescription } from '../../team/hub.ts'
import type { Database } from '../database.ts'
import { DESCRIBE, LAST_PUSHED, PULL, READ_PROJECT } from './hubSql.ts'
import { checkVectors, type HubEmbedder, writeMissingVectors } from './hubVectors.ts'
import { type PageRow, toOperation } from './operationRow.ts'
import { type ProjectRow, pushOperations } from './pushOperations.ts'
import { searchHub } from './searchHub.ts'

export interface PostgresHubOptions {
  /** Makes the vectors of what is pushed, and is that of the queries' vectors. Without it, search is by words. */
  readonly embedder?: HubEmbedder | undefined
}

/** The hub of this database. `close` closes the database. */
export function createPostgresHub(database: Database, { embedder }: PostgresHubOptions = {}): Hub {
  let hasVectors = false
  return {
    describe: () => describeHub(database),
    async lastPushed(project, replica) {
      const { rows } = await database.query<{ n: string }>(LAST_PUSHED, [project, replica])
      return Number(rows[0]?.n ?? 0)
    },
    async push(project, operations, newEpoch) {
      // Where there are none yet, somebody may migrate the hub between two pushes.
      hasVectors ||= await checkVectors(database)
      const result = await pushOperations(database, { project, operations, hasVectors, newEpoch })
      if (embedder !== undefined && hasVectors && result.stored > 0)
        await tryToWriteVectors(database, project, embedder)
      return result
    },
    pull: (project, after, limit) => pullOperations(database, project, { after, limit }),
    async search(project, query) {
      hasVectors ||= await checkVectors(database)
      return searchHub(database, project, { ...query, model: hasVectors ? embedder?.model : undefined })
    },
    close: () => database.close(),
  }
}

async function describeHub(database: Database): Promise<HubDescription> {
  const { rows } = await database.query<HubDescription>(DESCRIBE)
  const [row] = rows
  if (row !== undefined) return row
  throw new MemoryError('DATABASE_VERSION', 'the database has no hub', {
    hint: 'Run `memctl hub migrate`, or ask the owner of the database to.',
  })
}

/** After the commit: an embedder may take seconds, and other pushes would wait for the project's lock. */
async function tryToWriteVectors(database: Database, project: string, embedder: HubEmbedder): Promise<void> {
  try {
    await writeMissingVectors(database, project, embedder)
  } catch {
    // The operations are stored, and search by words finds them. The next push with an embedder makes the vectors.
  }
}

async function pullOperations(
  database: Database,
  project: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<HubBatch> {
  // Before the page: one that is read while the epoch changes still counts as one of the earlier epoch.
  const [state] = (await database.query<ProjectRow>(READ_PROJECT, [project])).rows
  // One row more than wanted says whether there are more. Not all that were found come if they are long.
  const { rows } = await database.query<PageRow>(PULL, [project, after, limit + 1])
  const page = rows.slice(0, limit)
  return {
    operations: page.map(toOperation),
    through: Number(page.at(-1)?.position ?? after),
    more: Number(rows[0]?.found ?? 0) > page.length,
    epoch: state?.epoch ?? FIRST_EPOCH,
    last: Number(state?.lastPosition ?? 0),
  }
}
