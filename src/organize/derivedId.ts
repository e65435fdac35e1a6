// The id of a derived memory is a hash of what it is about, so that organizing the same events twice gives the same
// memory.
import { lineKey, statementKey } from '../knowledge/compareRules.ts'
import { type MemoryId, memoryIdFromBits } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { hash64 } from '../text/hash.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** The memory id for these parts: the kind first, then what distinguishes the memory from others of its kind. */
export function deriveMemoryId(...parts: readonly string[]): MemoryId {
  const key = parts.join('\0')
  const [a, b] = hash64(key)
  const [c, d] = hash64(`${key}\0memory`)
  return memoryIdFromBits([a, b, c, d])
}

/**
 * The id of an entry of knowledge, by the terms of its line, as in all versions: a rebuild gives the same ids. By all
 * its words where another statement has that id already ("is allowed", "is not allowed"), or else to the letter.
 */
export function deriveKnowledgeId(
  line: string,
  known: (id: MemoryId) => Memory | undefined,
  ...more: readonly string[]
): MemoryId {
  const isFree = (id: MemoryId): boolean => {
    const other = known(id)?.knowledge?.line
    return other === undefined || statementKey(other) === statementKey(line)
  }
  const keys = [extractTerms(line).join(' ') || line, lineKey(line)]
  const ids = keys.map((key) => deriveMemoryId('knowledge', key, ...more))
  return ids.find(isFree) ?? deriveMemoryId('knowledge', statementKey(line), ...more)
}
