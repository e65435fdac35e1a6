// What went wrong between memctl and PostgreSQL, as errors with a hint. No message contains a password.
import { type ErrorCode, MemoryError } from '../model/memoryError.ts'
import { shellWord } from '../text/command.ts'
import { type ConnectionTarget, describeServer, describeTarget, UNPRINTABLE } from './connectionUrl.ts'
import { ProtocolError } from './guardedClient.ts'
import { withoutLibrary } from './tlsSettings.ts'

/** Code, message and hint of an error, from the server's words and the target. */
type Rule = readonly [
  matches: RegExp,
  code: ErrorCode,
  message: (target: ConnectionTarget, said: string) => string,
  hint: string | ((target: ConnectionTarget) => string),
]

const UNREACHABLE_HINT = 'Check the host and the port, and whether the server is running.'
const said = (_: ConnectionTarget, text: string): string => `PostgreSQL: ${text}`

/** Tables of memctl. If one is missing, the migrations did not run. */
const OWN_TABLE = /^42P01 .*"(?:[^"]*\.)?(?:agent_(?:memory|sleep_log)|hub_\w+|memctl_\w+)"/

/** By the code of PostgreSQL (five characters) or of the operating system, and the words after it. The first counts. */
const BY_CODE: readonly Rule[] = [
  [
    /^28P01 /,
    'DATABASE_ACCESS',
    (target) => `${describeServer(target)} refused the password of ${target.user}`,
    ({ password, passwordProblem }) =>
      passwordProblem
        ? toSentence(passwordProblem)
        : password === undefined
          ? 'No password was given: put it in the password file (PGPASSFILE, ~/.pgpass).'
          : 'Check the user and the password in the URL, PGPASSWORD or the password file.',
  ],
  [
    /^28000 .*client certificate/,
    'DATABASE_ACCESS',
    (target) => `${describeServer(target)} wants a certificate of ${target.user}`,
    'Add it to the URL: sslcert=FILE&sslkey=FILE.',
  ],
  [
    /^28/,
    'DATABASE_ACCESS',
    (target, text) => `${describeServer(target)} refused the connection: ${text}`,
    ({ tls }) =>
      tls.use === 'always'
        ? 'Check the user, and pg_hba.conf on the server.'
        : 'Check the user, and pg_hba.conf on the server; if it wants encryption, add sslmode=require to the URL.',
  ],
  [
    /^3D000 /,
    'DATABASE_ACCESS',
    (target) => `there is no database ${target.database} on ${describeServer(target)}`,
    (target) => `Correct the name in the URL, or create it: \`createdb ${shellWord(target.database)}\`.`,
  ],
  [
    /^42501 .*create extension/,
    'DATABASE_ACCESS',
    said,
    'A superuser runs `create extension vector` in this database once; then run the command again.',
  ],
  [/^42501 /, 'DATABASE_ACCESS', said, 'Ask the owner of the database for this right; docs/hub.md lists the roles.'],
  [
    OWN_TABLE,
    'DATABASE_VERSION',
    (target) => `${describeTarget(target)} has no tables of memctl, or older ones`,
    'Run `memctl hub migrate`, or ask the owner of the database to.',
  ],
  [/^3F000 /, 'DATABASE_ERROR', said, 'Create the schema, or correct search_path in the options of the URL.'],
  [/^25006 /, 'DATABASE_READ_ONLY', said, 'Connect to the primary server, and check default_transaction_read_only.'],
  [/^53300 /, 'DATABASE_FULL', said, 'Wait, raise max_connections of the server, or use fewer connections.'],
  [/^53100 /, 'DATABASE_FULL', said, 'Free space on the disk of the server.'],
  [/^5[34]/, 'DATABASE_FULL', said, 'Check the disk, the memory and the limits of the server.'],
  [/^(?:57014|25P0[34]) /, 'DATABASE_TIMEOUT', said, 'Try again; if it happens often, raise the timeout.'],
  [/^55P03 /, 'DATABASE_TIMEOUT', said, 'Another client changes the same rows: try again in a moment.'],
  [
    /^(?:ENOTFOUND|EAI_\w+) /,
    'DATABASE_UNREACHABLE',
    (target) => `the host ${target.host} is unknown`,
    'Check the name of the host in the URL, and the network.',
  ],
  [
    /^ECONNREFUSED /,
    'DATABASE_UNREACHABLE',
    (target) => `nothing listens on ${describeServer(target)}`,
    UNREACHABLE_HINT,
  ],
  [/^ENOENT /, 'DATABASE_UNREACHABLE', (target) => `there is no socket ${describeServer(target)}`, UNREACHABLE_HINT],
  [
    /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|ERR_CRYPTO|CRL_|HOSTNAME_|EPROTO)/,
    'DATABASE_ACCESS',
    (target, text) => `no encrypted connection to ${describeServer(target)}: ${withoutLibrary(text)}`,
    'Check sslmode, sslrootcert (the certificate authority), sslcert and sslkey in the URL, and the name of the host.',
  ],
  [
    /^57P/,
    'DATABASE_UNREACHABLE',
    (target, text) => `${describeServer(target)} is starting or stopping: ${text}`,
    'Try again in a moment.',
  ],
  [
    /^(?:08|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EADDR|EACCES|EPERM)/,
    'DATABASE_UNREACHABLE',
    (target, text) => `the connection to ${describeServer(target)} failed: ${text}`,
    UNREACHABLE_HINT,
  ],
]

