// Consolidate: several memories as one, told in their own words. No more open than the most hidden of them.
import type { MemoryId } from '../../model/id.ts'
import { type Memory, newMemory } from '../../model/memory.ts'
import { PRIVACY_LEVELS } from '../../model/privacy.ts'
import { summarizeExtractively } from '../../organize/extractiveSummary.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { sanitize } from './newMemory.ts'

/** Characters of the one that is made: half of the others', but enough for a sentence of each, and no more than is read at once. */
const CHARS_MIN = 600
const CHARS_MAX = 4_000

interface ConsolidationInput {
  readonly id: MemoryId
  /** Those of all the originals where left out. */
  readonly tags?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memory that these come to; at least one must be given. */
export function consolidateMemories(
  originals: readonly Memory[],
  { id, tags, metadata, now }: ConsolidationInput,
): Memory {
  const texts = originals.map((memory) => memory.content)
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  const content = summarizeExtractively(texts, Math.min(CHARS_MAX, Math.max(CHARS_MIN, chars / 2)))
  const union = (of: (memory: Memory) => readonly string[]): string[] => [...new Set(originals.flatMap(of))]
  const hidden = originals.reduce((most, one) => (hiddenness(one) < hiddenness(most) ? one : most))
  const { privacy, role, agentId, session } = hidden
  return newMemory(
    {
      ...{ id, content, privacy, role },
      kind: 'consolidated',
      source: 'manual',
      // Whose it is matters for what is hidden alone.
      ...(privacy === 'public' ? {} : { agentId, session }),
      lessons: union((memory) => memory.lessons),
      tags: tags ? sanitize([...new Set(tags)]) : union((memory) => memory.tags),
      metadata: sanitize(metadata ?? {}),
      consolidatedFrom: originals.map((memory) => memory.id),
      files: union((memory) => memory.files).slice(0, 40),
      importance: Math.max(...originals.map((memory) => memory.importance)),
      trust: originals.some((memory) => memory.trust === 'outside') ? 'outside' : 'tools',
      created: new Date(now).toISOString(),
    },
    DEFAULT_POLICY.strength.initial,
  )
}

const hiddenness = (memory: Memory): number => PRIVACY_LEVELS.indexOf(memory.privacy)
