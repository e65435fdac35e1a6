// Forgetting together: what is erased here and the team has is forgotten by the team, and the reverse.
//
//   memctl forget ─▶ team.published [forget] ─▶ erasure here         the next sync sends it
//   team.received [forgotten] ─▶ the memory is gone ─▶ erasure here     by the run that has received it
import type { Event } from '../../model/event.ts'
import { isMemoryId, type MemoryId } from '../../model/id.ts'
import { withLockOrThrow } from '../../store/disk/lock.ts'
import { createCopyFinder } from '../../text/copies/findCopies.ts'
import { commitAndApply, systemEvent } from '../commit/commitEvents.ts'
import { loadOrRebuild } from '../maintenance/loadFromLog.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'
import { combine, type ErasurePlan, eraseTexts, withoutMemories } from './erasurePlan.ts'
import { listTeamTexts, readEvents } from './memorySources.ts'

/**
 * The plan with every text of the team that it changes, as a whole; after a `forget` for each of these memories was
 * appended. `changed` are the memories that lose text. The plan itself if the team has none of them.
 */
export function publishForgets(
  store: Store,
  plan: ErasurePlan,
  changed: readonly MemoryId[],
  now: number,
): ErasurePlan {
  const events = readEvents(store)
  if (!events.some(({ kind }) => kind === 'team.joined')) return plan
  return withLockOrThrow(store.files, store.layout.lock, () => {
    const { loaded } = loadOrRebuild(store)
    applyLogTail(store, loaded)
    const { team } = loaded.projection
    const touched = events.flatMap((event) => listTouched(event, plan))
    const ids = [...new Set([...plan.memories, ...changed, ...touched])].filter(
      (id) => isMemoryId(id) && team?.entries.get(id)?.state === 'active',
    )
    if (ids.length === 0) return plan
    const operations = ids.map((memory) => ({ kind: 'forget', memory }))
    commitAndApply(store, loaded, [systemEvent({ kind: 'team.published', operations }, { now, key: ids })])
    const shared = new Set(ids)
    const memories = new Set([...plan.memories, ...ids])
    return { ...plan, memories, erase: combine([plan.erase, (event) => withoutMemories(event, shared)]) }
  })
}

function listTouched(event: Event, { erase }: ErasurePlan): MemoryId[] {
  if (event.kind !== 'team.published' && event.kind !== 'team.received') return []
  const rest = erase(event)
  if (rest === event) return []
  const kept = new Set(rest?.kind === event.kind ? rest.operations.map((operation) => JSON.stringify(operation)) : [])
  return event.operations.flatMap((operation) => (kept.has(JSON.stringify(operation)) ? [] : [operation.memory]))
}

/**
 * What a `forget` of the team erases in this store: the texts of the team, and copies of their texts. The
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
