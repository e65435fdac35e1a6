// Impact: a person says what a memory gave. An event; an archived memory that is asked for and helps comes back by it.
import type { EventOf } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import type { ImpactKind } from '../model/strength.ts'
import { appendEvents } from '../store/log.ts'
import { memoryNamed } from './browse.ts'
import { ownEvent } from './ownEvent.ts'
import type { Store } from './store.ts'
import { upkeepNow } from './upkeepNow.ts'
import { load } from './view/save.ts'

export interface Impacted {
  readonly before: Memory
  readonly after: Memory
}

/** Notes the impact on the memory whose id is, or begins with, `prefix`. Throws NOT_FOUND and STORE_BUSY. */
export function noteImpact(
  store: Store,
  prefix: string,
  impact: ImpactKind,
  perspective: string | undefined,
  now: number,
): Impacted {
  const before = memoryNamed(store, prefix)
  const event: EventOf<'memory.impact'> = {
    ...ownEvent(['memory.impact', before.id, impact, perspective ?? ''], now),
    ...{ kind: 'memory.impact', memory: before.id, impact, perspective },
  }
  appendEvents(store.files, store.layout.events, [event])
  upkeepNow(store, now)
  return { before, after: load(store).view.memories.get(before.id) ?? before }
}
