// Imported texts beside what the person has said: which says the same, and which contradict one another.
import type { Memory, MemoryChange, MemoryMap } from '../../model/memory.ts'
import { findSame, isSuperseded } from '../../organize/supersededStatements.ts'
import { describeStatementText } from '../../text/statement/findStatements.ts'

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
    if (!memory.statement) {
      memories.push(memory)
      continue
    }
    const others = standing.filter(
      ({ id, statement }) => id !== memory.id && statement?.scope === memory.statement?.scope,
    )
    if (findSame(describe(memory), others)) {
      repeated++
      continue
    }
    const against = others.filter((other) => doContradict(other, memory))
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
    const found = { ...describeStatementText(rule.content), strength: 3 as const }
    const statement = standing.find((other) => isSuperseded(other, found))
    return statement ? [{ rule, statement }] : []
  })
}

/** What the person said and holds now, without what other programs recorded of it. */
const listStanding = (known: MemoryMap): Memory[] =>
  [...known.values()].filter(
    ({ statement, status, importSource }) =>
      status === 'active' && statement !== undefined && statement.origin !== 'assistant' && importSource === undefined,
  )

const doContradict = (a: Memory, b: Memory): boolean =>
  isSuperseded(a, { ...describe(b), strength: b.statement?.strength ?? 1 }) ||
  isSuperseded(b, { ...describe(a), strength: a.statement?.strength ?? 1 })

const describe = ({ content, statement, tags }: Memory) => {
  const { short: _, ...described } = describeStatementText(content)
  return { ...described, subject: statement?.subject ?? described.subject, isBan: tags.includes('ban') }
}

const supersede = (memory: Memory, later: Memory): Memory => ({
  ...memory,
  status: 'archived',
  ...(memory.statement && { statement: { ...memory.statement, supersededBy: later.id } }),
})
