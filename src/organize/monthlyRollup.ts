// A month's long summary: what its experiences, folded at last, come to. The cold tier is made of these.
//
// Made anew from all experiences of the month whenever one of them is folded, so folding twice changes nothing.
import { CONTENT_CHARS_MAX } from '../model/limits.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { firstLine, truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { createdMonth, isInMonthlyRollup, type MemoryTable } from './memoryTable.ts'
import type { MemoryMap } from './sessionSlice.ts'

/** Experiences told by name; the others are only counted. */
const TOLD_MAX = 16

const FILES_MAX = 40

/** The summaries of the months from which `changed` folds a cold experience, by month; unchanged ones are left out. */
export function updateMonthlyRollups(known: MemoryTable, changed: ReadonlyMap<string, Memory>, now: number): Memory[] {
  const byMonth = new Map<string, Map<string, Memory>>()
  for (const memory of changed.values()) {
    if (!isInMonthlyRollup(memory)) continue
    const month = createdMonth(memory)
    const folded = byMonth.get(month) ?? new Map(known.listRolledUp(month).map((one) => [one.id, one]))
    byMonth.set(month, folded)
  }
  for (const [month, folded] of byMonth) {
    for (const memory of changed.values()) {
      // What changes now counts as it will be.
      if (isInMonthlyRollup(memory) && createdMonth(memory) === month) folded.set(memory.id, memory)
      else folded.delete(memory.id)
    }
  }
  return [...byMonth.keys()].sort().map((month) => summed(month, [...byMonth.get(month)!.values()], known, now))
}

function summed(month: string, folded: readonly Memory[], known: MemoryMap, now: number): Memory {
  const id = deriveMemoryId('month', month)
  const inOrder = [...folded].sort((a, b) =>
    a.created < b.created ? -1 : a.created > b.created ? 1 : a.id < b.id ? -1 : 1,
  )
  const weight = (memory: Memory) => memory.importance + memory.help.contribution
  const told = new Set([...inOrder].sort((a, b) => weight(b) - weight(a)).slice(0, TOLD_MAX))
  const lines = inOrder.flatMap((memory) =>
    told.has(memory) ? [`${memory.created.slice(0, 10)}: ${firstLine(memory.content, 160)}`] : [],
  )
  const head = `${month}: ${inOrder.length} tasks${inOrder.length > told.size ? `, the ${told.size} weightiest` : ''}`
  const made = newMemory({
    id,
    kind: 'consolidated',
    content: truncateMiddle([head, ...lines].join('\n'), CONTENT_CHARS_MAX),
    created: inOrder[0]!.created,
    updated: inOrder.at(-1)!.created,
    tier: 'cold',
    files: commonest(inOrder.flatMap((memory) => memory.files)).slice(0, FILES_MAX),
    importance: Math.max(...inOrder.map((memory) => memory.importance)),
    tags: ['month'],
    monthlyRollup: { month, folded: inOrder.length },
    lastDecayed: new Date(now).toISOString(),
  })
  const before = known.get(id)
  // What showing it has turned out to give is its own, not the month's.
  return before
    ? {
        ...before,
        content: made.content,
        files: made.files,
        updated: made.updated,
        importance: made.importance,
        monthlyRollup: made.monthlyRollup,
      }
    : made
}

/** The names that come up most first; of equals in the order they came up. */
function commonest(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name)
}
