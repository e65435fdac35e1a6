// A service may answer without an end, slowly, or with a small file that unpacks to a large one: all of it has a limit.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import zlib from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { postJson } from '../../src/http/postJson.ts'

const BYTES_MAX = 100_000

let server: http.Server
let attempts = 0
let sentBytes = 0
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function ask(answer: (response: http.ServerResponse) => void, signal?: AbortSignal, timeoutMs = 400) {
  attempts = 0
  sentBytes = 0
  server = http.createServer((request, response) => {
    attempts++
    request.resume().on('end', () => answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const failure = { code: 'MODEL_UNAVAILABLE', deniedHint: '', laterHint: 'Later.' } as const
  const retryPolicy = { timeoutMs, retriesMax: 50, backoffMs: 1 }
  return postJson({ url, headers: {}, body: {}, retryPolicy, answerBytesMax: BYTES_MAX, failure, signal })
}

/** Sends as fast as the other side reads, until the connection ends. */
const sendWithoutEnd = (status: number) => (response: http.ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  const part = Buffer.alloc(65_536, ' ')
  const send = (): void => {
    do sentBytes += part.length
    while (!response.destroyed && response.write(part))
  }
  response.on('drain', send)
  send()
}

test.each([200, 500])('postJson: an answer without an end is given up at its limit (%i)', async (status) => {
  await expect(ask(sendWithoutEnd(status))).rejects.toThrow(/answered (?:more than 100000 bytes|500)/)
  // What the sockets have taken beside it.
  expect(sentBytes / attempts).toBeLessThan(BYTES_MAX + 16 * 2 ** 20)
})

test('postJson: a packed answer counts as what it unpacks to', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(50_000_000, ' '))
  const sent = ask((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(bomb)
  })
  await expect(sent).rejects.toThrow('answered more than 100000 bytes')
})

test('postJson: an answer that comes byte by byte ends at its time limit, all attempts at twice of it', async () => {
  const slow = (response: http.ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
  await expect(ask(slow)).rejects.toThrow(/nothing within 400 ms in \d attempts/)
  expect(attempts).toBeLessThan(4)
})

test('postJson: a wait that the service requests is no way to keep it longer', async () => {
  const later = (response: http.ServerResponse): void => {
    response.writeHead(429, { 'retry-after': '50' })
    response.end()
  }
  await expect(ask(later)).rejects.toThrow('answered 429')
  expect(attempts).toBe(1)
})

test('postJson: who cancels does not wait for a slow answer', async () => {
  const controller = new AbortController()
  const sent = ask((response) => void response.writeHead(200).write(' '), controller.signal, 100_000)
  await Promise.race([wait(50), sent.catch(() => {})])
  controller.abort()
  await expect(sent).rejects.toMatchObject({ code: 'CANCELLED' })
})
