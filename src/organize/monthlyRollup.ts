// Monthly rollup: one summary of a month's archived cold experiences, by outcome and area.
//
//   2026-03: 31 tasks
//   Most changes: src/cart (9 tasks), src (4)
//   Finished in src/cart: Added a discount; Rounded the totals
//   Left open: the export of large carts
//
// It is recomputed from all of them whenever one is added or removed, so doing it twice changes nothing.
import { CONTENT_CHARS_MAX } from '../model/limits.ts'
import { type Memory, type MemoryMap, newMemory } from '../model/memory.ts'
import { compareValues } from '../model/sorting.ts'
import { truncateAtWord, truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { countByFrequency } from './experience.ts'
import { createdMonth, isInMonthlyRollup } from './memoryIndexes.ts'
import type { MemoryTable } from './memoryTable.ts'

/** Areas with their tasks, tasks of an area, tasks left open: the weightiest. The others are only counted. */
const AREAS_MAX = 6
const AREA_TASKS_MAX = 3
const OPEN_MAX = 4

const TASK_CHARS_MAX = 120

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
  const ordered = rolledUp.toSorted((a, b) => compareValues(a.created, b.created) || compareValues(a.id, b.id))
  const content = truncateMiddle(
    [`${month}: ${ordered.length} tasks`, ...describeMonth(ordered)].join('\n'),
    CONTENT_CHARS_MAX,
  )
  const changes = {
    updated: ordered.at(-1)?.created ?? month,
    files: countByFrequency(ordered.flatMap((memory) => memory.files))
      .slice(0, FILES_MAX)
      .map(([file]) => file),
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

/** What was changed most, what was finished in each area, and what was left open; the weightiest tasks first. */
function describeMonth(ordered: readonly Memory[]): string[] {
  const worth = (memory: Memory): number => memory.importance + memory.help.contribution
  const weighty = ordered.filter((memory) => !memory.searchOnly).toSorted((a, b) => worth(b) - worth(a))
  const changing = ordered.filter(({ editedFiles = [] }) => editedFiles.length > 0)
  const areas = countByFrequency(changing.map(areaOf)).slice(0, AREAS_MAX)
  const isOpen = ({ outcome }: Memory): boolean => outcome === 'failure'
  const finished = areas.flatMap(([area]) => {
    const tasks = weighty.filter((memory) => !isOpen(memory) && changing.includes(memory) && areaOf(memory) === area)
    return tasks.length > 0 ? [`Finished in ${area}: ${listTasks(tasks.slice(0, AREA_TASKS_MAX))}`] : []
  })
  const others = weighty.filter((memory) => !isOpen(memory) && !changing.includes(memory)).slice(0, AREA_TASKS_MAX)
  const open = weighty.filter(isOpen).slice(0, OPEN_MAX)
  return [
    ...(areas.length > 0 ? [`Most changes: ${areas.map(([area, count]) => `${area} (${count})`).join(', ')}`] : []),
    ...finished,
    ...(others.length > 0 ? [`Without changes: ${listTasks(others)}`] : []),
    ...(open.length > 0 ? [`Left open: ${listTasks(open)}`] : []),
  ]
}

/** The folder of most files that the task edited. */
function areaOf({ editedFiles = [] }: Memory): string {
  const folders = editedFiles.map((file) => file.slice(0, Math.max(0, file.lastIndexOf('/'))) || 'the top folder')
  return countByFrequency(folders)[0]?.[0] ?? ''
}

/** The tasks in the words of their results; of those without one in the words of the request. */
const listTasks = (tasks: readonly Memory[]): string =>
  [
    ...new Set(tasks.map(({ content }) => truncateAtWord(content.replace(/^[^\n]*? → (?=\S)/, ''), TASK_CHARS_MAX))),
  ].join('; ')
