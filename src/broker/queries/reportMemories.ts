// Which memories get a page in `memctl report`, and what a page says: origin, when it was shown, what followed.
import type { AttributedRecall } from '../../improve/attribution.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import { isOfPerson } from '../../model/knowledge.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import type { ReportScan, ScannedRecall, ScannedSource } from './reportScan.ts'

export interface MemoryShowing {
  readonly at: string
  readonly session: string
  readonly moment: RecallMoment
  readonly cue: string
  readonly withheld: boolean
  readonly blocked: boolean
  /** What came of it; absent if it is not known yet, or not kept any more. */
  readonly verdict?: { readonly used: number; readonly contribution: number; readonly traces: readonly string[] }
}

export interface MemoryPage {
  readonly memory: Memory
  /** The latest ones, newest first; `showingsLeftOut` earlier ones are not listed. */
  readonly showings: readonly MemoryShowing[]
  readonly showingsLeftOut: number
  readonly sources: readonly ScannedSource[]
  readonly successor?: MemoryId | undefined
  readonly predecessors: readonly MemoryId[]
}

/** Showings on one page. */
const SHOWINGS_MAX = 20

/**
 * The memories that a reader most probably asks about, `max` of them: `first` those that the report names, then in turn
 * from what was shown, what a person said, facts, lessons, and the rest, each by importance.
 */
export function selectPages(memories: readonly Memory[], first: readonly Memory[], max: number): Memory[] {
  const selected = new Set(first.slice(0, max))
  const queues: Memory[][] = [[], [], [], [], []]
  for (const memory of memories) if (!selected.has(memory)) queues[pageGroup(memory)]?.push(memory)
  for (const queue of queues) queue.sort(byInterest)
  for (let turn = 0; selected.size < max && queues.some((queue) => turn < queue.length); turn++) {
    for (const queue of queues) {
      const memory = queue[turn]
      if (memory && selected.size < max) selected.add(memory)
    }
  }
  return [...selected]
}

function pageGroup(memory: Memory): number {
  if (memory.help.shown > 0) return 0
  if (memory.kind === 'entry' || (memory.knowledge && isOfPerson(memory.knowledge))) return 1
  if (memory.kind === 'fact') return 2
  return memory.kind === 'lesson' ? 3 : 4
}

const byInterest = (a: Memory, b: Memory): number =>
  Math.abs(b.help.contribution) - Math.abs(a.help.contribution) ||
  b.help.shown - a.help.shown ||
  b.importance - a.importance ||
  (a.updated > b.updated ? -1 : a.updated < b.updated ? 1 : a.id < b.id ? -1 : 1)

export const listWantedSources = (pages: readonly Memory[]): ReadonlySet<EventId> =>
  new Set(pages.flatMap(({ events }) => events))

/** The pages, in the order of `selected`. `judged` are the recalls with a known result. */
export function buildPages(
  selected: readonly Memory[],
  memories: MemoryMap,
  { recalls, sources }: ReportScan,
  judged: readonly AttributedRecall[],
): MemoryPage[] {
  const verdicts = new Map(judged.map((recall) => [recall.recall, recall]))
  const recallsOf = new Map<MemoryId, ScannedRecall[]>(selected.map(({ id }) => [id, []]))
  for (const recall of recalls) for (const id of recall.shown) recallsOf.get(id)?.push(recall)
  const predecessorsOf = groupPredecessors(memories)
  return selected.map((memory) => {
    const shown = [...(recallsOf.get(memory.id) ?? [])].reverse()
    return {
      memory,
      showings: shown.slice(0, SHOWINGS_MAX).map((recall) => describeShowing(memory.id, recall, verdicts)),
      showingsLeftOut: Math.max(0, shown.length - SHOWINGS_MAX),
      sources: memory.events.flatMap((id) => sources.get(id) ?? []),
      successor: memory.supersededBy as MemoryId | undefined,
      predecessors: predecessorsOf.get(memory.id) ?? [],
    }
  })
}

function groupPredecessors(memories: MemoryMap): ReadonlyMap<string, MemoryId[]> {
  const groups = new Map<string, MemoryId[]>()
  for (const memory of memories.values()) {
    const successor = memory.supersededBy
    if (successor === undefined) continue
    const group = groups.get(successor)
    if (group) group.push(memory.id)
    else groups.set(successor, [memory.id])
  }
  return groups
}

function describeShowing(
  id: MemoryId,
  { at, session, moment, cue, withheld, blocked, id: recall }: ScannedRecall,
  verdicts: ReadonlyMap<EventId, AttributedRecall>,
): MemoryShowing {
  const showing = { at, session, moment, cue, withheld, blocked }
  const found = withheld ? undefined : verdicts.get(recall)?.memories.find(({ memory }) => memory === id)
  if (!found) return showing
  const { used, contribution } = found
  return { ...showing, verdict: { used, contribution, traces: found.traces } }
}
