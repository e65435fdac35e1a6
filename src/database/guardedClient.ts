// The client of `pg`, for servers that answer nonsense. Its reader throws inside of an event of the socket, which would
// end the process: a login by Kerberos, a proxy that speaks another protocol, or an attacker would be enough.
import type { Duplex } from 'node:stream'
import type { Driver, DriverClient } from './loadDriver.ts'

/** What of the driver's inside is used. */
interface Inside {
  readonly connection: {
    attachListeners: (stream: Duplex) => void
    on(event: 'readyForQuery', listener: (message: { readonly status?: string }) => void): void
    on(event: 'dataRow', listener: () => void): void
    readonly stream: Duplex
  }
}

/** What the server sent cannot be read. */
export class ProtocolError extends Error {}

/** What a server may send until the next statement: a page of the hub has 16 MiB. Rows, because each takes memory. */
const ANSWER_BYTES_MAX = 18 * 2 ** 20
const ANSWER_ROWS_MAX = 100_000

const statuses = new WeakMap<object, string>()

/** What the server said last about the connection: whether it is in a transaction, maybe in one that has failed. */
export function transactionStatus(client: DriverClient): 'none' | 'open' {
  return /^[TE]$/.test(statuses.get(client) ?? '') ? 'open' : 'none'
}

/** The class of clients for a pool: what its reader throws closes the connection, and the statement reports it. */
export function guardClient({ Client }: Driver): Driver['Client'] {
  return class extends Client {
    readonly #answer = { bytes: 0, rows: 0 }

    constructor(...given: ConstructorParameters<Driver['Client']>) {
      super(...given)
      // Without a listener, a lost connection would end the process at a moment in which the pool has none.
      // The statement that runs, or the next one, reports the loss.
      this.on('error', () => {})
      const { connection } = this as unknown as Inside
      // Older versions of the driver have no function for it.
      connection.on('readyForQuery', ({ status = '' }) => statuses.set(this, status))
      const attach = connection.attachListeners
      connection.attachListeners = (stream) => {
        guardStream(stream, this.#answer)
        attach.call(connection, stream)
      }
      connection.on('dataRow', () => {
        if (++this.#answer.rows > ANSWER_ROWS_MAX) connection.stream.destroy(tooMuch(`${ANSWER_ROWS_MAX} rows`))
      })
      const query = this.query as (...parameters: unknown[]) => unknown
      this.query = ((...parameters: unknown[]) => {
        Object.assign(this.#answer, { bytes: 0, rows: 0 })
        return query.apply(this, parameters)
      }) as typeof this.query
    }
  }
}

const tooMuch = (limit: string): ProtocolError => new ProtocolError(`The answer has more than ${limit}`)

function guardStream(stream: Duplex, answer: { bytes: number }): void {
  const emit: (event: string | symbol, ...values: unknown[]) => boolean = stream.emit.bind(stream)
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...values)
    answer.bytes += (values[0] as Buffer).length
    try {
      if (answer.bytes > ANSWER_BYTES_MAX) throw tooMuch(`${ANSWER_BYTES_MAX} bytes`)
      return emit(event, ...values)
    } catch (cause) {
      stream.destroy(new ProtocolError(cause instanceof Error ? cause.message : String(cause), { cause }))
      return true
    }
  }
}
