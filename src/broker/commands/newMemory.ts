// Given: what a caller wants kept, as it may be kept: private parts and secrets out, as with what hooks record.
import { computeImportance } from '../../model/importance.ts'
import type { ContentType, Memory, MemoryChange, Retention, TrustLevel } from '../../model/memory.ts'
import { newMemory } from '../../model/memory.ts'
import { removePrivateDeep } from '../../record/redact/privateTags.ts'
import { redactDeep } from '../../record/redact/redact.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

/** A value without secrets and private parts, in whatever text of it. */
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

/** Somebody had it kept on purpose: that is the whole of the user's signal, and nothing more is known of it yet. */
const TERMS = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal: 1, costSaved: 0 }

/** What somebody wrote, as a memory. */
export function memoryFromInput(given: MemoryInput): Memory {
  const { id, contentType, retention, agentId, session, ttlSeconds, trust = 'tools', now } = given
  const { content, tags, metadata } = sanitize({ content: given.content, tags: given.tags, metadata: given.metadata })
  const made = {
    ...{ id, content, contentType, retention, metadata, trust, session, agentId },
    kind: 'entry' as const,
    source: 'manual' as const,
    tags: once(tags),
    importance: computeImportance(TERMS, DEFAULT_POLICY.importance),
    importanceTerms: TERMS,
    created: new Date(now).toISOString(),
    expires: ttlSeconds === undefined ? undefined : expiry(now, ttlSeconds),
  }
  return newMemory(made, DEFAULT_POLICY.strength.initial)
}

/** A change as it may be kept. */
export function sanitizeChange(change: MemoryChange): MemoryChange {
  const { content, tags, metadata } = change
  const kept = sanitize({ content, tags, metadata })
  return { ...change, ...kept, tags: kept.tags && once(kept.tags) }
}

/** The latest moment that JavaScript can tell. */
const LATEST_MS = 8.64e15

const expiry = (now: number, seconds: number): string =>
  new Date(Math.min(LATEST_MS, now + 1000 * seconds)).toISOString()

const once = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
