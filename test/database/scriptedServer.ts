// A server that speaks just enough of PostgreSQL's protocol to fail in a given way: errors that a real one has rarely.
import net from 'node:net'

export interface Script {
  /** What it sends when a client introduces itself; default: welcome. */
  readonly onStart?: Buffer
  /** What it sends for a statement other than SET; default: an empty result. */
  readonly onStatement?: Buffer
  /** Closes the connection when the client sets its time limits, the first thing after the login. */
  readonly closesOnSettings?: boolean
}

export interface ScriptedServer {
  readonly url: string
  /** Connections that were opened so far. */
  connections(): number
  stop(): Promise<void>
}

/** A message: its type, its length, its content. */
export function message(type: string, content: Buffer | string): Buffer {
  const body = Buffer.from(content)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const READY = message('Z', 'I')
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY])
const DONE = Buffer.concat([message('C', 'SELECT 0\0'), READY])

/** An error as the server reports it: before the login it closes the connection, later it goes on. */
export const failure = (code: string, text: string): Buffer =>
  Buffer.concat([message('E', `SERROR\0VERROR\0C${code}\0M${text}\0\0`), READY])

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const sockets = new Set<net.Socket>()
  let opened = 0
  const server = net.createServer((socket) => {
    sockets.add(socket)
    opened++
    let isStarted = false
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const text = data.toString('latin1')
      if (!isStarted) socket.write(script.onStart ?? WELCOME)
      else if (script.closesOnSettings) socket.destroy()
      else if (text.startsWith('Q') && text.includes('set statement_timeout')) socket.write(DONE)
      else if (!text.startsWith('X')) socket.write(script.onStatement ?? DONE)
      isStarted = true
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `postgresql://me:secret-word@127.0.0.1:${port}/team?sslmode=disable`,
    connections: () => opened,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
