// The hub is stopped in the middle of syncs: nothing is lost, nothing is there twice, and all machines agree.
// MEMCTL_LONG=1 stops each server 100 times.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { findPostgres, startRealServer } from '../realServer.ts'
import { startTestDatabase } from '../server.ts'
import { runCrashes } from './crashRun.ts'
import { startCuttingProxy } from './cuttingProxy.ts'
import { DIMENSION } from './hubServer.ts'

const isLong = process.env['MEMCTL_LONG'] === '1'
const SEED = Number(process.env['HUB_CRASH_SEED'] ?? 18)
/** A server that recovers on a machine with much else to do takes its time. */
const LIMIT_MS = isLong ? 600_000 : 120_000

describe('hub: stopped in the middle of a sync', () => {
  test(
    'crash: the connections are cut after any byte; every change is there once, and all machines agree',
    async () => {
      await using server = await startTestDatabase().then(disposable)
      const target = new URL(server.url)
      const proxy = await startCuttingProxy({ host: target.hostname, port: Number(target.port) })
      target.port = String(proxy.port)
      await using database = await openDatabase({ url: target.href, retries: 0 })
      await migrate(database, { dimension: DIMENSION })
      const stops = isLong ? 100 : 6
      const result = await runCrashes({ proxy, database, stops, seed: SEED })
      if (isLong) process.stderr.write(`cut ${stops} times: ${JSON.stringify(result)}\n`)
      expect(result.failed).toBeGreaterThan(0)
      await proxy.close()
    },
    LIMIT_MS,
  )

  const bin = findPostgres()
  test.skipIf(bin === undefined)(
    'crash: a real server that is killed after any byte, and recovers from its log, has every change once',
    async () => {
      const server = await startRealServer(bin ?? '')
      try {
        const proxy = await startCuttingProxy({ host: '127.0.0.1', port: server.port })
        const url = new URL(server.url({ host: '127.0.0.1', search: '?sslmode=disable' }))
        url.port = String(proxy.port)
        await using database = await openDatabase({ url: url.href, retries: 0 })
        await migrate(database, { dimension: DIMENSION, extensions: [] })
        const stops = isLong ? 100 : 2
        // By turns: the whole server at once, and one of its processes, after which it restarts by itself.
        const stop = (index: number): void => (index % 2 === 0 ? server.halt() : killBackends(server.folder))
        const start = async (): Promise<void> => {
          if (!fs.existsSync(path.join(server.folder, 'data', 'postmaster.pid'))) server.start()
          await waitForServer(url.href)
        }
        const result = await runCrashes({ proxy, database, stops, seed: SEED, stop, start })
        if (isLong) process.stderr.write(`killed ${stops} times: ${JSON.stringify(result)}\n`)
        expect(result.failed).toBeGreaterThan(0)
        await proxy.close()
      } finally {
        server.stop()
      }
    },
    LIMIT_MS,
  )
})

const disposable = <T extends { stop(): Promise<void> }>(server: T) => ({
  ...server,
  [Symbol.asyncDispose]: () => server.stop(),
})

/** SIGKILL to each process that serves a connection: the children of the server that are called so. */
function killBackends(folder: string): void {
  const parent = fs.readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isChild = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === parent
      const title = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (isChild && title.startsWith('postgres: postgres postgres')) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended between the two calls.
    }
  }
}

async function waitForServer(url: string): Promise<void> {
  for (let attempt = 0; attempt < 4000; attempt++) {
    await using database = await openDatabase({ url, retries: 0 })
    if (await database.healthCheck()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('the server did not start again')
}
