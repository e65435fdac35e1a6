// Between clients and a server: passes an exact number of bytes on, then the server is stopped, in the middle of
// whatever it does: a statement that arrived in part, a commit without its answer.
import net from 'node:net'

export interface CuttingProxy {
  readonly port: number
  /** Bytes in both directions so far. */
  readonly bytes: () => number
  /** After so many more bytes: `stop` runs, and every connection ends. Undefined: never. */
  cutAfter(bytes: number | undefined, stop?: () => void): void
  close(): Promise<void>
}

export async function startCuttingProxy(to: { readonly host: string; readonly port: number }): Promise<CuttingProxy> {
  const sockets = new Set<net.Socket>()
  let bytes = 0
  let cut: { readonly at: number; readonly stop: (() => void) | undefined } | undefined
  const pass = (chunk: Buffer, into: net.Socket): void => {
    if (cut === undefined || bytes + chunk.length < cut.at) {
      bytes += chunk.length
      into.write(chunk)
      return
    }
    const { at, stop } = cut
    cut = undefined
    into.write(chunk.subarray(0, at - bytes))
    bytes = at
    stop?.()
    for (const socket of sockets) socket.destroy()
  }
  const server = net.createServer((client) => {
    const upstream = net.connect(to.port, to.host)
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => pass(chunk, into))
      from.on('error', () => into.destroy())
      from.on('close', () => {
        sockets.delete(from)
        into.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    bytes: () => bytes,
    cutAfter(more, stop) {
      cut = more === undefined ? undefined : { at: bytes + more, stop }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
