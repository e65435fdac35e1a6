// The client of `pg`, for servers that answer nonsense. Its reader throws inside of an event of the socket, which would
// end the process: a login by Kerberos, a proxy that speaks another protocol, or an attacker would be enough.
import type { Duplex } from 'node:stream'
import type { Driver, DriverClient } from './loadDriver.ts'

/** What of the driver's inside is used. */
interface Inside {
  readonly connection: {
    attachListeners: (stream: Duplex) => void
    on(event: 'readyForQuery', listener: (message: { readonly status?: string }) => void): void
  }
}

/** What the server sent cannot be read. */
export class ProtocolError extends Error {}

const statuses = new WeakMap<object, string>()

/** What the server said last about the connection: whether it is in a transaction, maybe in one that has failed. */
export function transactionStatus(client: DriverClient): 'none' | 'open' {
  return /^[TE]$/.test(statuses.get(client) ?? '') ? 'open' : 'none'
}

/** The class of clients for a pool: what its reader throws closes the connection, and the statement reports it. */
export function guardClient({ Client }: Driver): Driver['Client'] {
  return class extends Client {
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
        guardStream(stream)
        attach.call(connection, stream)
      }
    }
  }
}

function guardStream(stream: Duplex): void {
  const emit: (event: string | symbol, ...values: unknown[]) => boolean = stream.emit.bind(stream)
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...values)
    try {
      return emit(event, ...values)
    } catch (cause) {
      stream.destroy(new ProtocolError(cause instanceof Error ? cause.message : String(cause), { cause }))
      return true
    }
  }
}
