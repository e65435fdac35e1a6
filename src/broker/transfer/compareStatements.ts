// Imported texts beside what the person has said: which says the same, and which contradict one another.
import { contradicts, isSameStatement } from '../../knowledge/compareRules.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import { isAboutFailures } from '../../knowledge/updateRecords.ts'
import { isCurrent, isOfPerson, type Knowledge } from '../../model/knowledge.ts'
import type { Memory, MemoryChange, MemoryMap } from '../../model/memory.ts'

/** A rule of a file, and what the person has said against it. */
export interface RuleConflict {
  readonly rule: Memory
  readonly statement: Memory
}

interface PlacedStatements {
  /** Without those that the person has said here as well; superseded ones are archived. */
  readonly memories: readonly Memory[]
  readonly repeated: number
  /** Known statements that an imported later one supersedes. */
  readonly changes: readonly MemoryChange[]
}

/** Imported statements of the person among those that are known: of two that contradict, the later one stands. */
export function placeStatements(imported: readonly Memory[], known: MemoryMap): PlacedStatements {
  const standing = listStanding(known)
  const memories: Memory[] = []
  const changes: MemoryChange[] = []
  let repeated = 0
  for (const memory of imported) {
    const { knowledge } = memory
    if (!knowledge) {
      memories.push(memory)
      continue
    }
    const others = standing.filter(({ id, knowledge: { scope } }) => id !== memory.id && scope === knowledge.scope)
    if (others.some((other) => isSameStatement(knowledge, other.knowledge))) {
      repeated++
      continue
    }
    const against = others.filter((other) => contradicts(knowledge, other.knowledge))
    const later = against.find(({ updated }) => updated >= memory.created)
    memories.push(later ? supersede(memory, later) : memory)
    if (!later) changes.push(...against.map(({ id }) => ({ memory: id, supersededBy: memory.id })))
  }
  return { memories, repeated, changes }
}

/** The rules that contradict what the person has said, each with the latest such statement. */
export function findConflicts(rules: readonly Memory[], known: MemoryMap): RuleConflict[] {
  const standing = listStanding(known).toSorted((a, b) => (a.updated < b.updated ? 1 : -1))
  if (standing.length === 0) return []
  return rules.flatMap((rule) => {
    const described = { line: rule.content, when: triggersOfRule(rule.content) }
    const statement = standing.find(({ knowledge }) => contradicts(described, knowledge))
    return statement ? [{ rule, statement }] : []
  })
}

type Standing = Memory & { readonly knowledge: Knowledge }

/** What the person said and holds now, without what other programs recorded of it. */
const listStanding = (known: MemoryMap): Standing[] => [...known.values()].filter(isStanding)

const isStanding = (memory: Memory): memory is Standing => {
  const { knowledge, status, importSource } = memory
  if (status !== 'active' || importSource !== undefined || knowledge === undefined) return false
  return isCurrent(knowledge) && isOfPerson(knowledge) && !isAboutFailures(knowledge)
}

const supersede = (memory: Memory, later: Memory): Memory => ({
  ...memory,
  status: 'archived',
  supersededBy: later.id,
  ...(memory.knowledge && { knowledge: { ...memory.knowledge, state: 'superseded' as const } }),
})
