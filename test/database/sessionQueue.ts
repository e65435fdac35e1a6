// The order in which PGlite gets the messages of several connections. The queue of its socket server lets a message of
// another connection come between the messages of one statement: then "portal does not exist", or a wrong statement.
//
//   connection 1:  Parse Bind Execute Sync ─┐            ┌─ Q: commit        from the first message until the server
//   connection 2:            Parse Bind ────┼── waits ───┼──────────▶ …      is idle again, one connection has it
import type { PGlite } from '@electric-sql/pglite'
import type { PGLiteSocketServer } from '@electric-sql/pglite-socket'

interface Waiting {
  readonly connection: number
  readonly message: Uint8Array
  readonly onData: (data: Uint8Array) => void
  readonly resolve: (bytes: number) => void
  readonly reject: (error: Error) => void
}

const SYNC = Uint8Array.from([0x53, 0, 0, 0, 4])
const ROLLBACK = Uint8Array.from([0x51, 0, 0, 0, 13, ...Buffer.from('rollback\0')])

/** Gives the server, before it starts, a queue that keeps statements and transactions together. */
export function keepStatementsTogether(server: PGLiteSocketServer, pglite: PGlite): void {
  const inside = server as unknown as { queryQueue: unknown }
  if (inside.queryQueue === undefined) throw new Error('The socket server of PGlite has no queue any more.')
  inside.queryQueue = new SessionQueue(pglite)
}

/** The methods are those that the socket server calls. */
class SessionQueue {
  readonly #pglite: PGlite
  #waiting: Waiting[] = []
  /** The connection that has the server: in the middle of a statement, or in a transaction. */
  #holder: number | undefined
  #isRunning = false

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  enqueue(connection: number, message: Uint8Array, onData: (data: Uint8Array) => void): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ connection, message, onData, resolve, reject })
      void this.#run()
    })
  }

  getQueueLength(): number {
    return this.#waiting.length
  }

  clearQueueForHandler(connection: number): void {
    const lost = this.#waiting.filter((item) => item.connection === connection)
    this.#waiting = this.#waiting.filter((item) => item.connection !== connection)
    for (const { reject } of lost) reject(new Error('The connection was lost.'))
  }

  /** A connection was lost: its statement is ended, and its transaction rolled back. */
  async clearTransactionIfNeeded(connection: number): Promise<void> {
    for (const message of [SYNC, ROLLBACK]) {
      if (this.#holder === connection) await this.enqueue(connection, message, () => {})
    }
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let next = this.#take(); next; next = this.#take()) await this.#execute(next)
    this.#isRunning = false
  }

  #take(): Waiting | undefined {
    const isNext = ({ connection }: Waiting): boolean => this.#holder === undefined || this.#holder === connection
    const index = this.#waiting.findIndex(isNext)
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0]
  }

  async #execute({ connection, message, onData, resolve, reject }: Waiting): Promise<void> {
    this.#holder = connection
    let bytes = 0
    const onRawData = (data: Uint8Array): void => {
      bytes += data.length
      onData(data)
    }
    try {
      await this.#pglite.runExclusive(() => this.#pglite.execProtocolRawStream(message, { onRawData }))
      resolve(bytes)
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    if (endsStatement(message) && !this.#pglite.isInTransaction()) this.#holder = undefined
  }
}

/** A query, Sync, Terminate, or the first message of a connection, which has no type. */
const endsStatement = ([type = 0]: Uint8Array): boolean => [0x51, 0x53, 0x58, 0].includes(type)
