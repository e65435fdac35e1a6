// The same database, used by another role: every call is a transaction with SET LOCAL ROLE.
import type { Queryable } from '../../../src/database/connectionPool.ts'
import type { Database } from '../../../src/database/database.ts'

/** PGlite has one session and one superuser, so a role is set for a transaction and not for a connection. */
export function asRole(database: Database, role: string): Database {
  const transaction = <T>(use: (connection: Queryable) => Promise<T>): Promise<T> =>
    database.transaction(async (connection) => {
      await connection.query(`set local role "${role}"`)
      return use(connection)
    })
  return {
    ...database,
    transaction,
    withConnection: transaction,
    query: (sql, parameters) => transaction((connection) => connection.query(sql, parameters)),
  }
}
