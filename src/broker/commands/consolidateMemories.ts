// Summarizes memories: several into one new memory, or one text. A consolidated memory is as private as its most
// private source.
import type { MemoryId } from '../../model/id.ts'
import { type Memory, newMemory } from '../../model/memory.ts'
import { PRIVACY_LEVELS } from '../../model/privacy.ts'
import { summarizeExtractively } from '../../organize/extractiveSummary.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { sanitize } from './newMemory.ts'

/** Length of a consolidated memory, in characters: half of its sources within these limits. */
const CONSOLIDATED_CHARS_MIN = 600
const CONSOLIDATED_CHARS_MAX = 4_000

/** Characters of a summary: two or three sentences. */
const SUMMARY_CHARS_MAX = 400

interface ConsolidationInput {
  readonly id: MemoryId
  /** The tags of all sources if left out. */
  readonly tags?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A new memory that summarizes these sources. There must be at least one source. */
export function consolidateMemories(sources: readonly Memory[], input: ConsolidationInput): Memory {
  const { id, tags, metadata, now } = input
  const texts = sources.map((memory) => memory.content)
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  const maxChars = Math.min(CONSOLIDATED_CHARS_MAX, Math.max(CONSOLIDATED_CHARS_MIN, chars / 2))
  const union = (field: (memory: Memory) => readonly string[]): string[] => [...new Set(sources.flatMap(field))]
  const { privacy, role, agentId, session } = sources.reduce((mostPrivate, memory) =>
    privacyRank(memory) < privacyRank(mostPrivate) ? memory : mostPrivate,
  )
  return newMemory(
    {
      id,
      content: summarizeExtractively(texts, maxChars),
      privacy,
      role,
      kind: 'consolidated',
      source: 'manual',
      // A public memory belongs to no agent or session.
      ...(privacy === 'public' ? {} : { agentId, session }),
      lessons: union((memory) => memory.lessons),
      tags: tags ? sanitize([...new Set(tags)]) : union((memory) => memory.tags),
      metadata: sanitize(metadata ?? {}),
      consolidatedFrom: sources.map((memory) => memory.id),
      files: union((memory) => memory.files).slice(0, 40),
      importance: Math.max(...sources.map((memory) => memory.importance)),
      trust: sources.some((memory) => memory.trust === 'outside') ? 'outside' : 'tools',
      created: new Date(now).toISOString(),
    },
    DEFAULT_POLICY.strength.initial,
  )
}

/** 0 is the most private level. */
const privacyRank = (memory: Memory): number => PRIVACY_LEVELS.indexOf(memory.privacy)

/** The most important sentences of a text, at most 400 characters; empty for a text without words. */
export const summarizeText = (text: string): string => summarizeExtractively([text], SUMMARY_CHARS_MAX)
