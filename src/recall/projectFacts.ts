// Which project facts are shown: the worthiest at a start, elsewhere those that are about what is happening. Pure.
import type { FactNote } from '../model/factNote.ts'
import { newMemory } from '../model/memory.ts'
import type { FactNumbers } from '../model/policy.ts'
import { type RecalledMemory, UNRANKED_FEATURE } from '../model/recallQuery.ts'
import { type FactSituation, matchesTrigger } from '../text/factTrigger.ts'
import { estimateTokens } from '../text/tokenCount.ts'

/** The facts for the start of a conversation, `startTokens` long at most, without outdated ones. */
export function selectStartFacts(
  facts: readonly FactNote[],
  { startTokens }: Pick<FactNumbers, 'startTokens'>,
  isOutdated: (fact: FactNote) => boolean = () => false,
): FactNote[] {
  const selected: FactNote[] = []
  let tokens = 0
  for (const fact of facts) {
    const cost = estimateTokens(renderFact(fact)) + 1
    // Without a remedy a fact helps only where it is about to be met.
    if (!fact.hasRemedy || tokens + cost > startTokens || isOutdated(fact)) continue
    selected.push(fact)
    tokens += cost
    if (startTokens - tokens < SHORTEST_TOKENS) break
  }
  return selected
}

/** No fact is shorter. */
const SHORTEST_TOKENS = 10

/** The facts that are about this call or failure, the worthiest first; `noteMax` at most. */
export function matchFacts(
  facts: readonly FactNote[],
  situation: FactSituation,
  { noteMax }: Pick<FactNumbers, 'noteMax'>,
): FactNote[] {
  const matching: FactNote[] = []
  for (const fact of facts) {
    if (matching.length === noteMax) break
    if (fact.triggers.some((trigger) => matchesTrigger(trigger, situation))) matching.push(fact)
  }
  return matching
}

/** One line: `Use X: Y does not exist (3 sessions, last 2026-01-12)`. */
export function renderFact({ line, sessions, lastMet }: Pick<FactNote, 'line' | 'sessions' | 'lastMet'>): string {
  const day = lastMet.slice(0, 10)
  return `- ${line} (${sessions > 1 ? `${sessions} sessions, last ${day}` : `once, ${day}`})`
}

/** The fact as a memory that was recalled. */
export function toRecalledFact(fact: FactNote): RecalledMemory {
  const memory = newMemory({
    id: fact.id,
    kind: 'fact',
    content: fact.line,
    created: fact.lastMet,
    sessionCount: fact.sessions,
  })
  return { memory, score: fact.worth, features: { [UNRANKED_FEATURE]: 1 }, breakdown: {} }
}
