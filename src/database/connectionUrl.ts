// Reads a database's URL with the meaning that psql gives it. No message repeats a part that could be of a password.

import { statSync } from 'node:fs'
import { MemoryError } from '../model/memoryError.ts'
import { findUserHome, IS_WINDOWS } from '../store/disk/paths.ts'
import { isFileFault, readUntrusted } from '../store/disk/untrustedFiles.ts'
import { readTls, type Tls } from './tlsSettings.ts'

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
  readonly applicationName: string
  readonly channelBinding: boolean
  readonly isDirectTls: boolean
}

const FORM = 'Use postgresql://USER@HOST:5432/DATABASE?sslmode=verify-full'
const ENCODE = 'Write the characters @ : / ? # % of a user or a password as %40 %3A %2F %3F %23 %25'

/** The parameters of libpq that have an effect here. */
const PARAMETERS = (
  'host port user password dbname passfile options application_name sslmode sslrootcert sslcert sslkey sslpassword ' +
  'sslnegotiation channel_binding'
).split(' ')

/** Others of libpq, which many URLs have. Without an effect here they change nothing about who may see what. */
const IGNORED = (
  'connect_timeout target_session_attrs client_encoding fallback_application_name keepalives keepalives_idle ' +
  'keepalives_interval keepalives_count tcp_user_timeout gssencmode krbsrvname uselibpqcompat load_balance_hosts'
).split(' ')

//                    postgresql://   user:password@        host:port    /database     ?parameters
const URL_PATTERN = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#@]*))?(?:\?([^?#@]*))?$/i

const PORT_MAX = 65_535
const URL_CHARS_MAX = 10_000

/** Throws INPUT_INVALID with what is wrong, never with the URL itself. */
export function parseConnectionUrl(url: string, env: Env): ConnectionTarget {
  // A program in JavaScript may pass anything.
  if (typeof url !== 'string') throw invalidUrl('it is no text')
  const parts = url.length <= URL_CHARS_MAX ? URL_PATTERN.exec(url.trim()) : null
  if (!parts) throw invalidUrl(explainMismatch(url.trim()))
  const [, credentials = '', address = '', path = '', search = ''] = parts
  const parameters = readParameters(search)
  const colon = credentials.indexOf(':')
  const [urlUser, urlPassword] =
    colon < 0 ? [credentials, ''] : [credentials.slice(0, colon), credentials.slice(colon + 1)]
  const [urlHost, urlPort] = splitAddress(address)
  const host = decode(parameters.get('host') ?? urlHost) || env['PGHOST'] || 'localhost'
  const user =
    parameters.get('user') || decode(urlUser) || env['PGUSER'] || env['USER'] || env['USERNAME'] || 'postgres'
  const target = {
    host: checkHost(host),
    port: readPort(parameters.get('port') || urlPort, env['PGPORT']),
    user: checkText(user, 'user'),
    database: checkText(parameters.get('dbname') || decode(path) || env['PGDATABASE'] || user, 'database'),
  }
  const given = parameters.get('password') || decode(urlPassword) || env['PGPASSWORD']
  const home = findUserHome(env)
  const passwordFile = parameters.get('passfile') || env['PGPASSFILE'] || (home && `${home}/.pgpass`)
  const found = given || !passwordFile ? { password: given } : findPassword(passwordFile, target)
  return {
    ...target,
    ...('problem' in found ? { passwordProblem: found.problem } : { password: checkText(found.password, 'password') }),
    tls: readTls(parameters, env, { host: target.host, home }),
    options: parameters.get('options') || env['PGOPTIONS'],
    applicationName: checkText(parameters.get('application_name') || env['PGAPPNAME'] || 'memctl', 'application_name'),
    channelBinding: /^(?:prefer|require)$/.test(parameters.get('channel_binding') ?? ''),
    isDirectTls: parameters.get('sslnegotiation') === 'direct',
  }
}

/** `me@db.example.com:5432/team`, for messages. */
export const describeTarget = ({ user, database, ...server }: ConnectionTarget): string =>
  `${user}@${describeServer(server)}/${database}`

