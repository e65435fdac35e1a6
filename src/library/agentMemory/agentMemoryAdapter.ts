// One domain model: a memory of the store seen as an agent's, and an agent's memory as the store keeps it.
import { sanitize } from '../../broker/commands/newMemory.ts'
import { type Memory, newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { AgentMemory } from './agentMemory.ts'

/** One memory's content, in characters: as long as the tools allow. */
const CONTENT_CHARS_MAX = 64_000

/** Somebody's memory as an agent's own; memories of no agent belong to the main conversation. */
export function toAgentMemory(memory: Memory): AgentMemory {
  const { embedding } = memory
  return new AgentMemory({
    id: memory.id,
    agentId: agentIdOf(memory),
    content: memory.content,
    embedding: embedding ? numbersIn(embedding.vector) : null,
    tags: memory.tags,
    scopeLevel: memory.scope,
    scopeDomain: memory.scopeDomain ?? null,
    scopeProject: memory.scopeProject ?? null,
    strength: memory.strength,
    strengthByPerspective: memory.strengthByPerspective,
    accessCount: memory.accessCount,
    candidateCount: memory.candidateCount,
    lastAccessedAt: dateOf(memory.lastUsed),
    impactScore: memory.impactScore,
    consolidationLevel: memory.consolidationLevel,
    learnings: memory.learnings,
    status: memory.status,
    source: memory.source,
    createdAt: new Date(memory.created),
    updatedAt: new Date(memory.updated),
    lastDecayAt: dateOf(memory.lastDecayed),
  })
}

/** Whose memory it is. */
export const agentIdOf = (memory: Memory): string => memory.agentId ?? memory.role

/**
 * What the store keeps of an agent's memory: secrets and private parts out, whatever of `before` an AgentMemory has no word for as it was.
 * `model` is the embedder whose vector it brings along. Throws INPUT_INVALID for a content that is too long.
 */
export function toStoredMemory(given: AgentMemory, model: string, before?: Memory): Memory {
  const { content, tags, learnings } = sanitize({
    content: given.content,
    tags: [...new Set(given.tags)],
    learnings: given.learnings,
  })
  if (content.length > CONTENT_CHARS_MAX) {
    throw new MemoryError('INPUT_INVALID', `content has ${content.length} characters`, {
      hint: `Give at most ${CONTENT_CHARS_MAX}, or keep it as several memories.`,
    })
  }
  const own = {
    ...{ id: given.id, content, tags, learnings },
    agentId: before && agentIdOf(before) === given.agentId ? before.agentId : given.agentId,
    // So that a recall finds and tells what was learnt by it, too.
    lessons: Object.values(learnings),
    scope: given.scopeLevel,
    scopeProject: given.scopeProject ?? undefined,
    scopeDomain: given.scopeDomain ?? undefined,
    strength: given.strength,
    strengthByPerspective: given.strengthByPerspective,
    accessCount: given.accessCount,
    candidateCount: given.candidateCount,
    lastUsed: isoOf(given.lastAccessedAt),
    impactScore: given.impactScore,
    consolidationLevel: given.consolidationLevel,
    status: given.status,
    source: given.source ?? 'manual',
    created: given.createdAt.toISOString(),
    updated: given.updatedAt.toISOString(),
    lastDecayed: isoOf(given.lastDecayAt),
    embedding: given.embedding ? { model, vector: packed(given.embedding) } : undefined,
  }
  return before ? { ...before, ...own } : newMemory({ kind: 'entry', ...own }, given.strength)
}

const dateOf = (iso: string | undefined): Date | null => (iso === undefined ? null : new Date(iso))
const isoOf = (date: Date | null): string | undefined => date?.toISOString()

/** 32-bit numbers in base64, as the log keeps them: a fourth of what they are as text. */
const packed = (numbers: readonly number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString('base64')

function numbersIn(vector: string): number[] {
  const bytes = Buffer.from(vector, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
}
