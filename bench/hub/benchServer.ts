// The server of `bench hub` without --url: PGlite with pgvector, a PostgreSQL from npm, in a process of its own.
import { spawn } from 'node:child_process'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { MemoryError } from '../../src/model/memoryError.ts'

export interface BenchServer {
  readonly url: string
  stop(): void
}

// It ends with its parent, because then its stdin is closed.
const SCRIPT = `
  import { PGlite } from '@electric-sql/pglite'
  import { vector } from '@electric-sql/pglite-pgvector'
  import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
  const db = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 50 })
  await server.start()
  process.stdout.write(server.getServerConn() + '\\n')
  process.stdin.on('end', () => process.exit(0)).resume()
`

/** Throws NOT_FOUND if the packages are not installed: then a server has to be named. */
export async function startBenchServer(): Promise<BenchServer> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: readPackageInfo().root,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(0, 2000)
  })
  const address = await new Promise<string | undefined>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()))
    child.once('exit', () => resolve(undefined))
  })
  if (address === undefined) {
    throw new MemoryError('NOT_FOUND', 'PGlite, the PostgreSQL of the tests, did not start', {
      hint: 'Name a server that may be filled with generated data: --url postgresql://USER@HOST/DATABASE.',
      cause: new Error(said),
    })
  }
  const url = `postgresql://postgres@${address}/postgres?sslmode=disable`
  return { url, stop: () => child.stdin.end() }
}