/** `db.example.com:5432`, for messages. */
export const describeServer = ({ host, port }: Pick<ConnectionTarget, 'host' | 'port'>): string =>
  host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`

const invalidUrl = (what: string, hint = `${FORM}. ${ENCODE}.`): MemoryError =>
  new MemoryError('INPUT_INVALID', `The URL of the database cannot be used: ${what}`, { hint })

function explainMismatch(url: string): string {
  if (url === '') return 'it is empty'
  if (url.length > URL_CHARS_MAX) return `it has ${url.length} characters`
  if (!/^postgres(?:ql)?:\/\//i.test(url)) return 'it does not begin with postgresql://'
  return 'it has an unexpected @, /, ? or #'
}

function readParameters(search: string): ReadonlyMap<string, string> {
  const pairs = search.split('&').filter(Boolean)
  const parameters = new Map<string, string>()
  for (const pair of pairs) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map((part) => decode(part))
    if (!PARAMETERS.includes(name) && !IGNORED.includes(name)) {
      const what = /^\w{1,40}$/.test(name) ? `the parameter ${name} is unknown` : 'it has an unknown parameter'
      throw invalidUrl(what, `Use ${PARAMETERS.join(', ')}.`)
    }
    parameters.set(name, checkText(value, name))
  }
  return parameters
}

/** `host:port`, where an IPv6 address is in brackets. */
function splitAddress(address: string): readonly [host: string, port: string] {
  const match = /^(\[[\da-f:.%]+\]|[^:]*)(?::(.*))?$/i.exec(address)
  if (!match) throw invalidUrl('the host and the port cannot be read')
  const [, host = '', port = ''] = match
  return [host.replace(/^\[|\]$/g, ''), port]
}

function checkHost(host: string): string {
  if (host.includes(',')) throw invalidUrl('it names several hosts', 'Name one host: the primary server, or a proxy.')
  return checkText(host, 'host')
}

function readPort(given: string, fromEnv: string | undefined): number {
  const port = given || fromEnv || '5432'
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0
  if (number >= 1 && number <= PORT_MAX) return number
  if (given) throw invalidUrl(`the port is not a number from 1 to ${PORT_MAX}`)
  const hint = `Set it to a number from 1 to ${PORT_MAX}, unset it, or name the port in the URL.`
  throw new MemoryError('INPUT_INVALID', `PGPORT is not the number of a port`, { hint })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidUrl('a % is not followed by two hexadecimal digits')
  }
}

/** The text, without control characters: they would end a message of the protocol, or act on a terminal. */
function checkText<T extends string | undefined>(text: T, name: string): T {
  if (text !== undefined && text.search(UNPRINTABLE) >= 0) throw invalidUrl(`its ${name} has a control character`)
  return text
}

// The password file of PostgreSQL: one line for each server, `host:port:database:user:password`, each part maybe `*`.

interface Account {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

const FILE_BYTES_MAX = 1_000_000

/** The password of this account; none if no line is for it. A file that others can read is not used, as in psql. */
function findPassword(
  file: string,
  account: Account,
): { readonly password: string | undefined } | { readonly problem: string } {
  const bytes = readUntrusted(undefined, file, FILE_BYTES_MAX)
  if (bytes === undefined) return { password: undefined }
  if (isFileFault(bytes)) return { problem: `the password file ${file} cannot be read` }
  if (!IS_WINDOWS && (statSync(file).mode & OTHERS) !== 0) {
    return { problem: `the password file ${file} was not used, because others can read it: run \`chmod 600 ${file}\`` }
  }
  const wanted = [hostInFile(account.host), String(account.port), account.database, account.user]
  for (const line of bytes.toString('utf8').split(/\r?\n/)) {
    const parts = line.startsWith('#') ? [] : splitLine(line)
    const password = parts[4]
    if (password && wanted.every((value, i) => parts[i] === '*' || parts[i] === value)) return { password }
  }
  return { password: undefined }
}

const OTHERS = 0o077

/** A Unix socket in the default folder is `localhost` in the file. */
const hostInFile = (host: string): string => (/^\/(?:tmp|var\/run\/postgresql)\/?$/.test(host) ? 'localhost' : host)

/** The five parts of a line. A colon or a backslash in a part has a backslash before it. */
const splitLine = (line: string): string[] =>
  (LINE.exec(line) ?? []).slice(1).map((part) => part.replace(/\\(.)/gsu, '$1'))

const LINE = new RegExp(`^${String.raw`((?:\\.|[^\\:])*):`.repeat(4)}(.*)$`, 'su')

/** Control characters, line separators, and marks that change the direction of a text. */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu
