// Builds memories and changes from a caller's input, without private parts and secrets, as in events from hooks.
import { computeImportance } from '../../model/importance.ts'
import type { ContentType, Memory, MemoryChange, Retention, TrustLevel } from '../../model/memory.ts'
import { newMemory } from '../../model/memory.ts'
import { removePrivateDeep } from '../../record/redact/privateTags.ts'
import { redactDeep } from '../../record/redact/redact.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

/** Removes secrets and private parts from all texts in a value. */
export const sanitize = <T>(value: T): T => redactDeep(removePrivateDeep(value)) as T

interface MemoryInput {
  readonly id: Memory['id']
  readonly content: string
  readonly contentType: ContentType
  readonly retention: Retention
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly agentId?: string | undefined
  readonly session?: Memory['session']
  /** Seconds until it expires, from 0 up. */
  readonly ttlSeconds?: number | undefined
  readonly trust?: TrustLevel
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The user stored it on purpose, and nothing else is known yet. */
const TERMS = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal: 1, costSaved: 0 }

export function memoryFromInput(input: MemoryInput): Memory {
  const { id, contentType, retention, agentId, session, ttlSeconds, trust = 'tools', now } = input
  const { content, tags, metadata } = sanitize({ content: input.content, tags: input.tags, metadata: input.metadata })
  const fields = {
    id,
    content,
    contentType,
    retention,
    metadata,
    trust,
    session,
    agentId,
    kind: 'entry' as const,
    source: 'manual' as const,
    tags: uniqueTags(tags),
    importance: computeImportance(TERMS, DEFAULT_POLICY.importance),
    importanceTerms: TERMS,
    created: new Date(now).toISOString(),
    expires: ttlSeconds === undefined ? undefined : expiryTime(now, ttlSeconds),
  }
  return newMemory(fields, DEFAULT_POLICY.strength.initial)
}

export function sanitizeChange(change: MemoryChange): MemoryChange {
  const { content, tags, metadata } = change
  const sanitized = sanitize({ content, tags, metadata })
  return { ...change, ...sanitized, tags: sanitized.tags && uniqueTags(sanitized.tags) }
}

/** The latest time of a JavaScript date. */
const TIME_MS_MAX = 8.64e15

const expiryTime = (now: number, seconds: number): string =>
  new Date(Math.min(TIME_MS_MAX, now + 1000 * seconds)).toISOString()

const uniqueTags = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
