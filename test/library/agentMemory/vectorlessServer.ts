// The table of agents on a real PostgreSQL without pgvector: the vector's type is a text there, and no index is made.
import { openDatabase } from '../../../src/database/database.ts'
import { AGENT_ACCESS, AGENT_MEMORY, AGENT_TERMS } from '../../../src/database/migrations/agentMemory.ts'
import { HUB_GUARDS, HUB_ROWS, HUB_TEAMWORK } from '../../../src/database/migrations/hubRows.ts'
import { type RealServer, startRealServer } from '../../database/realServer.ts'

/** Starts the server, with the tables of agents and the rights on them. The programs of PostgreSQL are in `bin`. */
export async function startVectorlessServer(bin: string): Promise<RealServer> {
  const server = await startRealServer(bin)
  await using database = await openDatabase({ url: urlOf(server) })
  await database.query('create domain vector as text')
  for (const { statements } of [AGENT_MEMORY, HUB_ROWS, AGENT_ACCESS, HUB_TEAMWORK, AGENT_TERMS, HUB_GUARDS]) {
    const all = typeof statements === 'function' ? statements({ dimension: 1 }) : statements
    for (const sql of all)
      if (!/create extension|using hnsw/.test(sql)) await database.query(sql.replace('vector(1)', 'vector'))
  }
  return server
}

export const urlOf = (server: RealServer, parts: { user?: string; password?: string } = {}): string =>
  server.url({ ...parts, search: '?sslmode=disable' })
