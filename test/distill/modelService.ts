// A model service on this machine that answers from a script, in the forms of Anthropic and of OpenAI.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

export interface ModelCall {
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** A text is an answer of the model, and null never an answer. */
type Reply = string | null | { readonly status: number; readonly body: unknown }

export interface ModelService {
  base: string
  calls: ModelCall[]
  /** What the next requests get; then an empty object as the answer. */
  replies: Reply[]
}

/** One for all tests of a file; each begins without calls. */
export function startModelService(): ModelService {
  const server = http.createServer((request, response) => {
    let raw = ''
    request.on('data', (part) => {
      raw += part
    })
    request.on('end', () => {
      const { url = '', headers } = request
      service.calls.push({ url, headers, body: JSON.parse(raw) })
      const reply = service.replies.shift()
      if (reply === null) return
      const { status, body } =
        typeof reply === 'object' ? reply : { status: 200, body: modelMessage(url, reply ?? '{}') }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  const service: ModelService = { base: '', calls: [], replies: [] }
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    service.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    service.calls = []
    service.replies = []
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return service
}

const modelMessage = (url: string, text: string): object =>
  url.endsWith('/messages')
    ? { model: 'claude-test', content: [{ type: 'text', text }], usage: { input_tokens: 900, output_tokens: 100 } }
    : {
        model: 'gpt-test',
        choices: [{ message: { role: 'assistant', content: text } }],
        usage: { prompt_tokens: 800, completion_tokens: 50 },
      }
