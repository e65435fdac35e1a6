// Forgetting together: what is erased here and the team has is forgotten by the team, and the reverse.
//
//   memctl forget ─▶ team.published [forget] ─▶ erasure here         the next sync sends it
//   team.received [forget] ─▶ the memory is gone ─▶ erasure here     by the run that has received it, or the next one
import type { Event } from '../../model/event.ts'
import { isMemoryId, type MemoryId } from '../../model/id.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { forgetOperations } from '../../team/collectOperations.ts'
import { createCopyFinder } from '../../text/copies/findCopies.ts'
import { publishOperations, teamWriter } from '../commit/publishOperations.ts'
import { loadOrRebuild } from '../maintenance/loadFromLog.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'
import { operationsOf, type TeamProjection } from '../projection/teamProjection.ts'
import { combine, type ErasurePlan, eraseTexts, withoutMemories } from './erasurePlan.ts'
import { listTeamTexts, readEvents } from './memorySources.ts'

/**
 * The plan with every operation on memories that the team has and that it changes; after a `forget` for each of them
 * was appended. `changed` are the memories that lose text. The plan itself if the team has none of them.
 */
export function publishForgets(
  store: Store,
  plan: ErasurePlan,
  changed: readonly MemoryId[],
  now: number,
): ErasurePlan {
  const events = readEvents(store)
  if (!events.some(({ kind }) => kind === 'team.joined')) return plan
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) throw storeBusyError()
  try {
    const { loaded } = loadOrRebuild(store)
    applyLogTail(store, loaded)
    const { team } = loaded.projection
    const touched = events.flatMap((event) => listTouched(event, plan))
    const ids = [...new Set([...plan.memories, ...changed, ...touched])].filter(
      (id) => team && isMemoryId(id) && isShared(team, id),
    )
    if (team === undefined || ids.length === 0) return plan
    publishOperations(store, loaded, forgetOperations(ids, teamWriter(team), now), now)
    const shared = new Set(ids)
    const memories = new Set([...plan.memories, ...ids])
    return { ...plan, memories, erase: combine([plan.erase, (event) => withoutMemories(event, shared)]) }
  } finally {
    lock.release()
  }
}

const isShared = ({ states }: TeamProjection, id: MemoryId): boolean => states.get(id)?.puts !== undefined

/** The memories of operations that an erasure changes. */
function listTouched(event: Event, { erase }: ErasurePlan): MemoryId[] {
  if (event.kind !== 'team.published' && event.kind !== 'team.received') return []
  const rest = erase(event)
  if (rest === event) return []
  const kept = new Map(
    rest?.kind === event.kind ? operationsOf(rest).map((operation) => [operation.id, operation]) : [],
  )
  return operationsOf(event).flatMap((operation) =>
    JSON.stringify(kept.get(operation.id)) === JSON.stringify(operation) ? [] : [operation.memory],
  )
}

/**
 * What a `forget` of the team erases in this store: the operations on the memories, and copies of their texts. The
 * events that this machine has derived one of them from itself stay, without these texts.
 */
export function planTeamErasure(store: Store, ids: readonly MemoryId[]): ErasurePlan {
  const memories = new Set(ids)
  const finder = createCopyFinder(listTeamTexts(readEvents(store), memories))
  return {
    erase: combine([(event) => withoutMemories(event, memories), eraseTexts(finder)]),
    isErasable: (bytes) => finder.find(bytes.toString('utf8'), true).length > 0,
    finder,
    memories,
  }
}
