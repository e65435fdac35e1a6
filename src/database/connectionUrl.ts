// Reads a database's URL with the meaning that psql gives it. No message repeats a part that could be of a password.

import { statSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { MemoryError } from '../model/memoryError.ts'
import { findUserHome, IS_WINDOWS } from '../store/disk/paths.ts'
import { isFileFault, readUntrusted } from '../store/disk/untrustedFiles.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** A server, a database on it, and how to get there. */
export interface ConnectionTarget {
  /** A name, an address, or the folder of a Unix socket, which begins with `/`. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password?: string | undefined
  readonly tls: Tls
  /** Why a password file was not read, for the hint of a refused connection. */
  readonly passwordProblem?: string | undefined
  /** Settings of the session: `-c search_path=team`. */
  readonly options?: string | undefined
  readonly channelBinding: boolean
}

//             postgresql://   user     :password      @ host                    :port    /database   ?parameters
const URL_PARTS = [
  String.raw`^postgres(?:ql)?:\/\/(?:([^/?#:]*)(?::([^/?#]*))?@)?(\[[^\]]*\]|[^/?#@:,]*)(?::(\d*))?(?:\/([^/?#@]*))?`,
  String.raw`(?:\?([^?#@]*))?$`,
]
const URL_PATTERN = new RegExp(URL_PARTS.join(''), 'i')

/** Those of libpq; another one could be the misspelled name of one that protects the connection. */
const PARAMETERS = (
  'host port user password options sslmode sslrootcert channel_binding application_name ' +
  // Without an effect here: they change nothing about who may see what.
  'connect_timeout target_session_attrs client_encoding fallback_application_name keepalives keepalives_idle ' +
  'keepalives_interval keepalives_count tcp_user_timeout gssencmode krbsrvname uselibpqcompat load_balance_hosts'
).split(' ')

const PORT_MAX = 65_535
const URL_CHARS_MAX = 10_000

/** Throws INPUT_INVALID with what is wrong, never with the URL itself. */
export function parseConnectionUrl(url: string, env: Env): ConnectionTarget {
  // A program in JavaScript may pass anything.
  const parts = typeof url === 'string' && url.length <= URL_CHARS_MAX ? URL_PATTERN.exec(url.trim()) : null
  if (!parts) throw invalidUrl('it does not begin with postgresql://, or has an unexpected @ / ? # : or ,')
  const parameters = readParameters(parts[6] ?? '')
  const setting = (name: string, group: number, variable: string): string | undefined => {
    const value = parameters.get(name) || decode(parts[group] ?? '') || env[variable] || undefined
    if (value !== undefined && value.search(UNPRINTABLE) >= 0) throw invalidUrl(`its ${name} has a control character`)
    return value
  }
  const host = (setting('host', 3, 'PGHOST') ?? 'localhost').replace(/^\[|\]$/g, '')
  const port = Number(setting('port', 4, 'PGPORT') ?? 5432)
  if (!(Number.isInteger(port) && port >= 1 && port <= PORT_MAX))
    throw invalidUrl(`the port, or PGPORT, is not a number from 1 to ${PORT_MAX}`)
  const user = setting('user', 1, 'PGUSER') || env['USER'] || env['USERNAME'] || 'postgres'
  const account = { host, port, user, database: setting('database', 5, 'PGDATABASE') ?? user }
  const password = setting('password', 2, 'PGPASSWORD')
  const home = findUserHome(env)
  const file = env['PGPASSFILE'] || (home && `${home}/.pgpass`)
  const found = password || !file ? { password } : findPassword(file, account)
  return {
    ...account,
    ...('problem' in found ? { passwordProblem: found.problem } : { password: found.password }),
    tls: readTls(parameters, env, host),
    options: setting('options', -1, 'PGOPTIONS'),
    channelBinding: /^(?:prefer|require)$/.test(parameters.get('channel_binding') ?? ''),
  }
}

/** `db.example.com:5432`, for messages. */
export const describeServer = ({ host, port }: Pick<ConnectionTarget, 'host' | 'port'>): string =>
  host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`

const invalidUrl = (what: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `The URL of the database cannot be used: ${what}`, {
    hint:
      'Use postgresql://USER@HOST:5432/DATABASE?sslmode=verify-full. ' +
      'Write the characters @ : / ? # % of a user or a password as %40 %3A %2F %3F %23 %25.',
  })

function readParameters(search: string): ReadonlyMap<string, string> {
  const pairs = search.split('&').filter(Boolean)
  const read = pairs.map((pair) => pair.split(/=(.*)/s).map(decode))
  if (read.some(([name = '']) => !PARAMETERS.includes(name))) throw invalidUrl('it has an unknown parameter')
  return new Map(read.map(([name = '', value = '']) => [name, value]))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidUrl('a % is not followed by two hexadecimal digits')
  }
}

// Encryption, with the meaning of libpq: sslmode, and an own certificate authority.

interface Tls {
  /** `prefer`: encrypted if the server can, else not. */
  readonly use: 'never' | 'prefer' | 'always'
  readonly options: ConnectionOptions
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** The largest file of certificates that is read: that of all public authorities has 250 kB. */
const AUTHORITY_BYTES_MAX = 2_000_000

/**
 * Without an sslmode, a connection to another machine is `require`: a team's memory does not cross a network without
 * encryption because nobody thought of it. To this machine it is `prefer`, as in psql.
 */
function readTls(parameters: ReadonlyMap<string, string>, env: Env, host: string): Tls {
  const isThisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
  const mode = (parameters.get('sslmode') || env['PGSSLMODE']) ?? (isThisMachine ? 'prefer' : 'require')
  if (!MODES.includes(mode)) throw invalidUrl(`sslmode, or PGSSLMODE, is none of ${MODES.join(', ')}`)
  if (mode === 'disable' || host.startsWith('/')) return { use: 'never', options: {} }
  const authority = parameters.get('sslrootcert') || env['PGSSLROOTCERT'] || undefined
  // libpq: with an authority `require` verifies the certificate, as `verify-ca` does.
  const isVerified = mode.startsWith('verify-') || (mode === 'require' && authority !== undefined)
  const file = authority ?? `${findUserHome(env)}/.postgresql/root.crt`
  const ca = isVerified && authority !== 'system' ? readUntrusted(undefined, file, AUTHORITY_BYTES_MAX) : undefined
  const isRead = ca !== undefined && !isFileFault(ca)
  if (authority !== undefined && authority !== 'system' && isVerified && !isRead)
    throw invalidUrl('its sslrootcert, or PGSSLROOTCERT, is no file that can be read')
  return {
    use: mode === 'allow' || mode === 'prefer' ? 'prefer' : 'always',
    options: {
      // Without one, the authorities that Node knows count.
      ...(isRead && { ca }),
      // Older versions of the driver would verify an address as if it were `localhost`.
      host,
      rejectUnauthorized: isVerified,
      ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    },
  }
}

// The password file of PostgreSQL: one line for each server, `host:port:database:user:password`, each part maybe `*`.

const FILE_BYTES_MAX = 1_000_000

/** The password of this account; none if no line is for it. A file that others can read is not used, as in psql. */
function findPassword(
  file: string,
  { host, port, database, user }: Pick<ConnectionTarget, 'host' | 'port' | 'database' | 'user'>,
): { readonly password: string | undefined } | { readonly problem: string } {
  const bytes = readUntrusted(undefined, file, FILE_BYTES_MAX)
  if (bytes === undefined) return { password: undefined }
  if (isFileFault(bytes)) return { problem: `the password file ${file} cannot be read` }
  if (!IS_WINDOWS && (statSync(file).mode & OTHERS) !== 0) {
    return { problem: `the password file ${file} was not used, because others can read it: run \`chmod 600 ${file}\`` }
  }
  // A Unix socket in the default folder is `localhost` in the file.
  const wanted = [/^\/(?:tmp|var\/run\/postgresql)\/?$/.test(host) ? 'localhost' : host, String(port), database, user]
  for (const line of bytes.toString('utf8').split(/\r?\n/)) {
    const parts = line.startsWith('#') ? [] : (LINE.exec(line) ?? []).slice(1).map(unescapePart)
    const password = parts[4]
    if (password && wanted.every((value, i) => parts[i] === '*' || parts[i] === value)) return { password }
  }
  return { password: undefined }
}

const OTHERS = 0o077

/** Five parts; a colon or a backslash in a part has a backslash before it. */
const LINE = new RegExp(`^${String.raw`((?:\\.|[^\\:])*):`.repeat(4)}(.*)$`, 'su')
const unescapePart = (part: string): string => part.replace(/\\(.)/gsu, '$1')

/** Control characters, line separators, and marks that change the direction of a text. */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu
