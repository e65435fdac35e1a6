// What went wrong between memctl and PostgreSQL, as errors with a hint. No message contains a password.
import { type ErrorCode, MemoryError } from '../model/memoryError.ts'
import { shellWord } from '../text/command.ts'
import { type ConnectionTarget, describeServer, UNPRINTABLE } from './connectionUrl.ts'
import { ProtocolError } from './guardedClient.ts'

type Hint = string | ((target: ConnectionTarget) => string)

const UNREACHABLE = 'Check the host and the port, and whether the server is running; then try again.'
const NO_TABLES = 'Run `memctl hub migrate`, or ask the owner of the database to.'
const PASSWORD: Hint = ({ password, passwordProblem }) =>
  passwordProblem
    ? `${passwordProblem.charAt(0).toUpperCase()}${passwordProblem.slice(1)}.`
    : password === undefined
      ? 'Put the password into the password file (PGPASSFILE, ~/.pgpass).'
      : 'Check the user and the password in the URL, PGPASSWORD or the password file.'
const CERTIFICATES = 'Check sslmode and sslrootcert (the certificate authority) in the URL, and the name of the host.'

/** By the code of PostgreSQL (five characters) or of the operating system, and the words after it. The first counts. */
const RULES: readonly (readonly [matches: RegExp, code: ErrorCode, hint: Hint])[] = [
  [/^28P01 | .*(?:SASL|password must be a string)/, 'DATABASE_ACCESS', PASSWORD],
  [/^28/, 'DATABASE_ACCESS', 'Check the user, pg_hba.conf on the server, and whether it wants sslmode=require.'],
  [/^3D000 /, 'DATABASE_ACCESS', ({ database }) => `Correct its name, or \`createdb ${shellWord(database)}\`.`],
  [
    /^42501 .*create extension/,
    'DATABASE_ACCESS',
    'A superuser runs `create extension vector` once; then run it again.',
  ],
  [/^42501 /, 'DATABASE_ACCESS', 'Ask the owner of the database for this right; docs/hub.md lists the roles.'],
  // Tables of memctl. If one is missing, the migrations did not run.
  [
    /^42P01 .*"(?:[^"]*\.)?(?:agent_(?:memory|sleep_log|terms|term_groups)|hub_\w+|memctl_\w+)"/,
    'DATABASE_VERSION',
    NO_TABLES,
  ],
  [/^3F000 /, 'DATABASE_ERROR', 'Create the schema, or correct search_path in the options of the URL.'],
  [/^25006 /, 'DATABASE_READ_ONLY', 'Connect to the primary server, and check default_transaction_read_only.'],
  [/^53300 /, 'DATABASE_FULL', 'Wait, raise max_connections of the server, or use fewer connections.'],
  [/^5[34]/, 'DATABASE_FULL', 'Check the disk, the memory and the limits of the server.'],
  [/^(?:57014|25P0[34]|55P03) /, 'DATABASE_TIMEOUT', 'Try again; if it happens often, raise the timeout.'],
  [
    /^ (?:Query read timeout|timeout exceeded when trying)/,
    'DATABASE_TIMEOUT',
    'Check the network and the load, then try again.',
  ],
  [
    /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|ERR_CRYPTO|CRL_|HOSTNAME_|EPROTO)/,
    'DATABASE_ACCESS',
    CERTIFICATES,
  ],
  [/^ .*SSL/, 'DATABASE_ACCESS', 'Switch encryption on at the server; in a network that you trust, sslmode=disable.'],
  [/^ .*authenticationOk message type/, 'DATABASE_ACCESS', 'Let the server accept scram-sha-256 (pg_hba.conf).'],
  [
    /^(?:08|57P|E[A-Z_]+ )|^ .*(?:timeout|terminated|not queryable|Client (?:was|has))/i,
    'DATABASE_UNREACHABLE',
    UNREACHABLE,
  ],
]

/** The error as a MemoryError; it keeps the original as its cause. A MemoryError stays as it is. */
export function toDatabaseError(cause: unknown, target: ConnectionTarget): MemoryError {
  if (cause instanceof MemoryError) return cause
  const code = codeOf(cause) ?? ''
  const text = cleanText(withoutLibrary(messageOf(cause)), target)
  const at = `PostgreSQL at ${describeServer(target)}`
  const rule = RULES.find(([matches]) => matches.test(`${code} ${text}`))
  if (rule) {
    const [, ownCode, hint] = rule
    return new MemoryError(ownCode, `${at}: ${text}`, { hint: typeof hint === 'string' ? hint : hint(target), cause })
  }
  if (cause instanceof ProtocolError) {
    return new MemoryError('DATABASE_UNREACHABLE', `${at} does not answer as PostgreSQL does`, {
      hint: UNREACHABLE,
      cause,
    })
  }
  return new MemoryError('DATABASE_ERROR', `${at}${code && ` (${code})`}: ${text}`, {
    hint: 'See the log of the server; codes: https://www.postgresql.org/docs/current/errcodes-appendix.html',
    cause,
  })
}

/** What OpenSSL says, without its number and the names of its parts: `error:0A000086:SSL routines::…`. */
const withoutLibrary = (text: string): string => text.replace(/^(?:\w+:)?error:\w+:[^:]*:[^:]*:/i, '')

/** The five characters by which PostgreSQL names an error: `23505`. Of an error, or of what caused it. */
export function sqlState(error: unknown): string | undefined {
  const code = codeOf(error instanceof MemoryError ? error.cause : error)
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Whether the connection is gone, or still busy with a statement, so that nothing more can be sent on it. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof MemoryError ? error.cause : error
  return /^(?:08|57P0[1-4]|25P03|ECONN|EPIPE|ETIMEDOUT)/.test(codeOf(cause) ?? '') || LOST.test(messageOf(cause))
}

const LOST = /^(?:Connection terminated|Client has encountered|Client was closed|Query read timeout)/

/** Whether a server that could not be reached may answer in a moment: it starts, or is full. A timeout was a wait. */
export const mayAnswerLater = (error: unknown): boolean =>
  !/timeout/.test(messageOf(error)) &&
  (isConnectionLost(error) || /^(?:57P03|53300|EHOST|ENET|EAI_AGAIN|ENOENT)/.test(codeOf(error) ?? ''))

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

// What a server says is untrusted: it reaches a terminal without control characters, on one line and not too long.

const TEXT_CHARS_MAX = 300

/** The text for a message; anything else that the server sent in its place becomes text. */
export function plainServerText(value: unknown): string {
  const plain = String(value ?? '').replace(UNPRINTABLE, ' ')
  return plain.length > TEXT_CHARS_MAX ? `${plain.slice(0, TEXT_CHARS_MAX)}…` : plain
}
