// A service of embeddings on this machine, which reads the wire as OpenAI and Azure document it.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { hash32 } from '../../src/text/hash.ts'
import { extractTerms } from '../../src/text/terms/extractTerms.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: {
    readonly input: readonly string[]
    readonly model?: string
    readonly dimensions?: number
    readonly encoding_format?: string
  }
}

export type Reply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | 'hang'
  | 'drop'

export interface Service {
  /** Its address, from when the tests begin. */
  base: string
  asked: Asked[]
  /** What the next requests get before it answers rightly. */
  replies: Reply[]
}

/** One for all tests of a file; each begins with nothing asked. */
export function ownService(): Service {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Asked['body']
      service.asked.push({ method: request.method!, url: request.url!, headers: request.headers, body })
      const reply = service.replies.shift() ?? right(body)
      if (reply === 'hang') return
      if (reply === 'drop') return void request.socket.destroy()
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
    })
  })
  const service: Service = { base: '', asked: [], replies: [] }
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    service.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    service.asked = []
    service.replies = []
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return service
}

/** As the service answers: a vector a text, here in an order of its own, told by `index`. */
function right({ input, dimensions = 1536 }: Asked['body']): Reply {
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: hashed(text, dimensions) }))
  return { status: 200, body: { object: 'list', data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } } }
}

function hashed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const term of extractTerms(text)) vector[hash32(term) % dimensions]! += 1
  return vector
}
