// One request with patience: a refusal that may pass is tried again, later each time, as the service asks.
import { setTimeout as wait } from 'node:timers/promises'
import { MemoryError } from '../model/memoryError.ts'

interface RetryPolicy {
  /** One try at most, in milliseconds. */
  readonly timeoutMs: number
  readonly retriesMax: number
  /** Wait before the first further try, in milliseconds; doubled each time. */
  readonly backoffMs: number
}

export interface JsonResponse {
  readonly body: unknown
  /** Who answered, for messages: an address may hold more than one should print. */
  readonly host: string
}

/** No wait is longer than this, whatever the service asks for, in milliseconds. */
const WAIT_MAX_MS = 60_000

/** Posts JSON and gives the JSON answered. Throws EMBEDDER_UNAVAILABLE; no header's value is ever in the message. */
export async function postJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: object,
  patience: RetryPolicy,
): Promise<JsonResponse> {
  for (let attempt = 0; ; attempt++) {
    const answer = await once(url, headers, body, patience.timeoutMs)
    if (answer.kind === 'answered') return { body: answer.body, host: url.host }
    if (!answer.mayPass || attempt >= patience.retriesMax) throw refused(url.host, answer, attempt + 1)
    await wait(Math.min(WAIT_MAX_MS, answer.waitMs ?? patience.backoffMs * 2 ** attempt))
  }
}

interface Refused {
  readonly kind: 'refused'
  readonly what: string
  readonly status?: number
  readonly mayPass: boolean
  /** How long the service asks to wait, in milliseconds. */
  readonly waitMs?: number | undefined
}

type Try = { readonly kind: 'answered'; readonly body: unknown } | Refused

async function once(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: object,
  timeoutMs: number,
): Promise<Try> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) return { kind: 'answered', body: await response.json() }
    const { status } = response
    const what = `${status}${codeIn(await response.text())}`
    const mayPass = status === 429 || status === 408 || status >= 500
    return { kind: 'refused', what, status, mayPass, waitMs: waitAsked(response.headers) }
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'refused', what: 'something that is no JSON', mayPass: false }
    const late = error instanceof Error && error.name === 'TimeoutError'
    return {
      kind: 'refused',
      what: late ? `nothing within ${timeoutMs} ms` : `no connection${causeOf(error)}`,
      mayPass: true,
    }
  }
}

/** The service's own word for what is wrong; its message stays out, since some repeat the key. */
function codeIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; type?: unknown } }
    const code = [error?.code, error?.type].find((one) => typeof one === 'string' && /^[a-zA-Z_]{1,40}$/.test(one))
    return code ? ` (${code})` : ''
  } catch {
    return '' // A proxy's page: the status says enough.
  }
}

/** Retry-After: seconds or a date (RFC 9110, 10.2.3). */
function waitAsked(headers: Headers): number | undefined {
  const asked = headers.get('retry-after')
  if (asked === null) return undefined
  const ms = /^\d+(\.\d+)?$/.test(asked.trim()) ? Number(asked) * 1000 : Date.parse(asked) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}

function refused(host: string, { what, status }: Refused, tries: number): MemoryError {
  const hint =
    status === 401 || status === 403
      ? 'Check the key, and that it may use embeddings.'
      : status === 404
        ? 'Check the endpoint, and the name of the model or deployment.'
        : 'Try again later; until then memories are found by their words.'
  const often = tries > 1 ? ` in ${tries} tries` : ''
  return new MemoryError('EMBEDDER_UNAVAILABLE', `${host} answered ${what}${often}`, { hint })
}
