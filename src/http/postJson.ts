// Posts JSON and retries temporary failures, with growing waits or those that the service requests.
import { setTimeout as wait } from 'node:timers/promises'
import { assertNotCancelled } from '../model/cancellation.ts'
import { MemoryError } from '../model/memoryError.ts'

interface RetryPolicy {
  /** The time limit of one attempt, in milliseconds. */
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

export interface JsonResponse {
  readonly body: unknown
  /** For messages: the full URL may contain secrets. */
  readonly host: string
}

/** The longest wait, whatever the service requests, in milliseconds. */
const WAIT_MAX_MS = 60_000

/**
 * Returns the JSON of the response. Throws CANCELLED, and the error of `failure`; its message contains no value of a
 * header.
 */
export async function postJson(request: JsonRequest): Promise<JsonResponse> {
  const { signal, url } = request
  const { host } = url
  const { retriesMax, backoffMs } = request.retryPolicy
  for (let attempt = 0; ; attempt++) {
    assertNotCancelled(signal)
    const result = await sendOnce(request)
    assertNotCancelled(signal)
    if (result.kind === 'success') return { body: result.body, host }
    if (!result.isTemporary || attempt >= retriesMax) throw requestError(request, result, attempt + 1)
    const waitMs = Math.min(WAIT_MAX_MS, result.waitMs ?? backoffMs * 2 ** attempt)
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

async function sendOnce({ url, headers, body, signal, retryPolicy: { timeoutMs } }: JsonRequest): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: timeLimit(timeoutMs, signal),
    })
    if (response.ok) return { kind: 'success', body: await response.json() }
    const { status } = response
    const what = `${status}${formatErrorCode(await response.text())}`
    const isTemporary = status === 429 || status === 408 || status >= 500
    return { kind: 'failure', what, status, isTemporary, waitMs: parseRetryAfter(response.headers) }
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'failure', what: 'something that is not JSON', isTemporary: false }
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    const what = isTimeout ? `nothing within ${timeoutMs} ms` : `no connection${formatCause(error)}`
    return { kind: 'failure', what, isTemporary: true }
  }
}

/** Node 20.0 to 20.2 cannot join two signals; there the request that nobody waits for ends at the time limit. */
function timeLimit(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs)
  return signal && 'any' in AbortSignal ? AbortSignal.any([limit, signal]) : limit
}

/** The service's error code; not its message, because some repeat the key. */
function formatErrorCode(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; type?: unknown } }
    const code = [error?.code, error?.type].find(
      (value) => typeof value === 'string' && /^[a-zA-Z_]{1,40}$/.test(value),
    )
    return code ? ` (${code})` : ''
  } catch {
    return '' // The page of a proxy; the status is enough.
  }
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
