// Asks a model over HTTP: Anthropic, OpenAI, and servers that speak as they do.
//
//   POST <endpoint>/v1/messages        x-api-key: <key>               {model, system, messages, max_tokens}
//   POST <endpoint>/chat/completions   Authorization: Bearer <key>    {model, messages, response_format, …}
//
// A key is only in that header: never in an error, a log or a URL, and never sent to another host by a redirect.

import { type FailureTexts, parseHttpUrl, postJson } from '../../http/postJson.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { type Fields, objectOf } from '../../model/unknownJson.ts'
import type { ModelRequest } from '../instructions.ts'

export interface ServiceOptions {
  readonly kind: 'anthropic' | 'openai'
  /** The address before the paths above. */
  readonly endpoint: string
  /** Undefined for a server that needs none. */
  readonly key: string | undefined
  readonly model: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export const SERVICES = {
  anthropic: { endpoint: 'https://api.anthropic.com', keyEnv: 'ANTHROPIC_API_KEY', model: 'claude-haiku-4-5' },
  openai: { endpoint: 'https://api.openai.com/v1', keyEnv: 'OPENAI_API_KEY', model: 'gpt-4.1-mini' },
} as const

/** A text of 4 characters a token has some thousand bytes; some services repeat the request. */
const ANSWER_BYTES_MAX = 1_048_576

/** One request, and a second one after a temporary failure. Throws MODEL_UNAVAILABLE and CONFIG_INVALID. */
export async function askService(request: ModelRequest, options: ServiceOptions): Promise<ModelReply> {
  const { kind, endpoint, timeoutMs, signal } = options
  const url = parseEndpoint(endpoint, kind === 'anthropic' ? 'v1/messages' : 'chat/completions')
  const { headers, body } = (kind === 'anthropic' ? anthropicRequest : openaiRequest)(request, options)
  const retryPolicy = { timeoutMs, retriesMax: 1, backoffMs: 1_000 }
  const limits = { retryPolicy, answerBytesMax: ANSWER_BYTES_MAX }
  const response = await postJson({ url, headers, body, ...limits, failure: MODEL_FAILURE, signal })
  const reply = kind === 'anthropic' ? readAnthropic(response.body) : readOpenAi(response.body)
  if (reply.text === '') throw modelUnavailable(`${response.host} answered without a text`)
  return { ...reply, model: reply.model || options.model }
}

const anthropicRequest = ({ system, user }: ModelRequest, { model, key }: ServiceOptions) => ({
  headers: { 'anthropic-version': '2023-06-01', ...(key && { 'x-api-key': key }) },
  body: { model, max_tokens: ANSWER_TOKENS_MAX, system, messages: [{ role: 'user', content: user }] },
})

const openaiRequest = ({ system, user }: ModelRequest, { model, key }: ServiceOptions) => ({
  headers: key ? { authorization: `Bearer ${key}` } : {},
  body: {
    model,
    max_completion_tokens: ANSWER_TOKENS_MAX,
    response_format: { type: 'json_object' },
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  },
})

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(objectOf) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function readAnthropic(body: unknown): ModelReply {
  const { content, model, usage } = objectOf(body)
  const { input_tokens: input, output_tokens: output } = objectOf(usage)
  return {
    text: listOf(content)
      .map((block) => textOf(block['text']))
      .join(''),
    model: textOf(model),
    tokens: input === undefined ? undefined : { input: tokenCount(input), output: tokenCount(output) },
  }
}

function readOpenAi(body: unknown): ModelReply {
  const { choices, model, usage } = objectOf(body)
  const { prompt_tokens: input, completion_tokens: output } = objectOf(usage)
  return {
    text: textOf(objectOf(listOf(choices)[0]?.['message'])['content']),
    model: textOf(model),
    tokens: input === undefined ? undefined : { input: tokenCount(input), output: tokenCount(output) },
  }
}

function parseEndpoint(endpoint: string, path: string): URL {
  const hint = 'Use https://host, or remove the line to use the default.'
  const url = parseHttpUrl(endpoint, 'distill.endpoint in config.yaml', hint)
  const base = url.pathname.replace(/\/+$/, '')
  // A base URL with the version is common: `https://host/v1`.
  url.pathname = `${path.startsWith('v1/') ? base.replace(/\/v1$/, '') : base}/${path}`
  return url
}

export interface ModelReply {
  readonly text: string
  /** As the service names it. */
  readonly model: string
  /** As the service counts them; undefined if it does not. */
  readonly tokens: { readonly input: number; readonly output: number } | undefined
}

/** Tokens of an answer, at most: fifteen statements take about two thousand. */
const ANSWER_TOKENS_MAX = 4_096

export const MODEL_FAILURE: FailureTexts = {
  code: 'MODEL_UNAVAILABLE',
  deniedHint: 'Check the key, and that it is allowed to use the model.',
  laterHint: 'It is tried again when the next session ends; until then the built-in result stands.',
}

export const modelUnavailable = (what: string, hint = MODEL_FAILURE.laterHint): MemoryError =>
  new MemoryError('MODEL_UNAVAILABLE', what, { hint })

/** A count of tokens as a service writes it; 0 for anything else. */
export const tokenCount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
