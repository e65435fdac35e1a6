// A PostgreSQL for tests: PGlite with pgvector behind its socket server, or the one of MEMCTL_TEST_DATABASE_URL.
//
// PGlite is one PostgreSQL process without others beside it. Its socket server accepts many connections and runs their
// statements one after the other (sessionQueue.ts); a connection in a transaction has the server for itself until the
// transaction ends, and a connection that is lost is rolled back. What follows from that:
//
// - Statements of several connections never run at the same time. A client that holds a transaction open makes all
//   others wait, so a test that waits inside of one transaction for another connection never ends.
// - There is one session: SET, SET ROLE, search_path, temporary tables, prepared names and session-level advisory locks
//   are those of all connections. Use SET LOCAL, and pg_advisory_xact_lock (which never waits here).
// - Everybody is the superuser postgres, whatever user the URL names; a password is not checked. Row-level security is
//   tested with SET LOCAL ROLE.
// - There is no encryption, no statement_timeout, no cancel request; LISTEN does not reach other connections.
//
// Tests of those run against a real server: realServer.ts.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { openDatabase } from '../../src/database/database.ts'
import { keepStatementsTogether } from './sessionQueue.ts'

export interface TestDatabase {
  readonly url: string
  /** Ends every connection at once, as a server that crashes. What was not committed is lost; new connections work. */
  killConnections(): Promise<void>
  /** Accepts connections and passes nothing on, as a server that hangs, until `resumeServer`. */
  pauseServer(): void
  resumeServer(): void
  /** Refuses connections until `resumeServer`, and ends those that are open. */
  downServer(): Promise<void>
  stop(): Promise<void>
}

const CONNECTIONS_MAX = 200

/** Starts a database of its own for the caller. `stop` removes it. What is made once for many is in the folder. */
export async function startTestDatabase(folder = os.tmpdir()): Promise<TestDatabase> {
  const given = process.env['MEMCTL_TEST_DATABASE_URL']
  return given ? startInSchema(given) : startPglite(folder)
}

async function startPglite(folder: string): Promise<TestDatabase> {
  const pglite = await PGlite.create({ extensions: { vector }, loadDataDir: new Blob([await initialData(folder)]) })
  const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0, maxConnections: CONNECTIONS_MAX })
  keepStatementsTogether(server, pglite)
  await server.start()
  const [host = '', port] = server.getServerConn().split(':')
  const proxy = await startProxy({ host, port: Number(port) })
  return {
    ...proxy,
    url: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres?sslmode=disable`,
    async stop() {
      await proxy.stop()
      await server.stop()
      await pglite.close()
    },
  }
}

/** The data folder of a new server, made once in a test run: initdb takes most of the time of a start. */
async function initialData(folder: string): Promise<Buffer> {
  // In a test run the folder is that of the run, so that all test files share it.
  const file = path.join(folder, 'pglite.tar')
  if (!fs.existsSync(file)) {
    const pglite = await PGlite.create()
    const data = await pglite.dumpDataDir('none')
    await pglite.close()
    const part = `${file}.${randomUUID()}`
    fs.writeFileSync(part, Buffer.from(await data.arrayBuffer()))
    fs.renameSync(part, file)
  }
  return fs.readFileSync(file)
}

/** A schema of its own on a server that exists. */
async function startInSchema(url: string): Promise<TestDatabase> {
  const schema = `memctl_test_${randomUUID().replaceAll('-', '')}`
  const run = async (sql: string): Promise<void> => {
    await using database = await openDatabase({ url })
    await database.query(sql)
  }
  await run(`create schema ${schema}`)
  const target = new URL(url)
  const proxy = await startProxy({ host: target.hostname, port: Number(target.port || 5432) })
  target.hostname = '127.0.0.1'
  target.port = String(proxy.port)
  // Types of extensions stay visible: they are in public.
  const options = `options=${encodeURIComponent(`-c search_path=${schema},public`)}`
  target.search = target.search ? `${target.search}&${options}` : `?${options}`
  return {
    ...proxy,
    url: target.href,
    async stop() {
      await proxy.stop()
      await run(`drop schema ${schema} cascade`)
    },
  }
}

/** Passes bytes between clients and the server, until it is asked to stop that. */
async function startProxy(to: { readonly host: string; readonly port: number }) {
  const sockets = new Set<net.Socket>()
  let isDown = false
  let isPaused = false
  const server = net.createServer((client) => {
    if (isDown) return void client.destroy()
    const upstream = net.connect(to.port, to.host)
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => into.destroy())
        .on('close', () => {
          sockets.delete(from)
          into.destroy()
        })
      from.pipe(into)
    }
    if (isPaused) client.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const killConnections = async (): Promise<void> => {
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
  }
  return {
    port,
    killConnections,
    pauseServer() {
      isPaused = true
      for (const socket of sockets) socket.pause()
    },
    resumeServer() {
      isPaused = false
      isDown = false
      for (const socket of sockets) socket.resume()
    },
    async downServer() {
      isDown = true
      await killConnections()
    },
    async stop() {
      await killConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
