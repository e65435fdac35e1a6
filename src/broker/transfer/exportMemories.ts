// What an export contains: the memories of a project with all their fields, what open sessions have learned included,
// and the numbers that were learned. No events: what was typed and printed stays in the log of this machine.
import type { Memory } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import type { ExportedMemories } from './exportFormat.ts'

export interface ExportOptions {
  /** Only the person may ask for it. */
  readonly withPrivate: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export function exportMemories(store: Store, { withPrivate, now }: ExportOptions): ExportedMemories {
  const liveStore = openLiveStore(store)
  const mayExport = (memory: Memory): boolean =>
    store.isForSession ? memory.privacy === 'public' : withPrivate || !isPrivate(memory)
  const list = [...liveStore.memories().values()].filter(mayExport)
  const { base, learned } = liveStore.loaded.projection
  const { id, name } = store.project
  return {
    at: new Date(now).toISOString(),
    project: { id, name },
    memories: list.length,
    private: withPrivate,
    ...(learned.version > 0 && { policy: { base: base.name, ...learned } }),
    list,
  }
}
