// A model over HTTP, against a service on this machine that speaks as Anthropic and OpenAI document it.
import { expect, test } from 'vitest'
import { askService, type ServiceOptions } from '../../../src/distill/models/askService.ts'
import { startModelService } from '../modelService.ts'

const KEY = 'sk-test-0123456789abcdef'
const REQUEST = { system: 'Read.', user: 'The digest.' }
const service = startModelService()

const ask = (kind: ServiceOptions['kind'], given: Partial<ServiceOptions> = {}) =>
  askService(REQUEST, { kind, endpoint: service.base, key: KEY, model: 'small', timeoutMs: 5_000, ...given })

test('distill: a request to Anthropic follows its reference', async () => {
  service.replies = ['{"summary":"done"}']
  const reply = await ask('anthropic')
  expect(service.calls).toHaveLength(1)
  expect(service.calls[0]).toMatchObject({ url: '/v1/messages', headers: { 'x-api-key': KEY } })
  expect(service.calls[0]!.headers['anthropic-version']).toBe('2023-06-01')
  expect(service.calls[0]!.body).toEqual({
    model: 'small',
    max_tokens: 4096,
    system: 'Read.',
    messages: [{ role: 'user', content: 'The digest.' }],
  })
  expect(reply).toEqual({ text: '{"summary":"done"}', model: 'claude-test', tokens: { input: 900, output: 100 } })
})

test('distill: a request to OpenAI follows its reference', async () => {
  service.replies = ['{}']
  const reply = await ask('openai', { endpoint: `${service.base}/v1/` })
  expect(service.calls[0]).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } })
  expect(service.calls[0]!.body).toMatchObject({ model: 'small', response_format: { type: 'json_object' } })
  expect(reply).toEqual({ text: '{}', model: 'gpt-test', tokens: { input: 800, output: 50 } })
})

test('distill: the endpoint of Anthropic may contain the version', async () => {
  await ask('anthropic', { endpoint: `${service.base}/proxy/v1` })
  expect(service.calls[0]!.url).toBe('/proxy/v1/messages')
})

test('distill: a temporary failure is retried once', async () => {
  service.replies = [{ status: 529, body: { error: { type: 'overloaded_error' } } }, '{"summary":"later"}']
  expect((await ask('anthropic')).text).toBe('{"summary":"later"}')
  expect(service.calls).toHaveLength(2)
})

test('distill: a refused key, a missing network and a slow model are MODEL_UNAVAILABLE, without the key', async () => {
  service.replies = [{ status: 401, body: { error: { type: 'authentication_error', message: `bad ${KEY}` } } }]
  const refused = await ask('anthropic').catch((error: Error) => error)
  expect(refused).toMatchObject({ code: 'MODEL_UNAVAILABLE', hint: expect.stringContaining('Check the key') })
  expect(String(refused)).toContain('401 (authentication_error)')
  expect(String(refused)).not.toContain(KEY)
  await expect(ask('openai', { endpoint: 'http://127.0.0.1:1/v1' })).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('answered no connection'),
  })
  service.replies = [null, null]
  await expect(ask('openai', { timeoutMs: 50 })).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('nothing within 50 ms'),
  })
})

test('distill: an answer without a text and an endpoint that is no URL are errors', async () => {
  service.replies = [{ status: 200, body: { content: [] } }]
  await expect(ask('anthropic')).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  await expect(ask('openai', { endpoint: 'file:///etc' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})
