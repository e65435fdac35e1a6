// Posts JSON and retries temporary failures, with growing waits or those that the service requests.

import { setTimeout as wait } from 'node:timers/promises'
import { assertNotCancelled } from '../model/longCall.ts'
import { MemoryError } from '../model/memoryError.ts'
import { objectOf, parseObject } from '../model/unknownJson.ts'

interface RetryPolicy {
  /** The time limit of one attempt, in milliseconds. All attempts and waits together take at most twice as long. */
  readonly timeoutMs: number
  readonly retriesMax: number
  /** The wait before the first retry, in milliseconds; doubled each time. */
  readonly backoffMs: number
}

interface JsonRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  readonly retryPolicy: RetryPolicy
  /** The longest answer, unpacked. */
  readonly answerBytesMax: number
  readonly failure: FailureTexts
  /** Ends the request, and the wait before the next attempt. */
  readonly signal?: AbortSignal | undefined
}

/** The error of a service that does not answer, and what the user can do. */
export interface FailureTexts {
  readonly code: 'EMBEDDER_UNAVAILABLE' | 'MODEL_UNAVAILABLE'
  /** For a key that is wrong or may not do this. */
  readonly deniedHint: string
  /** For everything that may pass by itself. */
  readonly laterHint: string
}

/** The address of a service from the config. Throws CONFIG_INVALID for `what` that is none. */
export function parseHttpUrl(text: string, what: string, hint: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new MemoryError('CONFIG_INVALID', `${what} is not an HTTP URL`, { hint })
}

export type JsonResponse = Awaited<ReturnType<typeof postJson>>

/** The longest wait, whatever the service requests, in milliseconds. */
const WAIT_MAX_MS = 60_000

/**
 * Returns the JSON of the response. Throws CANCELLED, and the error of `failure`; its message contains no value of a
 * header. The host is for messages: the full URL may contain secrets.
 */
export async function postJson(request: JsonRequest) {
  const { signal, url } = request
  const { host } = url
  const { retriesMax, backoffMs, timeoutMs } = request.retryPolicy
  const endMs = Date.now() + 2 * timeoutMs
  for (let attempt = 0; ; attempt++) {
    assertNotCancelled(signal)
    const result = await sendOnce(request, Math.min(timeoutMs, endMs - Date.now()))
    assertNotCancelled(signal)
    if (result.kind === 'success') return { body: result.body, host }
    const waitMs = Math.min(WAIT_MAX_MS, result.waitMs ?? backoffMs * 2 ** attempt)
    const isLast = attempt >= retriesMax || Date.now() + waitMs >= endMs
    if (!result.isTemporary || isLast) throw requestError(request, result, attempt + 1)
    await wait(waitMs, undefined, { signal }).catch(() => assertNotCancelled(signal))
  }
}

interface Failure {
  readonly kind: 'failure'
  readonly what: string
  readonly status?: number
  readonly isTemporary: boolean
  /** The wait that the service requests, in milliseconds. */
  readonly waitMs?: number | undefined
}

type Attempt = { readonly kind: 'success'; readonly body: unknown } | Failure

/** One attempt of at most `limitMs`, with everything: a service can send one byte at a time, and never end. */
async function sendOnce(request: JsonRequest, limitMs: number): Promise<Attempt> {
  const controller = new AbortController()
  const end = (): void => controller.abort()
  request.signal?.addEventListener('abort', end)
  // The signals of Node 20 can be collected as garbage while a body is read, so the timer is our own.
  const timer = setTimeout(end, limitMs)
  const late = new Promise<Failure>((resolve) => {
    const what = `nothing within ${request.retryPolicy.timeoutMs} ms`
    controller.signal.addEventListener('abort', () => resolve({ kind: 'failure', what, isTemporary: true }))
  })
  try {
    return await Promise.race([exchange(request, controller.signal), late])
  } finally {
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', end)
    end()
  }
}

async function exchange({ url, headers, body, answerBytesMax }: JsonRequest, signal: AbortSignal): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    })
    const text = await readText(response, answerBytesMax)
    const tooLong = `more than ${answerBytesMax} bytes`
    if (response.ok && text === undefined) return { kind: 'failure', what: tooLong, isTemporary: false }
    if (response.ok) return { kind: 'success', body: JSON.parse(text ?? '') }
    const { status } = response
    const what = `${status}${formatErrorCode(text ?? '')}`
    const isTemporary = status === 429 || status === 408 || status >= 500
    return { kind: 'failure', what, status, isTemporary, waitMs: parseRetryAfter(response.headers) }
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'failure', what: 'something that is not JSON', isTemporary: false }
    return { kind: 'failure', what: `no connection${formatCause(error)}`, isTemporary: true }
  }
}

/** The text of a body, unpacked part by part; undefined if it has more bytes. */
async function readText({ body }: Response, bytesMax: number): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > bytesMax) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The service's error code; not its message, because some repeat the key. */
function formatErrorCode(text: string): string {
  const { code, type } = objectOf(parseObject(text)?.['error'])
  const named = [code, type].find((value) => typeof value === 'string' && /^[a-zA-Z_]{1,40}$/.test(value))
  return named ? ` (${named})` : ''
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function formatCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}

function requestError({ url, failure }: JsonRequest, { what, status }: Failure, attempts: number): MemoryError {
  const hint =
    status === 401 || status === 403
      ? failure.deniedHint
      : status === 404
        ? 'Check the endpoint and the name of the model or deployment.'
        : failure.laterHint
  const suffix = attempts > 1 ? ` in ${attempts} attempts` : ''
  return new MemoryError(failure.code, `${url.host} answered ${what}${suffix}`, { hint })
}
