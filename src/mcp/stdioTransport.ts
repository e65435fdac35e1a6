// The two pipes to the client, for as long as it keeps stdin open. Whatever comes in is answered, be it with an error,
// and the next line served. Its bytes are split into complete lines of limited length:
//
//   …"ping"}\n   xxxxxxxxxxxxxxx…xxx\n   {"jsonrpc":…}\n   {"json
//   └complete─┘  └─ too long: skipped ┘  └─ complete ──┘  └ end of input: passed on as a line, answered with an error
import { Transform } from 'node:stream'
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
  let line = ''
  const refuse = (said: Refusal): void => void transport.send(refusalOf(said, said === TOO_LONG ? null : idOf(line)))
  const lines = frameLines(LINE_BYTES_MAX, () => refuse(TOO_LONG))
  // The SDK reads each line as it comes, after this listener.
  lines.on('data', (bytes: Buffer) => {
    line = bytes.toString('utf8')
  })
  // The SDK gives up a client whose line is longer than it likes; here no line is that comes to it.
  const transport = new StdioServerTransport(lines, undefined, { maxBufferSize: Number.POSITIVE_INFINITY })
  transport.onerror = (error) => refuse(error instanceof SyntaxError ? NO_JSON : NO_MESSAGE)
  const ended = new Promise<void>((done) => {
    lines.once('end', done)
    server.onclose = done
  })
  await server.connect(transport)
  // Of a client that asks faster than it reads, the SDK waits for stdout once for each answer. One that is gone reads
  // nothing more.
  process.stdout.setMaxListeners(0).on('error', () => process.stdin.destroy())
  // A pipe that breaks ends like one that is closed.
  process.stdin.once('error', () => lines.end()).once('close', () => lines.end())
  process.stdin.pipe(lines)
  await ended
}

interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

const NO_JSON: Refusal = { code: ErrorCode.ParseError, message: 'This line is no JSON' }
const NO_MESSAGE: Refusal = { code: ErrorCode.InvalidRequest, message: 'This is no JSON-RPC message' }
const TOO_LONG: Refusal = { code: ErrorCode.InvalidRequest, message: `This line has more than ${LINE_BYTES_MAX} bytes` }

/** What has no id to be answered by is answered as JSON-RPC 2.0 has it: with an error and the id null. */
const refusalOf = (error: Refusal, id: string | number | null): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, error }) as unknown as JSONRPCMessage

/** The id of a request that is not valid otherwise; null if it has none. */
function idOf(line: string): string | number | null {
  try {
    const id = (JSON.parse(line) as { id?: unknown } | null)?.id
    return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null
  } catch {
    return null
  }
}

const NEWLINE = Buffer.from('\n')

/**
 * A stream of the lines of at most `bytesMax` bytes. `tooLong` is called once for each line that is longer, as soon as
 * that is known.
 */
function frameLines(bytesMax: number, tooLong: () => void): Transform {
  let parts: Buffer[] = []
  let bytes = 0
  let isSkipping = false
  const take = (part: Buffer): void => {
    if (isSkipping || part.length === 0) return
    bytes += part.length
    if (bytes <= bytesMax) {
      parts.push(part)
      return
    }
    parts = []
    isSkipping = true
    tooLong()
  }
  const line = (): Buffer | undefined => {
    const whole = isSkipping ? undefined : Buffer.concat([...parts, NEWLINE])
    parts = []
    bytes = 0
    isSkipping = false
    return whole
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at))
        const whole = line()
        if (whole) this.push(whole)
        from = at + 1
      }
      take(chunk.subarray(from))
      done()
    },
    flush(done) {
      if (bytes > 0) this.push(line() ?? Buffer.alloc(0))
      done()
    },
  })
}
