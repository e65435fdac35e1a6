// The two pipes to the client, for as long as it keeps stdin open. A line that is no message is answered with an error,
// and the next one served. A line that is too long ends the server.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/**
 * One line of a client, in bytes: a batch of a hundred memories as long as they may be, in characters of three bytes,
 * and its JSON.
 */
const LINE_BYTES_MAX = 24 * 1024 * 1024

/** Serves over stdin and stdout until stdin ends. */
export async function connectStdio(server: Server): Promise<void> {
  const transport = new StdioServerTransport(undefined, undefined, { maxBufferSize: LINE_BYTES_MAX })
  transport.onerror = (error) => void transport.send(refusalOf(error))
  const ended = new Promise<void>((done) => {
    // A pipe that breaks ends like one that is closed.
    for (const event of ['end', 'error', 'close']) process.stdin.once(event, done)
    server.onclose = done
  })
  await server.connect(transport)
  // Of a client that asks faster than it reads, the SDK waits for stdout once for each answer. One that is gone reads
  // nothing more.
  process.stdout.setMaxListeners(0).on('error', () => process.stdin.destroy())
  await ended
}

/** As JSON-RPC 2.0 has it for what cannot be read: an error with the id null. */
function refusalOf(error: Error): JSONRPCMessage {
  const [code, message] =
    error instanceof SyntaxError
      ? [ErrorCode.ParseError, 'This line is no JSON']
      : [ErrorCode.InvalidRequest, 'This is no JSON-RPC message, or its line is too long']
  return { jsonrpc: '2.0', id: null, error: { code, message } } as unknown as JSONRPCMessage
}
