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

/** All memories; a table lists them by kind. */
export interface KnownMemories extends ReadonlyMap<MemoryId, Memory> {
  /** The ids of the active memories of a kind that are not private, in order. */
  listActiveIds?(kind: MemoryKind): readonly MemoryId[]
}

/** The choice depends only on ids, so that a rebuild chooses the same. */
export function createControlFinder(memories: KnownMemories): ControlFinder {
  const pools = new Map<MemoryKind, readonly MemoryId[]>()
  return (recalled, memory) => {
    const { kind } = memory
    const pool = memories.listActiveIds?.(kind) ?? pools.get(kind) ?? sortActiveIds(memories, kind)
    pools.set(kind, pool)
    const ranked = new Set([...recalled.shown.map((shown) => shown.memory), ...recalled.others, recalled.next?.memory])
    const chosen = new Set<Memory>()
    for (let draw = 0; draw < CONTROLS * DRAWS_MAX && chosen.size < CONTROLS; draw++) {
      const id = pool[hash32(`${recalled.id}\0${memory.id}\0${draw}`) % pool.length]
      const other = id && memories.get(id)
      if (other && !ranked.has(other.id) && other.created < recalled.at && other.session !== recalled.session)
        chosen.add(other)
    }
    return [...chosen]
  }
}

/** Private ones are in no count. */
const sortActiveIds = (memories: KnownMemories, wanted: MemoryKind): readonly MemoryId[] =>
  [...memories.values()]
    .flatMap((memory) => (memory.kind === wanted && memory.status === 'active' && !isPrivate(memory) ? memory.id : []))
    .sort()
