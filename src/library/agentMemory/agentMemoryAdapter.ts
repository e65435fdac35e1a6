// Converts between the store's memories and the AgentMemory of the agent-memory spec.
import { sanitize } from '../../broker/commands/newMemory.ts'
import type { MemoryId } from '../../model/id.ts'
import { type Memory, newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { toWellFormed } from '../../text/excerpt.ts'
import { AgentMemory, checkAgentFields } from './agentMemory.ts'

/** Length of a memory's content, the same limit as the tools have. */
const CONTENT_CHARS_MAX = 64_000

/** A memory of the store as an AgentMemory. */
export function toAgentMemory(memory: Memory): AgentMemory {
  const { embedding } = memory
  return AgentMemory.fromStored({
    id: memory.id,
    agentId: agentIdOf(memory),
    content: memory.content,
    embedding: embedding ? Array.from(decodeVector(embedding.vector)) : null,
    tags: memory.tags,
    scopeLevel: memory.scope,
    scopeDomain: memory.scopeDomain ?? null,
    scopeProject: memory.scopeProject ?? null,
    ...usageCounts(memory),
    lastAccessedAt: dateOf(memory.lastUsed),
    learnings: memory.learnings,
    status: memory.status,
    source: memory.source,
    createdAt: dateOf(memory.created) ?? new Date(0),
    updatedAt: dateOf(memory.updated) ?? new Date(0),
    lastDecayAt: dateOf(memory.lastDecayed),
  })
}

/** The agent that a memory belongs to; a memory without an agent id belongs to its role, such as main. */
export const agentIdOf = (memory: Memory): string => memory.agentId ?? memory.role

/**
 * A memory as every store keeps it: without secrets and private parts, and with U+FFFD for characters that a database
 * cannot store. The vector of a text with a secret is left out. Throws INPUT_INVALID for a field that is not valid,
 * however the memory was made, and if the content is too long.
 */
export function cleanMemory(memory: AgentMemory): AgentMemory {
  checkAgentFields(memory)
  const { agentId, content, learnings, scopeDomain, scopeProject } = memory
  const tags = [...new Set(memory.tags)]
  const given = toWellFormed(replaceNul({ agentId, content, tags, learnings, scopeDomain, scopeProject }))
  const texts = sanitize(given)
  const embedding = texts.content === given.content ? memory.embedding : null
  const { strengthByPerspective: strengths, source } = memory
  const strengthByPerspective = Object.fromEntries(
    Object.entries(strengths).map(([name, own]) => [sanitize(name), own]),
  )
  const stored = { ...memory, ...texts, strengthByPerspective, embedding, source: source ?? ('manual' as const) }
  const { length } = stored.content
  if (length <= CONTENT_CHARS_MAX) return AgentMemory.fromStored(stored)
  throw new MemoryError('INPUT_INVALID', `content has ${length} characters`, {
    hint: `Give at most ${CONTENT_CHARS_MAX}, or store it as several memories.`,
  })
}

/** U+0000, which PostgreSQL cannot store, becomes U+FFFD in all texts. */
function replaceNul<Value>(value: Value): Value {
  const json = JSON.stringify(value)
  if (!json.includes('\\u0000')) return value
  const replace = (_: string, item: unknown) => (typeof item === 'string' ? item.replaceAll('\0', '\ufffd') : item)
  return JSON.parse(json, replace)
}

/**
 * An AgentMemory for the project's own store. Fields of `before` that an AgentMemory does not have are kept. `model`
 * names the embedder of its vector. Throws INPUT_INVALID as `cleanMemory`.
 */
export function toStoredMemory(given: AgentMemory, model: string, before?: Memory): Memory {
  const memory = cleanMemory(given)
  const { content, tags, learnings } = memory
  const fields = {
    id: memory.id as MemoryId,
    content,
    tags,
    learnings,
    agentId: before && agentIdOf(before) === memory.agentId ? before.agentId : memory.agentId,
    // So that a recall finds and shows its learnings too.
    lessons: Object.values(learnings),
    scope: memory.scopeLevel,
    scopeProject: memory.scopeProject ?? undefined,
    scopeDomain: memory.scopeDomain ?? undefined,
    ...usageCounts(memory),
    lastUsed: isoOf(memory.lastAccessedAt),
    status: memory.status,
    source: memory.source ?? 'manual',
    created: memory.createdAt.toISOString(),
    updated: memory.updatedAt.toISOString(),
    lastDecayed: isoOf(memory.lastDecayAt),
    embedding: memory.embedding ? { model, vector: encodeVector(memory.embedding) } : undefined,
  }
  return before ? { ...before, ...fields } : newMemory({ kind: 'entry', ...fields }, memory.strength)
}

/** What use in any project changes, besides times. */
export const usageCounts = (memory: Memory | AgentMemory) => ({
  strength: memory.strength,
  strengthByPerspective: memory.strengthByPerspective,
  accessCount: memory.accessCount,
  candidateCount: memory.candidateCount,
  impactScore: memory.impactScore,
  consolidationLevel: memory.consolidationLevel,
})

const dateOf = (iso: string | undefined): Date | null =>
  iso === undefined || Number.isNaN(Date.parse(iso)) ? null : new Date(iso)
const isoOf = (date: Date | null): string | undefined => date?.toISOString()

/** 32-bit floats in base64, a fourth of their length as text. */
export const encodeVector = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64')

/** The numbers of a stored vector. */
export function decodeVector(vector: string): Float32Array {
  const { buffer, byteOffset, length } = Buffer.from(vector, 'base64')
  // A copy: the bytes of a buffer may begin anywhere.
  return new Float32Array(buffer.slice(byteOffset, byteOffset + length - (length % 4)))
}
