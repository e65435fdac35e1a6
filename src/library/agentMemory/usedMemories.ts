// Which memories a task's result shows to have been used: seed 000's way by keywords.
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { ScoredMemory } from './memoryRanker.ts'

/** From this share of a memory's own words in the result it was used, 0 to 1: half of what it says. */
const USED_FROM = 0.5

/** With fewer distinct words than this, all must be there: one word of two proves nothing. */
const WORDS_MIN = 4

/**
 * Those whose id, whole content, or half of whose distinct words are in the result. Words that more than half of the candidates share say
 * nothing of any one of them, and are not counted where others are left.
 */
export function findUsedMemories(result: string, candidates: readonly ScoredMemory[]): ScoredMemory[] {
  const said = new Set(extractTerms(result))
  const words = candidates.map(({ memory }) => new Set(extractTerms(memory.content)))
  const spread = new Map<string, number>()
  for (const one of words) for (const word of one) spread.set(word, (spread.get(word) ?? 0) + 1)
  const isTelling = (word: string): boolean => candidates.length < 3 || spread.get(word)! <= candidates.length / 2
  return candidates.filter(({ memory }, i) => {
    if (result.includes(memory.id) || result.includes(memory.content.trim())) return true
    const telling = [...words[i]!].filter(isTelling)
    const counted = telling.length >= WORDS_MIN ? telling : [...words[i]!]
    if (counted.length === 0) return false
    const met = counted.filter((word) => said.has(word)).length
    return counted.length < WORDS_MIN ? met === counted.length : met >= USED_FROM * counted.length
  })
}

/** A task's result as text: itself, or its JSON. */
export function formatTaskResult(result: unknown): string {
  if (typeof result === 'string') return result
  try {
    return JSON.stringify(result) ?? ''
  } catch {
    return String(result) // It holds itself, or a BigInt.
  }
}
