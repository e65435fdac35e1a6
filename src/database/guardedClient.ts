// The package `pg`, an optional peer dependency: loaded where memctl is installed, else from memctl's home. And its
// client for servers that answer nonsense: its reader throws inside of an event of the socket, which would end the
// process. A login by Kerberos, a proxy that speaks another protocol, or an attacker would be enough.
import type { Duplex } from 'node:stream'
import { MemoryError, messageOf } from '../model/memoryError.ts'
import { loadOptional } from '../packages/optionalPackage.ts'
import { findMemctlHome } from '../store/project/project.ts'
import { shellWord } from '../text/command.ts'
import type { Env } from './connectionUrl.ts'

interface Inside {
  readonly connection: {
    attachListeners: (stream: Duplex) => void
    on(event: 'readyForQuery', listener: (message: { readonly status?: string }) => void): void
  }
}

/** What the server sent cannot be read. */
export class ProtocolError extends Error {}

/** What a server may send until the next statement: a page of the hub has 16 MiB. */
const ANSWER_BYTES_MAX = 18 * 2 ** 20

const statuses = new WeakMap<object, string>()

/** What the server said last about the connection: whether it is in a transaction, maybe in one that has failed. */
export const isInTransaction = (client: DriverClient): boolean => /^[TE]$/.test(statuses.get(client) ?? '')

/** The class of clients for a pool: what its reader throws closes the connection, and the statement reports it. */
export function guardClient({ Client }: Driver): Driver['Client'] {
  return class extends Client {
    constructor(...given: ConstructorParameters<Driver['Client']>) {
      super(...given)
      // Without a listener, a lost connection would end the process at a moment in which the pool has none.
      // The statement that runs, or the next one, reports the loss.
      this.on('error', () => {})
      const { connection } = this as unknown as Inside
      const answer = { bytes: 0 }
      connection.on('readyForQuery', ({ status = '' }) => {
        statuses.set(this, status)
        answer.bytes = 0
      })
      const attach = connection.attachListeners
      connection.attachListeners = (stream) => {
        guardStream(stream, answer)
        attach.call(connection, stream)
      }
    }
  }
}

function guardStream(stream: Duplex, answer: { bytes: number }): void {
  const emit: (event: string | symbol, ...values: unknown[]) => boolean = stream.emit.bind(stream)
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...values)
    answer.bytes += (values[0] as Buffer).length
    try {
      if (answer.bytes > ANSWER_BYTES_MAX) throw new Error(`The answer has more than ${ANSWER_BYTES_MAX} bytes`)
      return emit(event, ...values)
    } catch (cause) {
      stream.destroy(new ProtocolError(messageOf(cause), { cause }))
      return true
    }
  }
}

/** The part of the package that is used. */
export type Driver = Pick<typeof import('pg'), 'Pool' | 'Client'>

export type DriverClient = import('pg').PoolClient
export type DriverConfig = import('pg').PoolConfig

/** Throws DATABASE_DRIVER_MISSING with the command that installs it. */
export async function loadDriver(env: Env): Promise<Driver> {
  const home = findMemctlHome(env)
  try {
    const loaded = await loadOptional('pg', home, () => import('pg'))
    // Versions before 8.15 are CommonJS, and Node does not find their names.
    return loaded.Pool ? loaded : loaded.default
  } catch (cause) {
    const said = String(cause instanceof Error ? cause.message : cause).split('\n', 1)[0] ?? ''
    const isMissing = /^Cannot find (?:package|module) ["']pg["']/.test(said)
    const what = isMissing ? ', which connects to PostgreSQL, is not installed' : ` cannot be loaded: ${said}`
    const command = home === undefined ? 'npm install pg' : `npm install --prefix ${shellWord(home)} pg`
    throw new MemoryError('DATABASE_DRIVER_MISSING', `The package pg${what}`, {
      hint: `Install it with \`${command}\`, or beside memctl: \`npm install -g pg\`.`,
      cause,
    })
  }
}
