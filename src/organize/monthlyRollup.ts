// Monthly rollup: one summary of a month's archived cold experiences.
//
// It is recomputed from all of them whenever one is added or removed, so doing it twice changes nothing.
import { CONTENT_CHARS_MAX } from '../model/limits.ts'
import { type Memory, type MemoryMap, newMemory } from '../model/memory.ts'
import { firstLine, truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { createdMonth, isInMonthlyRollup, type MemoryTable } from './memoryTable.ts'

/** Experiences that get a line; the others are only counted. */
const LISTED_MAX = 16

const FILES_MAX = 40

/** The rollups of the months of the experiences in `changed`, by month; those of other months are left out. */
export function updateMonthlyRollups(table: MemoryTable, changed: ReadonlyMap<string, Memory>, now: number): Memory[] {
  const months = new Set([...changed.values()].filter(isInMonthlyRollup).map(createdMonth))
  return [...months].sort().map((month) => {
    const rolledUp = new Map(table.listRolledUp(month).map((memory) => [memory.id, memory]))
    // `changed` is newer than the table.
    for (const memory of changed.values()) {
      if (isInMonthlyRollup(memory) && createdMonth(memory) === month) rolledUp.set(memory.id, memory)
      else rolledUp.delete(memory.id)
    }
    return buildRollup(month, [...rolledUp.values()], table, now)
  })
}

function buildRollup(month: string, rolledUp: readonly Memory[], known: MemoryMap, now: number): Memory {
  const id = deriveMemoryId('month', month)
  const ordered = rolledUp.toSorted((a, b) =>
    a.created < b.created ? -1 : a.created > b.created ? 1 : a.id < b.id ? -1 : 1,
  )
  const worth = (memory: Memory): number => memory.importance + memory.help.contribution
  const listed = new Set(ordered.toSorted((a, b) => worth(b) - worth(a)).slice(0, LISTED_MAX))
  const lines = ordered.flatMap((memory) =>
    listed.has(memory) ? [`${memory.created.slice(0, 10)}: ${firstLine(memory.content, 160)}`] : [],
  )
  const title = `${month}: ${ordered.length} tasks${ordered.length > listed.size ? `, the ${listed.size} weightiest` : ''}`
  const content = truncateMiddle([title, ...lines].join('\n'), CONTENT_CHARS_MAX)
  const changes = {
    updated: ordered.at(-1)?.created ?? month,
    files: sortByFrequency(ordered.flatMap((memory) => memory.files)).slice(0, FILES_MAX),
    importance: Math.max(...ordered.map((memory) => memory.importance)),
    monthlyRollup: { month, folded: ordered.length },
  }
  const before = known.get(id)
  // What its use has changed in a known rollup stays.
  if (before) return { ...before, content, ...changes }
  return newMemory({
    id,
    kind: 'consolidated',
    content,
    created: ordered[0]?.created ?? month,
    tier: 'cold',
    tags: ['month'],
    ...changes,
    lastDecayed: new Date(now).toISOString(),
  })
}

/** The distinct names, the most frequent first; equally frequent ones in their original order. */
function sortByFrequency(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name)
}
