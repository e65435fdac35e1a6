// Memories that a recall did not show, chosen at random: what they leave in the same work is chance.
import type { EventOf } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory, MemoryKind } from '../model/memory.ts'
import { isPrivate } from '../model/privacy.ts'
import { hash32 } from '../text/hash.ts'

/** Memories compared with each recalled one. */
const CONTROLS = 2

/** Draws for one of them: what does not qualify is drawn again. */
const DRAWS_MAX = 4

/** The controls of a recalled memory: known before the recall, of the same kind, from another session, not ranked. */
export type ControlFinder = (recalled: EventOf<'recalled'>, memory: Memory) => Memory[]

/** The choice depends only on ids, so that a rebuild chooses the same. */
export function createControlFinder(memories: ReadonlyMap<MemoryId, Memory>): ControlFinder {
  let byKind: ReadonlyMap<MemoryKind, readonly Memory[]> | undefined
  return (recalled, memory) => {
    byKind ??= groupByKind(memories)
    const pool = byKind.get(memory.kind) ?? []
    const ranked = new Set([...recalled.shown.map((shown) => shown.memory), ...recalled.others, recalled.next?.memory])
    const chosen = new Set<Memory>()
    for (let draw = 0; draw < CONTROLS * DRAWS_MAX && chosen.size < CONTROLS; draw++) {
      const other = pool[hash32(`${recalled.id}\0${memory.id}\0${draw}`) % pool.length]
      if (other && !ranked.has(other.id) && other.created < recalled.at && other.session !== recalled.session)
        chosen.add(other)
    }
    return [...chosen]
  }
}

/** Active memories by kind, in the order of their ids. Private ones are in no count. */
function groupByKind(memories: ReadonlyMap<MemoryId, Memory>): ReadonlyMap<MemoryKind, readonly Memory[]> {
  const groups = new Map<MemoryKind, Memory[]>()
  for (const memory of memories.values()) {
    if (memory.status !== 'active' || isPrivate(memory)) continue
    const group = groups.get(memory.kind)
    if (group) group.push(memory)
    else groups.set(memory.kind, [memory])
  }
  for (const group of groups.values()) group.sort((a, b) => (a.id < b.id ? -1 : 1))
  return groups
}
