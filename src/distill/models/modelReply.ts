// What a model returns, whichever way it was called, and the errors of all ways.
import type { FailureTexts } from '../../http/postJson.ts'
import { MemoryError } from '../../model/memoryError.ts'

export interface ModelReply {
  readonly text: string
  /** As the service names it. */
  readonly model: string
  /** As the service counts them; undefined if it does not. */
  readonly tokens: { readonly input: number; readonly output: number } | undefined
}

/** Tokens of an answer, at most: fifteen statements take about two thousand. */
export const ANSWER_TOKENS_MAX = 4_096

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
