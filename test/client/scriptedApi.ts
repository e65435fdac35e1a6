// A fake Anthropic Messages API on 127.0.0.1: the model's part in a story test, spoken from a script.
// One turn answers one request of the main conversation; a route answers a subagent's. Nothing leaves the machine.

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** One reply of the model. A bare string is its text. */
export type Turn = string | Reply

export interface Reply {
  readonly text?: string
  readonly tools?: readonly ToolCall[]
  /** What the client believes the conversation costs; a large `input_tokens` makes it compact. */
  readonly usage?: Readonly<Record<string, number>>
  /** What happens elsewhere, in another window, before the model answers. */
  readonly meanwhile?: () => Promise<void>
  /** Never answered: stands for a machine that dies in mid-work. `api.hung` resolves as it is reached. */
  readonly hangs?: boolean
}

/** A conversation of its own, known by what its first user message contains: a subagent's, by its task. */
export interface Route {
  readonly name: string
  readonly firstSays: string
  readonly turns: readonly Turn[]
}

export interface Script {
  readonly turns: readonly Turn[]
  readonly routes?: readonly Route[]
  /** What a request for a compaction's summary is answered with. */
  readonly summary?: string
  /** Seeds the ids of tool calls, so that two sessions never share one. */
  readonly seed: string
}

export interface Block {
  readonly type: string
  readonly text?: string
  readonly content?: string | readonly Block[]
  readonly [field: string]: unknown
}

export interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}

export interface MessagesBody {
  readonly model: string
  readonly messages: readonly Message[]
  readonly system?: string | readonly Block[]
  readonly tools?: readonly unknown[]
  readonly stream?: boolean
}

/** One request to /v1/messages. `route` is 'main', 'compact', 'aside' (titles and the like) or a route's name. */
export interface ApiRequest {
  readonly route: string
  readonly body: MessagesBody
}

export interface Api {
  readonly port: number
  /** Grows with every request, in order of arrival. */
  readonly requests: readonly ApiRequest[]
  /** What went wrong in a turn's `meanwhile`. */
  readonly failures: readonly unknown[]
  /** Resolves once a turn with `hangs` is reached. */
  readonly hung: Promise<void>
  close(): Promise<void>
}

/** Starts the API on a free port. A list of turns that is used up answers "Done." so that a client always ends. */
export async function startApi(script: Script): Promise<Api> {
  const requests: ApiRequest[] = []
  const answer = answersOf(script)
  const { promise: hung, resolve: hangNow } = deferred()
  const failures: unknown[] = []
  const failNow = (error: unknown): void => void failures.push(error)
  const server = createServer(async (req, res) => {
    const raw = await textOfRequest(req)
    const url = (req.url ?? '').split('?')[0]
    if (url === '/v1/messages/count_tokens') return sendJson(res, { input_tokens: Math.ceil(raw.length / 4) })
    if (url !== '/v1/messages') return sendJson(res, {})
    const body = JSON.parse(raw) as MessagesBody
    const { route, reply } = answer(body)
    requests.push({ route, body })
    if (reply.hangs) return hangNow()
    await reply.meanwhile?.().catch(failNow)
    const message = messageOf(reply, body.model, `${script.seed}-${requests.length}`)
    if (!body.stream) return sendJson(res, message)
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    for (const event of streamed(message)) res.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    res.end()
  })
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(0, '127.0.0.1', ready))
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, requests, failures, hung, close }
}

/** The text of a message's content as the model reads it, tool results included. */
export function plainText(content: string | readonly Block[] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map((block) => block.text ?? plainText(block.content)).join('\n')
}

function answersOf(script: Script): (body: MessagesBody) => { route: string; reply: Reply } {
  const main = script.turns.map(asReply)
  const routes = (script.routes ?? []).map((route) => ({ ...route, left: route.turns.map(asReply) }))
  const exhausted: Reply = { text: 'Done.' }
  return (body) => {
    const said = body.messages.filter((message) => message.role === 'user')
    const first = plainText(said.at(0)?.content)
    const last = plainText(said.at(-1)?.content)
    const route = routes.find(({ firstSays }) => first.includes(firstSays))
    if (route) return { route: route.name, reply: route.left.shift() ?? exhausted }
    // Neither of the two may use up a turn of the story: the client asks for them on its own account.
    if (/detailed summary of (the|this|our) |detailed summary of the RECENT/i.test(last)) {
      return { route: 'compact', reply: { text: `<summary>${script.summary ?? 'Work so far.'}</summary>` } }
    }
    if (!body.tools?.length) return { route: 'aside', reply: { text: '{"title":"Shop","isNewTopic":false}' } }
    return { route: 'main', reply: main.shift() ?? exhausted }
  }
}

function asReply(turn: Turn): Reply {
  return typeof turn === 'string' ? { text: turn } : turn
}

interface ModelMessage {
  readonly content: readonly Block[]
  readonly stop_reason: string
  readonly usage: Readonly<Record<string, number>>
  readonly [field: string]: unknown
}

function messageOf(reply: Reply, model: string, seed: string): ModelMessage {
  const tools = (reply.tools ?? []).map((tool, n) => ({
    type: 'tool_use',
    id: `toolu_${idOf(`${seed}-${n}`)}`,
    ...tool,
  }))
  const text = reply.text === undefined && tools.length > 0 ? [] : [{ type: 'text', text: reply.text ?? '' }]
  return {
    id: `msg_${idOf(seed)}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [...text, ...tools],
    stop_reason: tools.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 5,
      ...reply.usage,
    },
  }
}

function idOf(seed: string): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, 24)
}

// message_start, then for every block start, one delta, stop; then message_delta with the reason, and message_stop.
function* streamed(message: ModelMessage): Generator<{ type: string; [field: string]: unknown }> {
  yield { type: 'message_start', message: { ...message, content: [], stop_reason: null } }
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === 'text'
    yield {
      type: 'content_block_start',
      index,
      content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
    }
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
    yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: message.usage['output_tokens'] },
  }
  yield { type: 'message_stop' }
}

async function textOfRequest(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(res: ServerResponse, value: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