/** By the words of the driver, which has no codes of its own. */
const BY_MESSAGE: readonly Rule[] = [
  [
    /does not support SSL/,
    'DATABASE_ACCESS',
    (target) => `${describeServer(target)} does not offer an encrypted connection`,
    ({ tls }) =>
      tls.isChosen
        ? 'Switch it on at the server, or choose another sslmode in the URL.'
        : 'Switch it on at the server; in a network that you trust, add sslmode=disable to the URL.',
  ],
  [
    /SSL connection/,
    'DATABASE_ACCESS',
    (target) => `${describeServer(target)} did not answer as a PostgreSQL server with encryption does`,
    UNREACHABLE_HINT,
  ],
  [
    /SASL|password must be a string/,
    'DATABASE_ACCESS',
    (target, text) =>
      target.password === undefined
        ? `${describeServer(target)} wants a password for ${target.user}`
        : `the login as ${target.user} at ${describeServer(target)} failed: ${text}`,
    ({ passwordProblem }) =>
      passwordProblem ? toSentence(passwordProblem) : 'Put it in the password file (PGPASSFILE, ~/.pgpass).',
  ],
  [
    /authenticationOk message type/,
    'DATABASE_ACCESS',
    (target) => `${describeServer(target)} wants a login that memctl does not have, such as Kerberos`,
    'Let the server accept scram-sha-256 or a client certificate for this user (pg_hba.conf).',
  ],
  [
    /timeout exceeded when trying to connect/,
    'DATABASE_TIMEOUT',
    () => 'all connections of this process are in use',
    'Try again; a program may open more with maxConnections.',
  ],
  [
    /timeout/i,
    'DATABASE_UNREACHABLE',
    (target) => `${describeServer(target)} did not answer in time`,
    'Check the host and the port, and a firewall between here and there.',
  ],
  [
    /Connection terminated|not queryable|Client was closed|Client has encountered/,
    'DATABASE_UNREACHABLE',
    (target) => `${describeServer(target)} closed the connection`,
    'Try again; the log of the server says why.',
  ],
  [
    /after calling end on the pool/,
    'DATABASE_ERROR',
    () => 'the connection to the database was closed before',
    'Open it again, then call again.',
  ],
]

/** The error as a MemoryError; it keeps the original as its cause. A MemoryError stays as it is. */
export function toDatabaseError(error: unknown, target: ConnectionTarget): MemoryError {
  if (error instanceof MemoryError) return error
  const code = codeOf(error)
  const text = cleanText(messageOf(error), target)
  if (error instanceof ProtocolError && !/authenticationOk/.test(text)) {
    return new MemoryError('DATABASE_UNREACHABLE', `${describeServer(target)} does not answer as PostgreSQL does`, {
      hint: UNREACHABLE_HINT,
      cause: error,
    })
  }
  const rule =
    BY_CODE.find(([matches]) => code !== undefined && matches.test(`${code} ${text}`)) ??
    (isSqlState(code) ? undefined : BY_MESSAGE.find(([matches]) => matches.test(text)))
  if (!rule) {
    const known = code === undefined ? '' : ` (${code})`
    return new MemoryError('DATABASE_ERROR', `PostgreSQL${known}: ${text}`, {
      hint: 'See the log of the server; codes: https://www.postgresql.org/docs/current/errcodes-appendix.html',
      cause: error,
    })
  }
  const [, ownCode, message, hint] = rule
  return new MemoryError(ownCode, message(target, text), {
    hint: typeof hint === 'string' ? hint : hint(target),
    cause: error,
  })
}

/** The five characters by which PostgreSQL names an error: `23505`. Of an error, or of what caused it. */
export function sqlState(error: unknown): string | undefined {
  const code = codeOf(error instanceof MemoryError ? error.cause : error)
  return isSqlState(code) ? code : undefined
}

/** Whether the connection is gone, so that nothing more can be sent on it. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof MemoryError ? error.cause : error
  return /^(?:08|57P0[1-4]|25P03|ECONN|EPIPE|ETIMEDOUT)/.test(codeOf(cause) ?? '') || LOST.test(messageOf(cause))
}

const LOST = /^(?:Connection terminated|Client has encountered|Client was closed)/

/** Whether a server that could not be reached may answer in a moment: it starts, or is full. A timeout was a wait. */
export const mayAnswerLater = (error: unknown): boolean =>
  !/timeout/.test(messageOf(error)) &&
  (isConnectionLost(error) || /^(?:57P03|53300|EHOST|ENET|EAI_AGAIN|ENOENT)/.test(codeOf(error) ?? ''))

const isSqlState = (code: string | undefined): boolean =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message || 'an error without a message' : String(error)
}

/** A shorter one is not looked for: to hide an `x` in every word of a message would show that it is the password. */
const PASSWORD_CHARS_MIN = 8

const cleanText = (text: string, { password = '' }: ConnectionTarget): string =>
  plainServerText(password.length < PASSWORD_CHARS_MIN ? text : text.replaceAll(password, '***'))

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

// What a server says is untrusted: it reaches a terminal without control characters, on one line and not too long.

const TEXT_CHARS_MAX = 300

/** The text for a message; anything else that the server sent in its place becomes text. */
export function plainServerText(value: unknown): string {
  const plain = String(value ?? '').replace(UNPRINTABLE, ' ')
  return plain.length > TEXT_CHARS_MAX ? `${plain.slice(0, TEXT_CHARS_MAX)}…` : plain
}
