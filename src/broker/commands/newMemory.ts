// Builds memories and changes from a caller's input, without private parts and secrets, as in events from hooks.
import { computeImportance } from '../../model/importance.ts'
import { KNOWLEDGE_CHARS_MAX } from '../../model/knowledge.ts'
import type { ContentType, Memory, MemoryChange, Outcome, Retention, TrustLevel } from '../../model/memory.ts'
import { newMemory } from '../../model/memory.ts'
import type { Privacy } from '../../model/privacy.ts'
import { removePrivateDeep } from '../../record/redact/privateTags.ts'
import { hideSecrets as hideSecretsIn, redactDeepThoroughly } from '../../record/redact/secondPass.ts'
import { firstLine } from '../../text/excerpt.ts'
import { normalizeTaskId } from '../../text/taskReference.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

/** For entry points, which import no phase. */
export const hideSecrets = hideSecretsIn

/** Removes secrets and private parts from all texts in a value. */
export const sanitize = <T>(value: T): T => redactDeepThoroughly(removePrivateDeep(value)) as T

/** The fields of the shared schema of agents; each has the default of a memory of the main conversation. */
export interface AgentFields {
  readonly privacy?: Privacy | undefined
  readonly role?: string | undefined
  /** An issue or another name of a task; a reference is stored in its short form. */
  readonly taskId?: string | undefined
  readonly outcome?: Outcome | undefined
  readonly lessons?: readonly string[] | undefined
}

/** These fields as they are stored. */
export function readAgentFields(input: AgentFields): Pick<Memory, 'taskId' | keyof AgentFields> {
  const { privacy = 'public', role = 'main', outcome = 'unknown', lessons = [], taskId } = input
  const texts = sanitize({ lessons: uniqueTexts(lessons), taskId: taskId && normalizeTaskId(taskId) })
  return { privacy, role: role.trim(), outcome, ...texts }
}

interface MemoryInput extends AgentFields {
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
    ...readAgentFields(input),
    kind: 'entry' as const,
    source: 'manual' as const,
    tags: uniqueTexts(tags),
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
  return { ...change, ...sanitized, tags: sanitized.tags && uniqueTexts(sanitized.tags) }
}

/** With a new text from an agent, an entry of knowledge is the model's: without this it would be the person's. */
export const wordsOfAgent = ({ knowledge }: Memory, content: string | undefined): Pick<MemoryChange, 'knowledge'> =>
  knowledge && content !== undefined
    ? { knowledge: { ...knowledge, author: 'model', line: firstLine(content, KNOWLEDGE_CHARS_MAX) } }
    : {}

/** The latest time of a JavaScript date. */
const TIME_MS_MAX = 8.64e15

const expiryTime = (now: number, seconds: number): string =>
  new Date(Math.min(TIME_MS_MAX, now + 1000 * seconds)).toISOString()

const uniqueTexts = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter(Boolean)),
]
