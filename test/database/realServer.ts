// A real PostgreSQL for what PGlite does not have: encryption, passwords, timeouts, restarts, concurrent sessions.
//
// It starts the programs of this machine (Debian: /usr/lib/postgresql/*/bin, or MEMCTL_TEST_POSTGRES_BIN) in a
// temporary folder, on a free port of the loopback interface. It has no pgvector. Tests without it are skipped.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

export interface RealServer {
  readonly port: number
  /** Certificates and keys: ca.crt, other-ca.crt, client.crt, client.key. */
  readonly folder: string
  /** A URL with user, password, database and parameters. */
  url(parts?: { user?: string; password?: string; host?: string; database?: string; search?: string }): string
  /** Runs SQL as the superuser. */
  sql(text: string): void
  restart(): void
  start(): void
  halt(): void
  /** Ends the server and removes its folder. */
  stop(): void
}

export const SUPERUSER_PASSWORD = 'pa:ss@/?#% 語'

const DEBIAN = '/usr/lib/postgresql'

/** The folder of initdb and pg_ctl; undefined without PostgreSQL or openssl on this machine. */
export function findPostgres(): string | undefined {
  const versions = fs.existsSync(DEBIAN) ? fs.readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env['MEMCTL_TEST_POSTGRES_BIN'], ...versions.map((name) => `${DEBIAN}/${name}/bin`)]
  const found = folders.find((folder) => folder && fs.existsSync(path.join(folder, 'initdb')))
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0
  return hasOpenssl && accountForServer() !== undefined ? found : undefined
}

/** PostgreSQL refuses to run as root: then it runs as the account that its package has made. */
function accountForServer(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres']).stdout.toString())
  const uid = idOf('-u')
  return uid > 0 ? { uid, gid: idOf('-g') } : undefined
}

const HBA = `local all all trust
hostssl all certified 127.0.0.1/32 cert
host all certified all reject
hostssl all encrypted all scram-sha-256
host all encrypted all reject
host all all all scram-sha-256
`

export async function startRealServer(bin: string): Promise<RealServer> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'memctl-postgres-'))
  const account = accountForServer() ?? {}
  fs.chmodSync(folder, 0o755)
  const data = path.join(folder, 'data')
  fs.mkdirSync(data)
  makeCertificates(folder)
  if (account.uid !== undefined) for (const name of ['', 'data', 'server.key', 'pg.log']) own(path.join(folder, name))
  function own(file: string): void {
    if (!fs.existsSync(file)) fs.writeFileSync(file, '')
    fs.chownSync(file, account.uid ?? 0, account.gid ?? 0)
  }
  const port = await freePort()
  const run = (program: string, ...words: readonly string[]): void =>
    void execFileSync(path.join(bin, program), words, { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  fs.writeFileSync(path.join(folder, 'password'), `${SUPERUSER_PASSWORD}\n`)
  run(
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--no-sync',
    `--pwfile=${folder}/password`,
    '-A',
    'scram-sha-256',
  )
  fs.writeFileSync(path.join(data, 'pg_hba.conf'), HBA)
  fs.appendFileSync(
    path.join(data, 'postgresql.conf'),
    [
      `port = ${port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = '${folder}'`,
      'fsync = off',
      'max_connections = 20',
      'ssl = on',
      `ssl_cert_file = '${folder}/server.crt'`,
      `ssl_key_file = '${folder}/server.key'`,
      `ssl_ca_file = '${folder}/ca.crt'`,
      '',
    ].join('\n'),
  )
  const control = (...words: readonly string[]): void =>
    run('pg_ctl', '-D', data, '-w', '-s', '-l', path.join(folder, 'pg.log'), ...words)
  control('start')
  return {
    port,
    folder,
    url({
      user = 'postgres',
      password = SUPERUSER_PASSWORD,
      host = 'localhost',
      database = 'postgres',
      search = '',
    } = {}) {
      const account = encodeURIComponent(user) + (password && `:${encodeURIComponent(password)}`)
      return `postgresql://${account}@${host}:${port}/${encodeURIComponent(database)}${search}`
    },
    sql: (text) =>
      run('psql', '-h', folder, '-p', String(port), '-U', 'postgres', '-qv', 'ON_ERROR_STOP=1', '-c', text),
    restart: () => control('restart', '-m', 'immediate'),
    start: () => control('start'),
    halt: () => control('stop', '-m', 'immediate'),
    stop() {
      if (fs.existsSync(path.join(data, 'postmaster.pid'))) control('stop', '-m', 'immediate')
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An authority, a certificate of it for `localhost` and for the user `certified`, and another authority. */
function makeCertificates(folder: string): void {
  const openssl = (...words: readonly string[]): void =>
    void execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  for (const name of ['ca', 'other-ca'])
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    )
  for (const [name, subject] of [
    ['server', 'localhost'],
    ['client', 'certified'],
  ]) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${subject}`)
    fs.writeFileSync(path.join(folder, 'names'), 'subjectAltName=DNS:localhost\n')
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`)
    fs.chmodSync(path.join(folder, `${name}.key`), 0o600)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
