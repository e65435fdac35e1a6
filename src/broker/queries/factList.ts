// The project facts of a store for people: the worthiest first, standing commands last.
import type { FactTopic, ProjectFact } from '../../model/fact.ts'
import type { Memory } from '../../model/memory.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { expectedFailures } from '../projection/factFile.ts'
import { listMemories } from './browse.ts'

export interface FactEntry {
  readonly memory: Memory
  readonly fact: ProjectFact
  /** Failed calls that showing it is expected to prevent; only the order means something. */
  readonly worth: number
}

export interface FactFilter {
  readonly topics?: readonly FactTopic[] | undefined
  /** Retired ones too. */
  readonly includesRetired?: boolean | undefined
}

/** The facts at `now` (milliseconds since 1970), the worthiest first. */
export function listFacts(
  store: Store,
  now: number,
  { topics, includesRetired = false }: FactFilter = {},
): FactEntry[] {
  const numbers = readActivePolicy(store).policy.facts
  const entries = listMemories(store, { kinds: ['fact'] }).flatMap((memory) => {
    const { fact } = memory
    if (fact === undefined || (fact.state === 'retired' && !includesRetired)) return []
    if (topics !== undefined && !topics.includes(fact.topic)) return []
    return [{ memory, fact, worth: expectedFailures(memory, fact, now, numbers) }]
  })
  return entries.sort((a, b) => b.worth - a.worth || (a.memory.id < b.memory.id ? -1 : 1))
}
